#pragma once
// Conversions between float types, and transposition, for packing weights and preparing rows. Included by
// CIntrinsics.h, which says what the functions have in common.

/// The next APUS_LANES float16.
APUS_INLINE apus_f32 apus_load_f16(const void *address) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)address));
#elif defined(__F16C__)
  return (apus_f32)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)address));
#elif defined(__ARM_NEON)
  uint16x4_t narrow;
  memcpy(&narrow, address, sizeof narrow);
  return (apus_f32)vcvt_f32_f16((float16x4_t)narrow);
#else
  typedef uint32_t bits __attribute__((ext_vector_type(APUS_LANES)));
  typedef uint16_t half __attribute__((ext_vector_type(APUS_LANES)));
  half narrow;
  memcpy(&narrow, address, sizeof narrow);
  bits h = __builtin_convertvector(narrow, bits);
  bits magnitude = (h & 0x7fff) << 13;
  // The exponent's bias is 112 less; the product is exact, for subnormal numbers too.
  bits scaled = (bits)((apus_f32)magnitude * (apus_f32)0x1p112f);
  bits special = (bits)(magnitude >= (bits)0x0f800000);
  return (apus_f32)((h & 0x8000) << 16 | (special & (magnitude | 0x7f800000)) | (~special & scaled));
#endif
}

/// The next APUS_LANES bfloat16.
APUS_INLINE apus_f32 apus_load_bf16(const void *address) {
#if defined(__AVX512F__)
  __m512i wide = _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)address));
  return (apus_f32)_mm512_slli_epi32(wide, 16);
#elif defined(__AVX2__)
  __m256i wide = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)address));
  return (apus_f32)_mm256_slli_epi32(wide, 16);
#elif defined(__ARM_NEON)
  uint16x4_t narrow;
  memcpy(&narrow, address, sizeof narrow);
  return (apus_f32)vshll_n_u16(narrow, 16);
#else
  apus_i32 x;
  for (int i = 0; i < APUS_LANES; i++) {
    uint16_t narrow;
    memcpy(&narrow, (const char *)address + 2 * i, 2);
    x[i] = (int32_t)((uint32_t)narrow << 16);
  }
  return (apus_f32)x;
#endif
}

/// The next APUS_LANES signed bytes, as floats.
APUS_INLINE apus_f32 apus_load_s8_f32(const void *address) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)address)));
#elif defined(__AVX2__)
  return (apus_f32)_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)address)));
#else
  apus_f32 x;
  for (int i = 0; i < APUS_LANES; i++) x[i] = (float)((const int8_t *)address)[i];
  return x;
#endif
}

/// 2 × APUS_LANES numbers rounded to bfloat16, to the nearest, halves to even; NaN stays. Those of `first` come
/// first. The processor's own conversion gives 0 for subnormal numbers.
APUS_INLINE apus_i32 apus_round_bf16(apus_f32 first, apus_f32 second) {
#if defined(__AVX512BF16__)
  return (apus_i32)_mm512_cvtne2ps_pbh((__m512)second, (__m512)first);
#elif defined(__ARM_NEON)
  return (apus_i32)vcombine_u16(neon_round_bf16(first), neon_round_bf16(second));
#else
  uint16_t narrow[2 * APUS_LANES];
  for (int i = 0; i < 2 * APUS_LANES; i++) {
    float value = i < APUS_LANES ? first[i] : second[i - APUS_LANES];
    uint32_t x;
    memcpy(&x, &value, 4);
    uint32_t rounded = (x + 0x7fff + (x >> 16 & 1)) >> 16;
    narrow[i] = (uint16_t)(value == value ? rounded : (x >> 16 | 0x40));
  }
  apus_i32 result;
  memcpy(&result, narrow, sizeof result);
  return result;
#endif
}

/// The lesser of two numbers; the second when one is NaN.
APUS_INLINE apus_f32 apus_lesser_f32(apus_f32 a, apus_f32 b) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_min_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
  return (apus_f32)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
  return (apus_f32)_mm_min_ps((__m128)a, (__m128)b);
#else
  return a < b ? a : b;
#endif
}

/// The greater of two numbers; the second when one is NaN.
APUS_INLINE apus_f32 apus_greater_f32(apus_f32 a, apus_f32 b) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
  return (apus_f32)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
  return (apus_f32)_mm_max_ps((__m128)a, (__m128)b);
#else
  return a > b ? a : b;
#endif
}

/// Asks for a cache line that will be read soon, into the second-level cache.
APUS_INLINE void apus_prefetch(const void *address) { __builtin_prefetch(address, 0, 2); }

/// The same into the first-level cache.
APUS_INLINE void apus_prefetch_near(const void *address) { __builtin_prefetch(address, 0, 3); }

/// Stores the transpose of APUS_LANES aligned vectors that lie side by side: vector j of the result, the elements j of
/// all `vectors`, goes to `target` + j × `stride`.
APUS_INLINE void apus_store_transposed(const void *vectors, void *target, ptrdiff_t stride) {
  const apus_i32 *rows = (const apus_i32 *)vectors;
  char *out = (char *)target;
#if defined(__AVX512F__)
  __m512i a[16], b[16];
  for (int i = 0; i < 16; i++) a[i] = (__m512i)rows[i];
  for (int i = 0; i < 16; i += 2) {
    b[i] = _mm512_unpacklo_epi32(a[i], a[i + 1]);
    b[i + 1] = _mm512_unpackhi_epi32(a[i], a[i + 1]);
  }
  for (int i = 0; i < 16; i += 4) {
    a[i] = _mm512_unpacklo_epi64(b[i], b[i + 2]);
    a[i + 1] = _mm512_unpackhi_epi64(b[i], b[i + 2]);
    a[i + 2] = _mm512_unpacklo_epi64(b[i + 1], b[i + 3]);
    a[i + 3] = _mm512_unpackhi_epi64(b[i + 1], b[i + 3]);
  }
  // a[4r + c]: of rows 4r…4r + 3 the elements c, c + 4, c + 8, c + 12.
  for (int c = 0; c < 4; c++) {
    __m512i low0 = _mm512_shuffle_i32x4(a[c], a[4 + c], 0x88);
    __m512i low1 = _mm512_shuffle_i32x4(a[8 + c], a[12 + c], 0x88);
    __m512i high0 = _mm512_shuffle_i32x4(a[c], a[4 + c], 0xdd);
    __m512i high1 = _mm512_shuffle_i32x4(a[8 + c], a[12 + c], 0xdd);
    _mm512_storeu_si512(out + c * stride, _mm512_shuffle_i32x4(low0, low1, 0x88));
    _mm512_storeu_si512(out + (c + 4) * stride, _mm512_shuffle_i32x4(high0, high1, 0x88));
    _mm512_storeu_si512(out + (c + 8) * stride, _mm512_shuffle_i32x4(low0, low1, 0xdd));
    _mm512_storeu_si512(out + (c + 12) * stride, _mm512_shuffle_i32x4(high0, high1, 0xdd));
  }
#elif defined(__AVX2__)
  __m256i a[8], b[8];
  for (int i = 0; i < 8; i++) a[i] = (__m256i)rows[i];
  for (int i = 0; i < 8; i += 2) {
    b[i] = _mm256_unpacklo_epi32(a[i], a[i + 1]);
    b[i + 1] = _mm256_unpackhi_epi32(a[i], a[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    a[i] = _mm256_unpacklo_epi64(b[i], b[i + 2]);
    a[i + 1] = _mm256_unpackhi_epi64(b[i], b[i + 2]);
    a[i + 2] = _mm256_unpacklo_epi64(b[i + 1], b[i + 3]);
    a[i + 3] = _mm256_unpackhi_epi64(b[i + 1], b[i + 3]);
  }
  for (int c = 0; c < 4; c++) {
    _mm256_storeu_si256((__m256i *)(out + c * stride), _mm256_permute2x128_si256(a[c], a[4 + c], 0x20));
    _mm256_storeu_si256((__m256i *)(out + (c + 4) * stride), _mm256_permute2x128_si256(a[c], a[4 + c], 0x31));
  }
#else
  for (int j = 0; j < APUS_LANES; j++) {
    apus_i32 x;
    for (int i = 0; i < APUS_LANES; i++) x[i] = rows[i][j];
    memcpy(out + j * stride, &x, sizeof x);
  }
#endif
}
