#pragma once
// What attention needs besides the other kernels. Included by CIntrinsics.h, whose vectors it uses.

/// The lanes of `low` and `high`, rounded to bfloat16, side by side: low0 high0 low1 high1 …
APUS_INLINE apus_i32 apus_bf16_pairs(apus_f32 low, apus_f32 high) {
#if defined(__AVX512BF16__)
  const __m512i order = _mm512_set_epi16(
      31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2,
      17, 1, 16, 0);
  return (apus_i32)_mm512_permutexvar_epi16(order, (__m512i)apus_round_bf16(low, high));
#elif defined(__ARM_NEON)
  uint16x4x2_t pairs = vzip_u16(neon_round_bf16(low), neon_round_bf16(high));
  return (apus_i32)vcombine_u16(pairs.val[0], pairs.val[1]);
#else
  uint16_t rounded[2 * APUS_LANES], pairs[2 * APUS_LANES];
  apus_i32 result = apus_round_bf16(low, high);
  memcpy(rounded, &result, sizeof rounded);
  for (int i = 0; i < APUS_LANES; i++) {
    pairs[2 * i] = rounded[i];
    pairs[2 * i + 1] = rounded[APUS_LANES + i];
  }
  memcpy(&result, pairs, sizeof result);
  return result;
#endif
}

/// start, start + 1, start + 2 …
APUS_INLINE apus_i32 apus_count_from(int32_t start) {
  apus_i32 x;
  for (int i = 0; i < APUS_LANES; i++) x[i] = start + i;
  return x;
}

/// Minus infinity where `last` is less than `key`, elsewhere the score.
APUS_INLINE apus_f32 apus_hide_beyond(apus_f32 score, apus_i32 last, int32_t key) {
  apus_i32 isHidden = last < (apus_i32)key, hidden = (apus_i32)0xff800000u;
  return (apus_f32)((isHidden & hidden) | (~isHidden & (apus_i32)score));
}

#if defined(__AVX512DQ__)
/// x − ⌊x⌋; 0 for infinities.
APUS_INLINE apus_f32 apus_fraction_f32(apus_f32 x) {
  return (apus_f32)_mm512_reduce_ps((__m512)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

/// x × 2^⌊n⌋, rounded once, for any n; 0 for n = −∞.
APUS_INLINE apus_f32 apus_scale_floor_f32(apus_f32 x, apus_f32 n) {
  return (apus_f32)_mm512_scalef_ps((__m512)x, (__m512)n);
}
#endif
