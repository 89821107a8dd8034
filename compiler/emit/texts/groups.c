//// first
/* The first `count` elements of x, less than @lanes@, and @neutral@ for the others. */
static inline void @name@(@struct@ *to, const @c@ *x, int64_t count) {
@masked@  @array@
  for (int64_t k = 0; k < @lanes@; ++k) {
    first[k] = @neutral@;
  }
  for (int64_t k = 0; k < count; ++k) {
    first[k] = x[k];
  }
  memcpy(to, first, sizeof first);
@end@}

//// masked
#if defined(__AVX512F__) && defined(OPC_HAS_VECTORS)
  const @part@ zero = {0}, none = @neutral@ - zero;
  const uint64_t mask = (UINT64_C(1) << count) - 1;
  for (size_t k = 0; k < @parts@; ++k) {
    const __mmask@width@ some = (__mmask@width@)(mask >> (k * @width@));
    /* Behind the last value the address may be outside of the array, where no pointer may be. */
    const uintptr_t at = (uintptr_t)x + k * sizeof none;
    to->part[k] = (@part@)_mm512_mask_loadu_@letter@((__m512@kind@)none, some, (const @c@ *)at);
  }
#elif defined(__AVX2__) && defined(OPC_HAS_VECTORS)
  /* The same by masks in vectors.  gcc would make the loops below calls of memcpy. */
  const @part@ zero = {0}, none = @neutral@ - zero;
  const __m256i places = _mm256_setr_@integers@(@places@);
  for (size_t k = 0; k < sizeof *to / sizeof none; ++k) {
    const int rest = (int)count - (int)(k * (sizeof none / sizeof *x));
    const __m256i some = _mm256_cmpgt_@integer@(_mm256_set1_@integers@(rest), places);
    const uintptr_t at = (uintptr_t)x + k * sizeof none;
    const __m256@kind@ values = _mm256_maskload_@letter@((const @c@ *)at, some);
    to->part[k] = (@part@)_mm256_blendv_@letter@((__m256@kind@)none, values, (__m256@kind@)some);
  }
#else

//// group
/* Lane k adds x[k], x[k + @lanes@], ... of the `count` values of x, less than 8 for each lane:
   pairs, pairs of pairs.  Lanes are written in any case, so that they stay in registers until they
   are added up; of an absent row no memory is read. */
static inline void @name@(@c@ *lanes, const @c@ *x, int64_t count) {
  const @c@ *const last = x + (count & ~(int64_t)@rest@), *const pair = x + (count & @four@);
  const size_t parts = @lanes@ * sizeof *x / sizeof(@part@);
  @struct@ v;
  @first@(&v, count & @rest@ ? last : lanes, count & @rest@);
  for (size_t k = 0; k < parts && (count & @lanes@); ++k) {
    v.part[k] = @one@;
  }
  for (size_t k = 0; k < parts && (count & @two@); ++k) {
    v.part[k] = @pair@;
  }
  for (size_t k = 0; k < parts && (count & @four@); ++k) {
    v.part[k] = @quad@;
  }
  for (size_t k = 0; k < parts; ++k) {
    v.part[k] = @all@;
  }
  memcpy(lanes, &v, sizeof v);
}
