//// type
/* @lanes@ lanes of @c@ in vector registers. */
typedef @c@ @part@ OPC_LANES(@limit@);
typedef struct {
  @part@ part[@size@ / sizeof(@part@)];
} @name@;

//// both
static inline @vector@ @name@(@vector@ a, @vector@ b) {
#ifdef OPC_HAS_VECTORS
  OPC_ROLLED
  for (size_t k = 0; k < sizeof a / sizeof a[0]; ++k) {
    a[k] = @lane@;
  }
#else
  a = @vectors@;
#endif
  return a;
}

//// combine
/* Reduces an array pairwise, halving: lane k with lane k + half. */
static inline @c@ @helper@(const @c@ *x) {
  @name@ v;
  memcpy(&v, x, sizeof v);
  for (size_t half = @size@ / sizeof v.part[0] / 2; half > 0; half /= 2) {
    for (size_t k = 0; k < half; ++k) {
      v.part[k] = @parts@;
    }
  }
#ifdef OPC_HAS_VECTORS
@local@  @quad@ q[sizeof v.part[0] / sizeof(@quad@)];
  memcpy(q, v.part, sizeof q);
  for (size_t half = sizeof q / sizeof(@quad@) / 2; half > 0; half /= 2) {
    for (size_t k = 0; k < half; ++k) {
      q[k] = @quads@;
    }
  }
  return @elements@;
#else
  return v.part[0];
#endif
}

//// load_row
/* Vector k of a row of @lanes@ values. */
static inline @part@ @name@(const @c@ *x, int64_t row, size_t k) {
  @part@ v;
  memcpy(&v, x + row * @lanes@ + k * (sizeof v / sizeof *x), sizeof v);
  return v;
}

//// next
/* Begins block number `count` of a cascade.  The block before goes to the levels, of which level k
   holds the @total@ of 2^k blocks. */
static inline void @name@(@c@ *v, @c@ *levels, int64_t count, int64_t lanes) {
  if (count > 0) {
    for (--count; count & 1; count >>= 1, levels += lanes) {
      for (int64_t k = 0; k < lanes; ++k) {
        v[k] = @both@;
      }
    }
    memcpy(levels, v, (size_t)lanes * sizeof *v);
    for (int64_t k = 0; k < lanes; ++k) {
      v[k] = @neutral@;
    }
  }
}

//// finish
/* Combines the levels of a cascade of `count` blocks with the last block, lowest level first. */
static inline void @name@(@c@ *v, const @c@ *levels, int64_t count, int64_t lanes) {
@begin@  for (--count; count > 0; count >>= 1, levels += lanes) {
    for (@loop@ && (count & 1); ++k) {
      @target@ = @both@;
    }
  }
@end@}

//// bitcast
/* The same bits. */
static inline @target@ @name@(@source@ x) {
  @target@ y;
  memcpy(&y, &x, sizeof y);
  return y;
}
