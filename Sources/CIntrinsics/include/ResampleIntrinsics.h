#pragma once
// What resampling of pictures needs besides the other kernels. Included by CIntrinsics.h, whose vectors it uses.

/// sum + the two products of signed 16-bit numbers in each lane; wraps.
APUS_INLINE apus_i32 apus_dot_s16(apus_i32 sum, apus_i32 a, apus_i32 b) {
#if defined(__AVX512VNNI__) && defined(__AVX512F__)
  return (apus_i32)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#elif defined(__AVXVNNI__)
  return (apus_i32)_mm256_dpwssd_avx_epi32((__m256i)sum, (__m256i)a, (__m256i)b);
#elif defined(__AVX512BW__)
  return (apus_i32)_mm512_add_epi32((__m512i)sum, _mm512_madd_epi16((__m512i)a, (__m512i)b));
#elif defined(__AVX2__)
  return (apus_i32)_mm256_add_epi32((__m256i)sum, _mm256_madd_epi16((__m256i)a, (__m256i)b));
#elif defined(__SSE2__)
  return (apus_i32)_mm_add_epi32((__m128i)sum, _mm_madd_epi16((__m128i)a, (__m128i)b));
#else
  typedef uint32_t bits __attribute__((ext_vector_type(APUS_LANES)));
  bits low = (bits)((a << 16 >> 16) * (b << 16 >> 16)), high = (bits)((a >> 16) * (b >> 16));
  return (apus_i32)((bits)sum + low + high);
#endif
}

/// Half as many pixels of three bytes as there are lanes; of each two, as 16-bit numbers: r0 r1 g0 g1 b0 b1 0 0.
APUS_INLINE apus_i32 apus_load_rgb_pairs(const void *pixels) {
#if defined(__AVX512BW__)
  __m512i bytes = _mm512_maskz_loadu_epi32(0x3f, pixels);
#if defined(__AVX512VBMI__)
  const char z = 127;
  const __m512i order = _mm512_set_epi8(
      z, z, z, z, z, 23, z, 20, z, 22, z, 19, z, 21, z, 18, z, z, z, z, z, 17, z, 14, z, 16, z, 13, z, 15, z, 12,
      z, z, z, z, z, 11, z, 8, z, 10, z, 7, z, 9, z, 6, z, z, z, z, z, 5, z, 2, z, 4, z, 1, z, 3, z, 0);
  // Byte 63 was not loaded and is 0.
  return (apus_i32)_mm512_permutexvar_epi8(order, bytes);
#else
  const __m512i quarters = _mm512_setr_epi32(0, 1, 15, 15, 1, 2, 15, 15, 3, 4, 15, 15, 4, 5, 15, 15);
  const __m128i from0 = _mm_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1);
  const __m128i from2 = _mm_setr_epi8(2, -1, 5, -1, 3, -1, 6, -1, 4, -1, 7, -1, -1, -1, -1, -1);
  const __m256i two = _mm256_set_m128i(from2, from0);
  const __m512i order = _mm512_inserti64x4(_mm512_castsi256_si512(two), two, 1);
  return (apus_i32)_mm512_shuffle_epi8(_mm512_permutexvar_epi32(quarters, bytes), order);
#endif
#elif defined(__AVX2__)
  __m128i low = _mm_loadl_epi64((const __m128i *)pixels);
  __m128i high = _mm_loadl_epi64((const __m128i *)((const uint8_t *)pixels + 4));
  const __m256i order = _mm256_setr_epi8(
      0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1, 2, -1, 5, -1, 3, -1, 6, -1, 4, -1, 7, -1, -1, -1,
      -1, -1);
  return (apus_i32)_mm256_shuffle_epi8(_mm256_set_m128i(high, low), order);
#else
  const uint8_t *bytes = pixels;
  apus_i32 x = 0;
  for (int i = 0; i < APUS_LANES; i++) {
    int first = i / 4 * 6 + i % 4;
    if (i % 4 < 3) x[i] = bytes[first] | bytes[first + 3] << 16;
  }
  return x;
#endif
}

/// Twice as many bytes as there are lanes, as 16-bit numbers.
APUS_INLINE apus_i32 apus_load_bytes_as_s16(const void *bytes) {
#if defined(__AVX512BW__)
  return (apus_i32)_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)bytes));
#elif defined(__AVX2__)
  return (apus_i32)_mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)bytes));
#elif defined(__SSE2__)
  return (apus_i32)_mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)bytes), _mm_setzero_si128());
#else
  const uint8_t *from = bytes;
  apus_i32 x;
  for (int i = 0; i < APUS_LANES; i++) x[i] = from[2 * i] | from[2 * i + 1] << 16;
  return x;
#endif
}

/// As many bytes as there are lanes of two rows, as 16-bit numbers: a0 b0 a1 b1 …
APUS_INLINE apus_i32 apus_load_byte_pairs(const void *a, const void *b) {
#if defined(__AVX512F__)
  __m512i low = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)a));
  __m512i high = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)b));
  return (apus_i32)_mm512_or_si512(low, _mm512_slli_epi32(high, 16));
#elif defined(__AVX2__)
  __m128i pairs = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)a), _mm_loadl_epi64((const __m128i *)b));
  return (apus_i32)_mm256_cvtepu8_epi16(pairs);
#else
  const uint8_t *low = a, *high = b;
  apus_i32 x;
  for (int i = 0; i < APUS_LANES; i++) x[i] = low[i] | high[i] << 16;
  return x;
#endif
}

/// The lightness of as many pixels of three bytes as there are lanes: (19595 r + 38470 g + 7471 b + 2¹⁵) / 2¹⁶.
APUS_INLINE apus_i32 apus_load_lightness(const void *pixels) {
#if defined(__AVX2__)
  // 38470 is beyond 16 signed bits: green is multiplied by its half twice.
#if defined(__AVX512BW__)
  const __m512i quarters = _mm512_setr_epi32(0, 1, 2, 15, 3, 4, 5, 15, 6, 7, 8, 15, 9, 10, 11, 15);
  __m512i bytes = _mm512_permutexvar_epi32(quarters, _mm512_maskz_loadu_epi32(0xfff, pixels));
  const __m512i outer = _mm512_broadcast_i32x4(
      _mm_setr_epi8(0, -1, 2, -1, 3, -1, 5, -1, 6, -1, 8, -1, 9, -1, 11, -1));
  const __m512i green = _mm512_broadcast_i32x4(
      _mm_setr_epi8(1, -1, 1, -1, 4, -1, 4, -1, 7, -1, 7, -1, 10, -1, 10, -1));
  apus_i32 rb = (apus_i32)_mm512_shuffle_epi8(bytes, outer), gg = (apus_i32)_mm512_shuffle_epi8(bytes, green);
#else
  // The last four bytes of the second half belong to no pixel before the first.
  __m128i low = _mm_loadu_si128((const __m128i *)pixels);
  __m128i high = _mm_loadu_si128((const __m128i *)((const uint8_t *)pixels + 8));
  __m256i bytes = _mm256_set_m128i(high, low);
  const __m256i outer = _mm256_setr_epi8(
      0, -1, 2, -1, 3, -1, 5, -1, 6, -1, 8, -1, 9, -1, 11, -1, 4, -1, 6, -1, 7, -1, 9, -1, 10, -1, 12, -1, 13, -1,
      15, -1);
  const __m256i green = _mm256_setr_epi8(
      1, -1, 1, -1, 4, -1, 4, -1, 7, -1, 7, -1, 10, -1, 10, -1, 5, -1, 5, -1, 8, -1, 8, -1, 11, -1, 11, -1, 14, -1,
      14, -1);
  apus_i32 rb = (apus_i32)_mm256_shuffle_epi8(bytes, outer), gg = (apus_i32)_mm256_shuffle_epi8(bytes, green);
#endif
  apus_i32 sum = apus_dot_s16((apus_i32)0x8000, rb, (apus_i32)(7471 << 16 | 19595));
  return apus_dot_s16(sum, gg, (apus_i32)(19235 << 16 | 19235)) >> 16;
#else
  const uint8_t *bytes = pixels;
  apus_i32 x;
  for (int i = 0; i < APUS_LANES; i++) {
    x[i] = (19595 * bytes[3 * i] + 38470 * bytes[3 * i + 1] + 7471 * bytes[3 * i + 2] + 0x8000) >> 16;
  }
  return x;
#endif
}

/// Stores the first three sums as bytes, shifted to the right and limited to 0…255.
APUS_INLINE void apus_store_rgb(void *target, apus_u32x4 sums, int32_t shift) {
#if defined(__SSE2__)
  __m128i x = _mm_sra_epi32((__m128i)sums, _mm_cvtsi32_si128(shift));
  // Both steps limit what is beyond.
  x = _mm_packs_epi32(x, x);
  int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(x, x));
  memcpy(target, &bytes, 3);
#else
  for (int i = 0; i < 3; i++) {
    int32_t x = (int32_t)sums[i] >> shift;
    ((uint8_t *)target)[i] = (uint8_t)(x < 0 ? 0 : x > 255 ? 255 : x);
  }
#endif
}

/// Stores all sums as bytes, shifted to the right and limited to 0…255.
APUS_INLINE void apus_store_bytes(void *target, apus_i32 sums, int32_t shift) {
  apus_i32 x = sums >> shift;
  x &= x > 0;
  apus_i32 isBeyond = x > 255;
  apus_store_low_bytes(target, (isBeyond & 255) | (~isBeyond & x));
}
