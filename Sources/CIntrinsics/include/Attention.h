#pragma once
// What attention needs besides the other kernels: its arguments, and moves between rows and columns.
// Included by CIntrinsics.h, whose vectors it uses.

/// softmax(Q·Kᵀ·scale)·V of one head: some queries of a segment and all of its keys.
struct ApusAttention {
  /// First element of the head in the first query; rows are `queryStride` bytes apart.
  const void *_Nonnull queries;
  ptrdiff_t queryStride;
  const void *_Nonnull keys;
  ptrdiff_t keyStride;
  const void *_Nonnull values;
  ptrdiff_t valueStride;
  void *_Nonnull result;
  ptrdiff_t resultStride;
  /// At least one of each.
  ptrdiff_t queryCount, keyCount, headWidth;
  /// Where the first query stands in its segment; when `isCausal`, query i sees keys 0…firstQuery + i.
  ptrdiff_t firstQuery;
  int32_t isCausal;
  float scale;
  /// Working memory, 64-byte aligned, of as many bytes as `attentionScratchByteCount` says.
  void *_Nonnull scratch;
};

/// The greater of both lanes; b where either is NaN.
APUS_INLINE apus_f32 apus_max_f32(apus_f32 a, apus_f32 b) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_max_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
  return (apus_f32)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
  return (apus_f32)_mm_max_ps((__m128)a, (__m128)b);
#else
  for (int i = 0; i < APUS_LANES; i++) a[i] = a[i] > b[i] ? a[i] : b[i];
  return a;
#endif
}

/// Four floats each of a, b, c and d, as far as they fit.
APUS_INLINE apus_f32 apus_load_quads(const void *a, const void *b, const void *c, const void *d) {
  apus_f32 x;
#if defined(__AVX512F__)
  __m512 quads = _mm512_castps128_ps512(_mm_loadu_ps(a));
  quads = _mm512_insertf32x4(quads, _mm_loadu_ps(b), 1);
  quads = _mm512_insertf32x4(quads, _mm_loadu_ps(c), 2);
  x = (apus_f32)_mm512_insertf32x4(quads, _mm_loadu_ps(d), 3);
#elif defined(__AVX2__)
  x = (apus_f32)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
#else
  memcpy(&x, a, 16);
#endif
  return x;
}

/// Of every four lanes: a0 b0 a1 b1.
APUS_INLINE apus_f32 apus_zip_low(apus_f32 a, apus_f32 b) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_unpacklo_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
  return (apus_f32)_mm256_unpacklo_ps((__m256)a, (__m256)b);
#else
  return (apus_f32){a[0], b[0], a[1], b[1]};
#endif
}

/// Of every four lanes: a2 b2 a3 b3.
APUS_INLINE apus_f32 apus_zip_high(apus_f32 a, apus_f32 b) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_unpackhi_ps((__m512)a, (__m512)b);
#elif defined(__AVX2__)
  return (apus_f32)_mm256_unpackhi_ps((__m256)a, (__m256)b);
#else
  return (apus_f32){a[2], b[2], a[3], b[3]};
#endif
}

/// Of every four lanes: a0 a1 b0 b1.
APUS_INLINE apus_f32 apus_join_low(apus_f32 a, apus_f32 b) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_shuffle_ps((__m512)a, (__m512)b, 0x44);
#elif defined(__AVX2__)
  return (apus_f32)_mm256_shuffle_ps((__m256)a, (__m256)b, 0x44);
#else
  return (apus_f32){a[0], a[1], b[0], b[1]};
#endif
}

/// Of every four lanes: a2 a3 b2 b3.
APUS_INLINE apus_f32 apus_join_high(apus_f32 a, apus_f32 b) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_shuffle_ps((__m512)a, (__m512)b, 0xee);
#elif defined(__AVX2__)
  return (apus_f32)_mm256_shuffle_ps((__m256)a, (__m256)b, 0xee);
#else
  return (apus_f32){a[2], a[3], b[2], b[3]};
#endif
}

/// Each lane rounded to bfloat16, to the nearest, ties to even, in the low half; NaN stays NaN.
APUS_INLINE apus_i32 apus_round_bf16(apus_f32 x) {
  typedef uint32_t bits __attribute__((ext_vector_type(APUS_LANES)));
  bits b = (bits)x;
  bits rounded = (b + 0x7fffu + (b >> 16 & 1u)) >> 16;
  bits isNaN = (bits)(x != x);
  return (apus_i32)((rounded & ~isNaN) | (isNaN & 0x7fc0u));
}

/// The lanes of `low` and `high`, rounded to bfloat16, side by side: low0 high0 low1 high1 …
APUS_INLINE apus_i32 apus_bf16_pairs(apus_f32 low, apus_f32 high) {
#if defined(__AVX512BF16__) && defined(__AVX512F__)
  const __m512i order = _mm512_set_epi16(
      31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2,
      17, 1, 16, 0);
  __m512i both = (__m512i)_mm512_cvtne2ps_pbh((__m512)high, (__m512)low);
  return (apus_i32)_mm512_permutexvar_epi16(order, both);
#else
  return apus_round_bf16(low) | apus_round_bf16(high) << 16;
#endif
}

/// The lanes of `first`, then those of `second`, rounded to bfloat16: twice as many in their order.
APUS_INLINE apus_i32 apus_bf16_sequence(apus_f32 first, apus_f32 second) {
#if defined(__AVX512BF16__) && defined(__AVX512F__)
  return (apus_i32)_mm512_cvtne2ps_pbh((__m512)second, (__m512)first);
#else
  apus_i32 a = apus_round_bf16(first), b = apus_round_bf16(second), result;
  for (int i = 0; i < APUS_LANES / 2; i++) {
    result[i] = a[2 * i] | a[2 * i + 1] << 16;
    result[APUS_LANES / 2 + i] = b[2 * i] | b[2 * i + 1] << 16;
  }
  return result;
#endif
}
