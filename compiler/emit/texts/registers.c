//// type
/* @lanes@ numbers in a vector register. */
typedef @lane@ @vector@ OPC_SUMS(@lanes@, @size@);

//// set
static inline void @name@(@vector@ *sums, @c@ x) {
#ifdef OPC_HAS_VECTORS
  const @vector@ zero = {0};
  *sums = @cast@x - zero;
#else
  for (int k = 0; k < @lanes@; ++k) {
    (*sums)[k] = @cast@x;
  }
#endif
}

//// move
static inline void @name@(@vector@ *sums, @vector@ *others) {
#ifdef OPC_HAS_VECTORS
  *sums = *others;
#else
  for (int k = 0; k < @lanes@; ++k) {
    (*sums)[k] = (*others)[k];
  }
#endif
}

//// wrapping_fma
/* Sum k takes a times b[k], wrapping. */
static inline void @name@(@vector@ *sums, @c@ a, const @c@ *b) {
#ifdef OPC_HAS_VECTORS
  @vector@ v;
  const @vector@ zero = {0};
  memcpy(&v, b, sizeof v);
  *sums = (@cast@a - zero) * v + *sums;
#else
  for (int k = 0; k < @lanes@; ++k) {
    (*sums)[k] = @cast@((*sums)[k] + 1u * @cast@a * @cast@b[k]);
  }
#endif
}

//// fma
/* Sum k takes a times @taken@[k], rounded once. */
static inline void @name@(@vector@ *sums, @c@ a, @operand@) {
#if defined(OPC_HAS_VECTORS) && defined(__clang__) && (defined(__FMA__) || defined(__aarch64__))
#pragma clang fp contract(on)
@load@  *sums = (a - zero) * v + *sums;
@exact@#else
  OPC_ROLLED
  for (int k = 0; k < @lanes@; ++k) {
    (*sums)[k] = opc_fma_@kind@(a, @element@, (*sums)[k]);
  }
#endif
}

//// one_four
#elif defined(OPC_FOUR)
  *sums = opc_fma_four(*sums, a, b);

//// fours
#elif defined(OPC_FOUR)
  opc_four_f32 v[@n@];
  memcpy(v, sums, sizeof v);
  for (int k = 0; k < @n@; ++k) {
    v[k] = opc_fma_four(v[k], a, b + 4 * k);
  }
  memcpy(sums, v, sizeof v);

//// mul_add
/* Sum k takes a times b[k], which is rounded before. */
static inline void @name@(@vector@ *sums, @c@ a, const @c@ *b) {
#ifdef OPC_HAS_VECTORS
  @vector@ v;
  const @vector@ zero = {0};
  memcpy(&v, b, sizeof v);
  *sums = (a - zero) * v + *sums;
#else
  for (int k = 0; k < @lanes@; ++k) {
    (*sums)[k] = opc_mul_add_@kind@(a, b[k], (*sums)[k]);
  }
#endif
}

//// put
/* total[k] = x + sum k */
static inline void @name@(@vector@ *sums, @c@ x, @c@ *total) {
#ifdef OPC_HAS_VECTORS
  const @vector@ v = @cast@x + *sums;
  memcpy(total, &v, sizeof v);
#else
  for (int k = 0; k < @lanes@; ++k) {
    total[k] = (@c@)(@cast@x + (*sums)[k]);
  }
#endif
}

//// add
/* total[k] = total[k] + sum k */
static inline void @name@(@vector@ *sums, @c@ *total) {
#ifdef OPC_HAS_VECTORS
  @vector@ v;
  memcpy(&v, total, sizeof v);
  v = v + *sums;
  memcpy(total, &v, sizeof v);
#else
  for (int k = 0; k < @lanes@; ++k) {
    total[k] = (@c@)(@cast@total[k] + (*sums)[k]);
  }
#endif
}

//// write
static inline void @name@(@c@ *to, @vector@ *from) {
  memcpy(to, from, sizeof *from);
}

//// dot
#if defined(OPC_HAS_VECTORS) && defined(__SSE2__)
#include <immintrin.h>
#endif

/* Sum k takes a[0] b[@count@ k] to a[@last@] b[@count@ k + @last@], wrapping. */
static inline void @name@(@vector@ *sums, const @a@ *a, const @b@ *b) {
@text@}

//// dot_body
#ifdef OPC_HAS_VECTORS
  @more@
  @vector@ v;
  OPC_ROLLED
  for (int k = 0; k < @lanes@; ++k) {
    more[k] = @products@;
  }
  memcpy(&v, more, sizeof v);
  *sums += v;
#else
  for (int k = 0; k < @lanes@; ++k) {
    (*sums)[k] += @products@;
  }
#endif

//// dot_load
  int32_t every;
  @type@ @operand@;
  memcpy(&every, a, sizeof every);
  memcpy(&@operand@, b, sizeof @operand@);

//// dot_bytes
#if defined(OPC_HAS_VECTORS) && @has_dot@
@load@  *sums = (@vector@)@prefix@_dpbusd_epi32(@sums@, @factors@)@part@;
#else
@portable@#endif

//// dot_pairs
#if defined(OPC_HAS_VECTORS) && defined(@guard@)
@load@#if @has_dot@
  *sums = (@vector@)@prefix@_dpwssd_epi32(@sums@, @factor@, v)@part@;
#else
  *sums = *sums + (@vector@)@prefix@_madd_epi16(@factor@, v)@part@;
#endif
#else
@portable@#endif
