#pragma once
// What arm64 needs more than a line for. Included by CIntrinsics.h, whose vectors it uses and which says what the
// functions have in common.
#if defined(__ARM_NEON)

/// Whether unsigned bytes are multiplied with signed ones, and two rows of bytes with two columns at once.
#if defined(__ARM_FEATURE_MATMUL_INT8)
#define APUS_HAS_BYTE_BLOCKS 1
#else
#define APUS_HAS_BYTE_BLOCKS 0
#endif

/// sum + the four products of signed bytes in each lane; wraps.
APUS_INLINE apus_i32 neon_dot_s8s8(apus_i32 sum, apus_i32 a, apus_i32 b) {
#if defined(__ARM_FEATURE_DOTPROD)
  return (apus_i32)vdotq_s32((int32x4_t)sum, (int8x16_t)a, (int8x16_t)b);
#else
  int32x4_t low = vpaddlq_s16(vmull_s8(vget_low_s8((int8x16_t)a), vget_low_s8((int8x16_t)b)));
  int32x4_t high = vpaddlq_s16(vmull_high_s8((int8x16_t)a, (int8x16_t)b));
  return (apus_i32)vaddq_s32((int32x4_t)sum, vpaddq_s32(low, high));
#endif
}

/// sum + 128 times the sum of the signed bytes in each lane: what products with bytes lack that count 128 less than they
/// should; wraps.
APUS_INLINE apus_i32 neon_add_lack(apus_i32 sum, apus_i32 b) {
  return (apus_i32)vmlaq_n_s32((int32x4_t)sum, vpaddlq_s16(vpaddlq_s8((int8x16_t)b)), 128);
}

/// sum + the four products of unsigned bytes of a with signed bytes of b in each lane; wraps.
APUS_INLINE apus_i32 neon_dot_u8s8(apus_i32 sum, apus_i32 a, apus_i32 b) {
#if APUS_HAS_BYTE_BLOCKS
  return (apus_i32)vusdotq_s32((int32x4_t)sum, (uint8x16_t)a, (int8x16_t)b);
#else
  return neon_add_lack(neon_dot_s8s8(sum, a ^ (apus_i32)(int32_t)0x80808080, b), b);
#endif
}

/// The top bit of each byte flipped.
APUS_INLINE apus_i32 neon_flip_signs(apus_i32 x) {
  x ^= (apus_i32)(int32_t)0x80808080;
  // Else the compiler flips each lane after it was spread, and products by a lane are no more.
  __asm__("" : "+w"(x));
  return x;
}

// MARK: blocks of two rows and two columns

/// The lower halves of two vectors, and the upper ones.
APUS_INLINE apus_i32 neon_lower(apus_i32 a, apus_i32 b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5); }
APUS_INLINE apus_i32 neon_upper(apus_i32 a, apus_i32 b) { return __builtin_shufflevector(a, b, 2, 3, 6, 7); }

/// The lanes of the lower halves of two vectors side by side, and those of the upper ones.
APUS_INLINE apus_i32 neon_zip_lower(apus_i32 a, apus_i32 b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
APUS_INLINE apus_i32 neon_zip_upper(apus_i32 a, apus_i32 b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }

/// Lane `index` in all lanes.
APUS_INLINE apus_i32 neon_spread(apus_i32 x, int32_t index) { return (apus_i32)x[index]; }

#if APUS_HAS_BYTE_BLOCKS
/// sum + the products of two rows of eight bytes with two columns: row 0 with column 0, with column 1, row 1 …
APUS_INLINE apus_i32 neon_block_s8s8(apus_i32 sum, apus_i32 rows, apus_i32 columns) {
  return (apus_i32)vmmlaq_s32((int32x4_t)sum, (int8x16_t)rows, (int8x16_t)columns);
}

/// The same, the bytes of the rows being unsigned.
APUS_INLINE apus_i32 neon_block_u8s8(apus_i32 sum, apus_i32 rows, apus_i32 columns) {
  return (apus_i32)vusmmlaq_s32((int32x4_t)sum, (uint8x16_t)rows, (int8x16_t)columns);
}
#endif

#if APUS_HAS_BF16_PRODUCTS
/// The same of rows and columns of four bfloat16 numbers.
APUS_INLINE apus_f32 neon_block_bf16(apus_f32 sum, apus_i32 rows, apus_i32 columns) {
  return (apus_f32)vbfmmlaq_f32((float32x4_t)sum, (bfloat16x8_t)rows, (bfloat16x8_t)columns);
}
#endif

// MARK: conversions

/// The next four bytes, and zeros.
APUS_INLINE uint8x8_t neon_load_bytes(const void *bytes) {
  uint32_t word;
  memcpy(&word, bytes, 4);
  return (uint8x8_t)vset_lane_u32(word, vdup_n_u32(0), 0);
}

/// Four bytes of each, side by side.
APUS_INLINE apus_i32 neon_interleave(uint8x8_t a, uint8x8_t b, uint8x8_t c, uint8x8_t d) {
  uint16x4x2_t both = vzip_u16((uint16x4_t)vzip1_u8(a, b), (uint16x4_t)vzip1_u8(c, d));
  return (apus_i32)vcombine_u16(both.val[0], both.val[1]);
}

/// The first four bytes, widened.
APUS_INLINE apus_i32 neon_widen(uint8x8_t bytes) {
  return (apus_i32)vmovl_u16(vget_low_u16(vmovl_u8(bytes)));
}

/// Stores the first four bytes.
APUS_INLINE void neon_store_bytes(void *target, uint8x8_t bytes) {
  uint32_t word = vget_lane_u32((uint32x2_t)bytes, 0);
  memcpy(target, &word, 4);
}

/// What x became as an integer; the least there is where it is too large or not a number.
APUS_INLINE apus_i32 neon_converted(apus_i32 integer, apus_f32 x) {
  return x < 0x1p31f ? integer : INT32_MIN;
}

/// Rounded to bfloat16, to the nearest, halves to even; NaN stays.
APUS_INLINE uint16x4_t neon_round_bf16(apus_f32 x) {
  uint32x4_t bits = (uint32x4_t)x;
  uint32x4_t odd = vandq_u32(vshrq_n_u32(bits, 16), vdupq_n_u32(1));
  uint32x4_t rounded = vaddq_u32(vaddq_u32(bits, vdupq_n_u32(0x7fff)), odd);
  uint32x4_t quiet = vorrq_u32(bits, vdupq_n_u32(0x400000));
  uint32x4_t isNumber = vceqq_f32((float32x4_t)x, (float32x4_t)x);
  return vshrn_n_u32(vbslq_u32(isNumber, rounded, quiet), 16);
}

#endif
