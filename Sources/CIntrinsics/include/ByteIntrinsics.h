#pragma once
// Whole vectors of bytes and of 16 bits, of which Swift's own operators are loops over elements. Included by CIntrinsics.h,
// which says what the functions have in common.

typedef uint8_t apus_u8 __attribute__((ext_vector_type(4 * APUS_LANES)));
typedef uint16_t apus_u16 __attribute__((ext_vector_type(2 * APUS_LANES)));

/// The greater of each byte and the next one of `bytes` with some bits flipped.
APUS_INLINE apus_u8 apus_greater_bytes(apus_u8 x, const void *bytes, apus_u8 flip) {
  apus_u8 next;
  memcpy(&next, bytes, sizeof next);
  return __builtin_elementwise_max(x, next ^ flip);
}

/// Stores the first `count` bytes, or all, limited and then with some bits flipped; 0 < count.
APUS_INLINE void apus_store_limited_bytes(void *bytes, apus_u8 x, apus_u8 high, apus_u8 flip, ptrdiff_t count) {
  x = __builtin_elementwise_min(x, high) ^ flip;
  if (count >= 4 * APUS_LANES) {
    memcpy(bytes, &x, sizeof x);
    return;
  }
#if defined(__AVX512BW__)
  _mm512_mask_storeu_epi8(bytes, ~0ull >> (64 - count), (__m512i)x);
#else
  for (ptrdiff_t i = 0; i < count; i++) ((uint8_t *)bytes)[i] = x[i];
#endif
}

/// Adds to each number the next byte with some bits flipped.
APUS_INLINE apus_u16 apus_add_bytes(apus_u16 x, const void *bytes, apus_u16 flip) {
  typedef uint8_t narrow __attribute__((ext_vector_type(2 * APUS_LANES)));
  narrow next;
  memcpy(&next, bytes, sizeof next);
  return x + (__builtin_convertvector(next, apus_u16) ^ flip);
}

/// The upper halves of the products.
APUS_INLINE apus_u16 apus_high_product(apus_u16 a, apus_u16 b) {
#if defined(__AVX512BW__)
  return (apus_u16)_mm512_mulhi_epu16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
  return (apus_u16)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return (apus_u16)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
#else
  typedef uint32_t wide __attribute__((ext_vector_type(2 * APUS_LANES)));
  return __builtin_convertvector(
      __builtin_convertvector(a, wide) * __builtin_convertvector(b, wide) >> 16, apus_u16);
#endif
}

/// ((|x| + half) × factor) / 2^(16 + shift) with the sign of x, limited. x is signed where `signs` has all bits, else
/// positive.
APUS_INLINE apus_u16 apus_divide_u16(
    apus_u16 x, apus_u16 signs, apus_u16 half, apus_u16 factor, uint16_t shift, int16_t low, int16_t high) {
  typedef int16_t whole __attribute__((ext_vector_type(2 * APUS_LANES)));
  apus_u16 sign = (apus_u16)((whole)x >> 15) & signs;
  apus_u16 magnitude = ((x ^ sign) - sign) + half;
  whole quotient = (whole)(((apus_high_product(magnitude, factor) >> (apus_u16)shift) ^ sign) - sign);
  return (apus_u16)__builtin_elementwise_min(__builtin_elementwise_max(quotient, (whole)low), (whole)high);
}

/// Stores the low bytes of the first `count` numbers, or of all; 0 < count.
APUS_INLINE void apus_store_low_bytes_u16(void *bytes, apus_u16 x, ptrdiff_t count) {
  typedef uint8_t narrow __attribute__((ext_vector_type(2 * APUS_LANES)));
  narrow packed = __builtin_convertvector(x, narrow);
  if (count >= 2 * APUS_LANES) {
    memcpy(bytes, &packed, sizeof packed);
    return;
  }
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  _mm256_mask_storeu_epi8(bytes, ~0u >> (32 - count), (__m256i)packed);
#else
  for (ptrdiff_t i = 0; i < count; i++) ((uint8_t *)bytes)[i] = packed[i];
#endif
}

/// The next 2 × APUS_LANES signed bytes, as numbers of 16 bits.
APUS_INLINE apus_i32 apus_load_signed_bytes(const void *bytes) {
  typedef int8_t narrow __attribute__((ext_vector_type(2 * APUS_LANES)));
  typedef int16_t words __attribute__((ext_vector_type(2 * APUS_LANES)));
  narrow x;
  memcpy(&x, bytes, sizeof x);
  return (apus_i32)__builtin_convertvector(x, words);
}

/// Stores 2 × APUS_LANES bytes with some bits flipped as numbers of 16 bits.
APUS_INLINE void apus_widen_bytes(const void *bytes, void *words, uint8_t flip) {
  typedef uint8_t narrow __attribute__((ext_vector_type(2 * APUS_LANES)));
  narrow x;
  memcpy(&x, bytes, sizeof x);
  apus_u16 wide = __builtin_convertvector(x ^ flip, apus_u16);
  memcpy(words, &wide, sizeof wide);
}

/// Puts the first two of each four bytes before the last two, of as many times four bytes as there are lanes, or twice as
/// many.
APUS_INLINE void apus_part_pairs(void *bytes, bool twice) {
  typedef uint16_t half __attribute__((ext_vector_type(APUS_LANES)));
  apus_i32 x[2];
  memcpy(x, bytes, twice ? sizeof x : sizeof x[0]);
  char *out = (char *)bytes;
  for (int i = 0; i < (twice ? 2 : 1); i++) {
    half first = __builtin_convertvector(x[i], half), second = __builtin_convertvector(x[i] >> 16, half);
    memcpy(out + i * (int)sizeof first, &first, sizeof first);
    memcpy(out + (twice ? 2 + i : 1) * (int)sizeof first, &second, sizeof second);
  }
}
