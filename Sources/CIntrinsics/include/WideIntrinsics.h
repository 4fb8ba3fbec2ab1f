#pragma once
// Numbers of 16 bits and sums of 64. Included by CIntrinsics.h, which says what the functions have in
// common.

/// The next APUS_LANES numbers of 16 bits, zeros above them.
APUS_INLINE apus_i32 apus_load_u16(const void *words) {
  typedef uint16_t narrow __attribute__((ext_vector_type(APUS_LANES)));
  narrow x;
  memcpy(&x, words, sizeof x);
  return __builtin_convertvector(x, apus_i32);
}

/// Stores the low 16 bits of each of the first `count` lanes, or of all; 0 < count.
APUS_INLINE void apus_store_words(void *words, apus_i32 x, ptrdiff_t count) {
  typedef uint16_t narrow __attribute__((ext_vector_type(APUS_LANES)));
  narrow packed = __builtin_convertvector(x, narrow);
  if (count >= APUS_LANES) {
    memcpy(words, &packed, sizeof packed);
    return;
  }
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  _mm256_mask_storeu_epi16(words, (__mmask16)((1u << count) - 1), (__m256i)packed);
#else
  for (ptrdiff_t i = 0; i < count; i++) ((uint16_t *)words)[i] = packed[i];
#endif
}

typedef int32_t apus_i32_half __attribute__((ext_vector_type(APUS_LANES / 2)));

/// The first half of the lanes with 64 bits, and the second.
APUS_INLINE apus_i64 apus_widen_low(apus_i32 x) { return __builtin_convertvector((apus_i32_half)x.lo, apus_i64); }
APUS_INLINE apus_i64 apus_widen_high(apus_i32 x) { return __builtin_convertvector((apus_i32_half)x.hi, apus_i64); }

/// (x × factor + addend) / 2^shift, rounded down; products and sums wrap. 0 ≤ shift < 64.
APUS_INLINE apus_i64 apus_scale_wide(apus_i64 x, apus_i64 factor, apus_i64 addend, apus_i64 shift) {
  typedef uint64_t bits __attribute__((ext_vector_type(APUS_LANES / 2)));
  return (apus_i64)((bits)x * (bits)factor + (bits)addend) >> shift;
}

/// The low 32 bits of the lanes of two vectors, limited.
APUS_INLINE apus_i32 apus_limit_wide(apus_i64 first, apus_i64 second, apus_i32 low, apus_i32 high) {
  apus_i32 x;
  x.lo = __builtin_convertvector(first, apus_i32_half);
  x.hi = __builtin_convertvector(second, apus_i32_half);
  return __builtin_elementwise_min(__builtin_elementwise_max(x, low), high);
}
