//// round
static inline void @name@(@vector@ *x) {
@body@}

//// round_each
  OPC_ROLLED
  for (int k = 0; k < @lanes@; ++k) {
    (*x)[k] = @function@((*x)[k]);
  }

//// round_f16
#if defined(OPC_HAS_VECTORS) && defined(@guard@)
  *x = (@vector@)@prefix@_cvtph_ps(@narrow@);
#else
@portable@#endif

//// read
static inline void @name@(@vector@ *to, const @c@ *from) {
  memcpy(to, from, sizeof *to);
}

//// widen_each
  float wide[@lanes@];
  OPC_ROLLED
  for (int k = 0; k < @lanes@; ++k) {
    wide[k] = @value@;
  }
  memcpy(to, wide, sizeof *to);

//// widen
#if defined(OPC_HAS_VECTORS) && defined(@guard@)
  @type@ bytes;
  memcpy(&bytes, from, sizeof bytes);
@steps@  *to = (@vector@)@result@;
#else
@portable@#endif
