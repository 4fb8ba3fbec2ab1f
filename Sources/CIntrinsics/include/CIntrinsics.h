#pragma once
// Vector instructions that Swift's SIMD types do not reach. Every function is inlined into the caller and
// takes the caller's instruction set; the portable branch says what the others must equal.
#include "KernelArguments.h"
#include "KernelRows.h"
#include "KernelTables.h"
#include <stdint.h>
#include <string.h>
#if defined(__linux__)
#include <sys/auxv.h>
#endif
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#define APUS_INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__)
#define APUS_LANES 16
#elif defined(__AVX2__)
#define APUS_LANES 8
#else
#define APUS_LANES 4
#endif

/// Whether products of bfloat16 are instructions.
#if defined(__AVX512BF16__) || defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
#define APUS_HAS_BF16_PRODUCTS 1
#else
#define APUS_HAS_BF16_PRODUCTS 0
#endif

typedef float apus_f32 __attribute__((ext_vector_type(APUS_LANES)));
typedef int32_t apus_i32 __attribute__((ext_vector_type(APUS_LANES)));
typedef int64_t apus_i64 __attribute__((ext_vector_type(APUS_LANES / 2)));

#include "NEON.h"

/// Tells the processor that this thread spins.
APUS_INLINE int apus_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
  return 0;
}

// MARK: processor

#if defined(__x86_64__)
struct ApusCPUID {
  uint32_t eax, ebx, ecx, edx;
};

APUS_INLINE struct ApusCPUID apus_cpuid(uint32_t leaf, uint32_t subleaf) {
  struct ApusCPUID r;
  __asm__ volatile("cpuid" : "=a"(r.eax), "=b"(r.ebx), "=c"(r.ecx), "=d"(r.edx) : "a"(leaf), "c"(subleaf));
  return r;
}

/// The register states that the operating system saves.
APUS_INLINE uint64_t apus_xgetbv(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}
#endif

#if defined(__linux__)
/// What Linux says of the processor: on arm64 its instructions.
APUS_INLINE uint64_t apus_capabilities(void) { return getauxval(AT_HWCAP); }
APUS_INLINE uint64_t apus_capabilities2(void) { return getauxval(AT_HWCAP2); }
#endif

// MARK: float

/// sum + a × b, rounded once where the processor can.
APUS_INLINE apus_f32 apus_fma(apus_f32 sum, apus_f32 a, apus_f32 b) { return a * b + sum; }

/// x limited to low…high; NaN stays.
APUS_INLINE apus_f32 apus_clamp_f32(apus_f32 x, apus_f32 low, apus_f32 high) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_min_ps((__m512)high, _mm512_max_ps((__m512)low, (__m512)x));
#elif defined(__AVX2__)
  return (apus_f32)_mm256_min_ps((__m256)high, _mm256_max_ps((__m256)low, (__m256)x));
#elif defined(__SSE2__)
  return (apus_f32)_mm_min_ps((__m128)high, _mm_max_ps((__m128)low, (__m128)x));
#else
  x = low > x ? low : x;
  return high < x ? high : x;
#endif
}

/// `above` where x is the least or more, else `below`.
APUS_INLINE apus_f32 apus_select_from(apus_f32 least, apus_f32 x, apus_f32 above, apus_f32 below) {
  apus_i32 isAbove = x >= least;
  return (apus_f32)((isAbove & (apus_i32)above) | (~isAbove & (apus_i32)below));
}

/// `negative` where x is below zero, else `other`.
APUS_INLINE apus_f32 apus_select_negative(apus_i32 x, apus_f32 negative, apus_f32 other) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_mask_blend_ps(
      _mm512_movepi32_mask((__m512i)x), (__m512)other, (__m512)negative);
#elif defined(__AVX2__)
  return (apus_f32)_mm256_blendv_ps((__m256)other, (__m256)negative, (__m256)x);
#else
  apus_i32 isNegative = x >> 31;
  return (apus_f32)((isNegative & (apus_i32)negative) | (~isNegative & (apus_i32)other));
#endif
}

/// Whether any bit is set.
APUS_INLINE int apus_any(apus_i32 x) {
#if defined(__AVX512F__)
  return _mm512_test_epi32_mask((__m512i)x, (__m512i)x) != 0;
#elif defined(__AVX2__)
  return !_mm256_testz_si256((__m256i)x, (__m256i)x);
#else
  return __builtin_reduce_or(x) != 0;
#endif
}

APUS_INLINE apus_f32 apus_to_f32(apus_i32 x) { return __builtin_convertvector(x, apus_f32); }

#if defined(__AVX2__) && !defined(__AVX512F__)
/// All bits of the first `count` lanes.
APUS_INLINE __m256i apus_first_lanes(ptrdiff_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32((int32_t)count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
#endif

/// Stores the first `count` lanes, 0 < count ≤ APUS_LANES.
APUS_INLINE void apus_store_part_f32(void *address, apus_f32 x, ptrdiff_t count) {
#if defined(__AVX512F__)
  _mm512_mask_storeu_ps(address, (__mmask16)((1u << count) - 1), (__m512)x);
#elif defined(__AVX2__)
  _mm256_maskstore_ps(address, apus_first_lanes(count), (__m256)x);
#else
  memcpy(address, &x, (size_t)count * 4);
#endif
}

/// The first `count` lanes, the others 0; 0 < count ≤ APUS_LANES.
APUS_INLINE apus_f32 apus_load_part_f32(const void *address, ptrdiff_t count) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), address);
#elif defined(__AVX2__)
  return (apus_f32)_mm256_maskload_ps(address, apus_first_lanes(count));
#else
  apus_f32 x = 0;
  memcpy(&x, address, (size_t)count * 4);
  return x;
#endif
}

/// x × 2ⁿ, rounded once, for n whole, −252 ≤ n ≤ 254, and |x| from ½ to 2, or NaN.
APUS_INLINE apus_f32 apus_scale_f32(apus_f32 x, apus_f32 n) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_scalef_ps((__m512)x, (__m512)n);
#else
  typedef uint32_t bits __attribute__((ext_vector_type(APUS_LANES)));
  // The sum's low bits are n; a conversion would be undefined for NaN.
  const apus_f32 magic = 0x1.8p23f;
  apus_i32 whole = (apus_i32)((bits)(n + magic) - (bits)magic);
  apus_i32 half = whole >> 1;
  bits rest = (bits)whole - (bits)half;
  // 2ⁿ itself may be beyond the numbers where the product is not.
  return x * (apus_f32)(((bits)half + 127) << 23) * (apus_f32)((rest + 127) << 23);
#endif
}

/// The smaller of each lane; x where it is NaN.
APUS_INLINE apus_f32 apus_min_f32(apus_f32 x, apus_f32 limit) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_min_ps((__m512)limit, (__m512)x);
#elif defined(__AVX2__)
  return (apus_f32)_mm256_min_ps((__m256)limit, (__m256)x);
#elif defined(__SSE2__)
  return (apus_f32)_mm_min_ps((__m128)limit, (__m128)x);
#else
  return limit < x ? limit : x;
#endif
}

/// The larger of each lane; x where it is NaN.
APUS_INLINE apus_f32 apus_max_f32(apus_f32 x, apus_f32 limit) {
#if defined(__AVX512F__)
  return (apus_f32)_mm512_max_ps((__m512)limit, (__m512)x);
#elif defined(__AVX2__)
  return (apus_f32)_mm256_max_ps((__m256)limit, (__m256)x);
#elif defined(__SSE2__)
  return (apus_f32)_mm_max_ps((__m128)limit, (__m128)x);
#else
  return limit > x ? limit : x;
#endif
}

/// |x|
APUS_INLINE apus_f32 apus_abs_f32(apus_f32 x) { return (apus_f32)((apus_i32)x & 0x7fffffff); }

/// |magnitude| with the sign of `sign`.
APUS_INLINE apus_f32 apus_copysign_f32(apus_f32 magnitude, apus_f32 sign) {
  return (apus_f32)(((apus_i32)magnitude & 0x7fffffff) | ((apus_i32)sign & INT32_MIN));
}

/// The first `count` lanes of x, the others `fill`.
APUS_INLINE apus_f32 apus_first_lanes_f32(apus_f32 x, apus_f32 fill, ptrdiff_t count) {
  apus_i32 lane;
  for (int i = 0; i < APUS_LANES; i++) lane[i] = i;
  apus_i32 mask = lane < (apus_i32)(int32_t)count;
  return (apus_f32)(((apus_i32)x & mask) | ((apus_i32)fill & ~mask));
}

/// The sum of all lanes: halves are added to each other.
APUS_INLINE float apus_sum_f32(apus_f32 x) {
#if defined(__AVX512F__)
  return _mm512_reduce_add_ps((__m512)x);
#else
  for (int half = APUS_LANES / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++) x[i] += x[i + half];
  return x[0];
#endif
}

/// The greatest lane; any lane may be the result where one is NaN.
APUS_INLINE float apus_greatest_f32(apus_f32 x) {
#if defined(__AVX512F__)
  return _mm512_reduce_max_ps((__m512)x);
#else
  for (int half = APUS_LANES / 2; half > 0; half /= 2)
    for (int i = 0; i < half; i++) x[i] = x[i] > x[i + half] ? x[i] : x[i + half];
  return x[0];
#endif
}

// MARK: integer inner products

/// sum + the four products of unsigned bytes of a with signed bytes of b in each lane; wraps.
APUS_INLINE apus_i32 apus_dot_u8s8(apus_i32 sum, apus_i32 a, apus_i32 b) {
#if defined(__AVX512VNNI__) && defined(__AVX512F__)
  return (apus_i32)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)a, (__m512i)b);
#elif defined(__AVXVNNI__)
  return (apus_i32)_mm256_dpbusd_avx_epi32((__m256i)sum, (__m256i)a, (__m256i)b);
#elif defined(__AVX512BW__)
  __m512i low = _mm512_set1_epi16(0xff);
  __m512i a0 = _mm512_and_si512((__m512i)a, low), a1 = _mm512_srli_epi16((__m512i)a, 8);
  __m512i b0 = _mm512_srai_epi16(_mm512_slli_epi16((__m512i)b, 8), 8), b1 = _mm512_srai_epi16((__m512i)b, 8);
  __m512i products = _mm512_add_epi32(_mm512_madd_epi16(a0, b0), _mm512_madd_epi16(a1, b1));
  return (apus_i32)_mm512_add_epi32((__m512i)sum, products);
#elif defined(__AVX2__)
  // Bytes are widened: pmaddubsw would saturate.
  __m256i low = _mm256_set1_epi16(0xff);
  __m256i a0 = _mm256_and_si256((__m256i)a, low), a1 = _mm256_srli_epi16((__m256i)a, 8);
  __m256i b0 = _mm256_srai_epi16(_mm256_slli_epi16((__m256i)b, 8), 8), b1 = _mm256_srai_epi16((__m256i)b, 8);
  __m256i products = _mm256_add_epi32(_mm256_madd_epi16(a0, b0), _mm256_madd_epi16(a1, b1));
  return (apus_i32)_mm256_add_epi32((__m256i)sum, products);
#elif defined(__SSE2__)
  __m128i low = _mm_set1_epi16(0xff);
  __m128i a0 = _mm_and_si128((__m128i)a, low), a1 = _mm_srli_epi16((__m128i)a, 8);
  __m128i b0 = _mm_srai_epi16(_mm_slli_epi16((__m128i)b, 8), 8), b1 = _mm_srai_epi16((__m128i)b, 8);
  __m128i products = _mm_add_epi32(_mm_madd_epi16(a0, b0), _mm_madd_epi16(a1, b1));
  return (apus_i32)_mm_add_epi32((__m128i)sum, products);
#elif defined(__ARM_NEON)
  return neon_dot_u8s8(sum, a, b);
#else
  for (int i = 0; i < APUS_LANES; i++) {
    uint32_t x = (uint32_t)a[i], y = (uint32_t)b[i], total = (uint32_t)sum[i];
    for (int j = 0; j < 32; j += 8)
      total += (uint32_t)((int32_t)(uint8_t)(x >> j) * (int32_t)(int8_t)(uint8_t)(y >> j));
    sum[i] = (int32_t)total;
  }
  return sum;
#endif
}

// Without products of bytes, those of a magnitude and a signed byte are quickest: no two of 127 × 127 overflow 16 bits.
#if defined(__AVX2__) && !defined(__AVX512VNNI__) && !defined(__AVXVNNI__)
#define APUS_MULTIPLIES_MAGNITUDES 1
#else
#define APUS_MULTIPLIES_MAGNITUDES 0
#endif

/// sum + the four products of signed bytes in each lane, none of which is -128, + `apus_excess_s8s8` of b; wraps.
APUS_INLINE apus_i32 apus_dot_s8s8(apus_i32 sum, apus_i32 a, apus_i32 b) {
#if APUS_MULTIPLIES_MAGNITUDES && defined(__AVX512BW__)
  __mmask64 negative = _mm512_movepi8_mask((__m512i)b);
  __m512i signed_a = _mm512_mask_sub_epi8((__m512i)a, negative, _mm512_setzero_si512(), (__m512i)a);
  __m512i pairs = _mm512_maddubs_epi16(_mm512_abs_epi8((__m512i)b), signed_a);
  return (apus_i32)_mm512_add_epi32((__m512i)sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
#elif APUS_MULTIPLIES_MAGNITUDES
  __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8((__m256i)b), _mm256_sign_epi8((__m256i)a, (__m256i)b));
  return (apus_i32)_mm256_add_epi32((__m256i)sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#elif defined(__ARM_NEON)
  return neon_dot_s8s8(sum, a, b);
#else
  // Made unsigned by flipping its top bit, a counts 128 more than it is.
  return apus_dot_u8s8(sum, a ^ (apus_i32)(int32_t)0x80808080, b);
#endif
}

/// sum + what `apus_dot_s8s8` gives too much for these b.
APUS_INLINE apus_i32 apus_excess_s8s8(apus_i32 sum, apus_i32 b) {
#if APUS_MULTIPLIES_MAGNITUDES || defined(__ARM_NEON)
  return sum;
#else
  return apus_dot_u8s8(sum, (apus_i32)(int32_t)0x80808080, b);
#endif
}

/// sum + the two products of bfloat16 numbers in each lane.
APUS_INLINE apus_f32 apus_dot_bf16(apus_f32 sum, apus_i32 a, apus_i32 b) {
#if defined(__AVX512BF16__) && defined(__AVX512F__)
  return (apus_f32)_mm512_dpbf16_ps((__m512)sum, (__m512bh)a, (__m512bh)b);
#elif defined(__ARM_FEATURE_BF16_VECTOR_ARITHMETIC)
  return (apus_f32)vbfdotq_f32((float32x4_t)sum, (bfloat16x8_t)a, (bfloat16x8_t)b);
#else
  typedef uint32_t bits __attribute__((ext_vector_type(APUS_LANES)));
  bits high = (bits)0xffff0000u;
  apus_f32 a1 = (apus_f32)((bits)a & high), a0 = (apus_f32)((bits)a << 16);
  apus_f32 b1 = (apus_f32)((bits)b & high), b0 = (apus_f32)((bits)b << 16);
  sum = a1 * b1 + sum;
  return a0 * b0 + sum;
#endif
}

// MARK: bytes

/// The next APUS_LANES unsigned bytes, widened.
APUS_INLINE apus_i32 apus_load_u8(const void *bytes) {
#if defined(__AVX512F__)
  return (apus_i32)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)bytes));
#elif defined(__AVX2__)
  return (apus_i32)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)bytes));
#elif defined(__ARM_NEON)
  return neon_widen(neon_load_bytes(bytes));
#else
  apus_i32 result;
  for (int i = 0; i < APUS_LANES; i++) result[i] = ((const uint8_t *)bytes)[i];
  return result;
#endif
}

/// Stores the low byte of each lane.
APUS_INLINE void apus_store_low_bytes(void *bytes, apus_i32 x) {
#if defined(__AVX512F__)
  _mm_storeu_si128((__m128i *)bytes, _mm512_cvtepi32_epi8((__m512i)x));
#elif defined(__AVX2__)
  __m256i order = _mm256_setr_epi8(
      0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 4, 8, 12, -1, -1, -1,
      -1, -1, -1, -1, -1);
  __m256i packed = _mm256_shuffle_epi8((__m256i)x, order);
  __m128i both = _mm_or_si128(_mm256_castsi256_si128(packed), _mm256_extracti128_si256(packed, 1));
  _mm_storel_epi64((__m128i *)bytes, both);
#elif defined(__ARM_NEON)
  uint16x4_t words = vmovn_u32((uint32x4_t)x);
  neon_store_bytes(bytes, vmovn_u16(vcombine_u16(words, words)));
#else
  for (int i = 0; i < APUS_LANES; i++) ((uint8_t *)bytes)[i] = (uint8_t)x[i];
#endif
}

/// Stores the low byte of each of the first `count` lanes, 0 < count ≤ APUS_LANES.
APUS_INLINE void apus_store_low_bytes_part(void *bytes, apus_i32 x, ptrdiff_t count) {
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  __mmask16 mask = (__mmask16)((1u << count) - 1);
  _mm_mask_storeu_epi8(bytes, mask, _mm512_cvtepi32_epi8((__m512i)x));
#else
  for (ptrdiff_t i = 0; i < count; i++) ((uint8_t *)bytes)[i] = (uint8_t)x[i];
#endif
}

#if defined(__AVX512BW__)
/// Sixteen bytes of each of four rows, to four of each byte's place.
APUS_INLINE apus_i32 apus_transpose_rows(__m512i rows) {
#if defined(__AVX512VBMI__)
  const __m512i order = _mm512_set_epi8(
      63, 47, 31, 15, 62, 46, 30, 14, 61, 45, 29, 13, 60, 44, 28, 12, 59, 43, 27, 11, 58, 42, 26, 10, 57, 41,
      25, 9, 56, 40, 24, 8, 55, 39, 23, 7, 54, 38, 22, 6, 53, 37, 21, 5, 52, 36, 20, 4, 51, 35, 19, 3, 50, 34,
      18, 2, 49, 33, 17, 1, 48, 32, 16, 0);
  return (apus_i32)_mm512_permutexvar_epi8(order, rows);
#else
  // Four channels of each row come into each quarter of the register, and are transposed there.
  const __m512i fours = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const __m512i transposed = _mm512_set4_epi32(0x0f0b0703, 0x0e0a0602, 0x0d090501, 0x0c080400);
  __m512i quarters = _mm512_permutexvar_epi32(fours, rows);
  // Else the compiler makes one permutation of bytes of the two, and that of five instructions.
  __asm__("" : "+v"(quarters));
  return (apus_i32)_mm512_shuffle_epi8(quarters, transposed);
#endif
}
#endif

/// For each of APUS_LANES channels the bytes of three rows, and a zero: the operand of one column of a depthwise
/// convolution.
APUS_INLINE apus_i32 apus_interleave_rows(const void *r0, const void *r1, const void *r2) {
#if defined(__AVX512BW__)
  __m512i rows = _mm512_zextsi128_si512(_mm_loadu_si128((const __m128i *)r0));
  rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)r1), 1);
  rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)r2), 2);
  return apus_transpose_rows(rows);
#elif defined(__AVX2__)
  __m128i ab = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)r0), _mm_loadl_epi64((const __m128i *)r1));
  __m128i cz = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)r2), _mm_setzero_si128());
  return (apus_i32)_mm256_set_m128i(_mm_unpackhi_epi16(ab, cz), _mm_unpacklo_epi16(ab, cz));
#elif defined(__ARM_NEON)
  return neon_interleave(neon_load_bytes(r0), neon_load_bytes(r1), neon_load_bytes(r2), vdup_n_u8(0));
#else
  apus_i32 result;
  for (int i = 0; i < APUS_LANES; i++)
    result[i] = (int32_t)(((const uint8_t *)r0)[i] | (uint32_t)((const uint8_t *)r1)[i] << 8 |
                          (uint32_t)((const uint8_t *)r2)[i] << 16);
  return result;
#endif
}

/// The same of four rows.
APUS_INLINE apus_i32 apus_interleave_four_rows(const void *r0, const void *r1, const void *r2, const void *r3) {
#if defined(__AVX512BW__)
  __m512i rows = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)r0));
  rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)r1), 1);
  rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)r2), 2);
  rows = _mm512_inserti32x4(rows, _mm_loadu_si128((const __m128i *)r3), 3);
  return apus_transpose_rows(rows);
#elif defined(__AVX2__)
  __m128i ab = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)r0), _mm_loadl_epi64((const __m128i *)r1));
  __m128i cd = _mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)r2), _mm_loadl_epi64((const __m128i *)r3));
  return (apus_i32)_mm256_set_m128i(_mm_unpackhi_epi16(ab, cd), _mm_unpacklo_epi16(ab, cd));
#elif defined(__ARM_NEON)
  return neon_interleave(neon_load_bytes(r0), neon_load_bytes(r1), neon_load_bytes(r2), neon_load_bytes(r3));
#else
  apus_i32 result;
  for (int i = 0; i < APUS_LANES; i++)
    result[i] = (int32_t)(((const uint8_t *)r0)[i] | (uint32_t)((const uint8_t *)r1)[i] << 8 |
                          (uint32_t)((const uint8_t *)r2)[i] << 16 | (uint32_t)((const uint8_t *)r3)[i] << 24);
  return result;
#endif
}

/// Looks up as many of `count` bytes as whole vectors hold in a table of 256, and returns their number: 0 where no
/// instruction does it.
APUS_INLINE ptrdiff_t apus_map_bytes(const void *table, const void *x, void *y, ptrdiff_t count) {
  ptrdiff_t index = 0;
#if defined(__AVX512VBMI__)
  const __m512i *quarters = (const __m512i *)table;
  const __m512i q0 = _mm512_loadu_si512(quarters), q1 = _mm512_loadu_si512(quarters + 1);
  const __m512i q2 = _mm512_loadu_si512(quarters + 2), q3 = _mm512_loadu_si512(quarters + 3);
  for (; index + 64 <= count; index += 64) {
    const __m512i bytes = _mm512_loadu_si512((const char *)x + index);
    const __m512i low = _mm512_permutex2var_epi8(q0, bytes, q1);
    const __m512i high = _mm512_permutex2var_epi8(q2, bytes, q3);
    _mm512_storeu_si512((char *)y + index, _mm512_mask_blend_epi8(_mm512_movepi8_mask(bytes), low, high));
  }
#elif defined(__ARM_NEON)
  const uint8x16x4_t q0 = vld1q_u8_x4(table), q1 = vld1q_u8_x4((const uint8_t *)table + 64);
  const uint8x16x4_t q2 = vld1q_u8_x4((const uint8_t *)table + 128), q3 = vld1q_u8_x4((const uint8_t *)table + 192);
  for (; index + 16 <= count; index += 16) {
    const uint8x16_t bytes = vld1q_u8((const uint8_t *)x + index), step = vdupq_n_u8(64);
    // Bytes from 64 on find nothing in a quarter, which leaves what was found before.
    uint8x16_t rest = vsubq_u8(bytes, step), found = vqtbx4q_u8(vqtbl4q_u8(q0, bytes), q1, rest);
    rest = vsubq_u8(rest, step);
    found = vqtbx4q_u8(found, q2, rest);
    vst1q_u8((uint8_t *)y + index, vqtbx4q_u8(found, q3, vsubq_u8(rest, step)));
  }
#endif
  return index;
}

/// The sum of all lanes; wraps.
APUS_INLINE int32_t apus_sum_lanes(apus_i32 x) {
#if defined(__AVX512F__)
  return _mm512_reduce_add_epi32((__m512i)x);
#else
  uint32_t sum = 0;
  for (int i = 0; i < APUS_LANES; i++) sum += (uint32_t)x[i];
  return (int32_t)sum;
#endif
}

typedef int32_t apus_i32x4 __attribute__((ext_vector_type(4)));
typedef uint32_t apus_u32x4 __attribute__((ext_vector_type(4)));

/// Four sums: of every fourth lane from the first, the second and so on; wrap.
APUS_INLINE apus_u32x4 apus_sum_quarters(apus_i32 x) {
#if APUS_LANES == 16
  typedef uint32_t half __attribute__((ext_vector_type(8)));
  half sums = (half)x.lo + (half)x.hi;
  return (apus_u32x4)sums.lo + (apus_u32x4)sums.hi;
#elif APUS_LANES == 8
  return (apus_u32x4)x.lo + (apus_u32x4)x.hi;
#else
  return (apus_u32x4)x;
#endif
}

/// The sum of all lanes of each of four vectors; wraps.
APUS_INLINE apus_i32x4 apus_sum_lanes_of_four(apus_i32 a, apus_i32 b, apus_i32 c, apus_i32 d) {
  apus_u32x4 w = apus_sum_quarters(a), x = apus_sum_quarters(b);
  apus_u32x4 y = apus_sum_quarters(c), z = apus_sum_quarters(d);
  apus_u32x4 wx = __builtin_shufflevector(w, x, 0, 4, 1, 5) + __builtin_shufflevector(w, x, 2, 6, 3, 7);
  apus_u32x4 yz = __builtin_shufflevector(y, z, 0, 4, 1, 5) + __builtin_shufflevector(y, z, 2, 6, 3, 7);
  return (apus_i32x4)(
      __builtin_shufflevector(wx, yz, 0, 1, 4, 5) + __builtin_shufflevector(wx, yz, 2, 3, 6, 7));
}

/// Stores each lane as a signed byte, the nearest that there is, with the bits of `flip` changed.
APUS_INLINE void apus_store_saturated(void *bytes, apus_i32 x, uint8_t flip, ptrdiff_t count) {
  typedef uint8_t narrow __attribute__((ext_vector_type(APUS_LANES)));
#if defined(__AVX512F__)
  narrow packed = (narrow)_mm512_cvtsepi32_epi8((__m512i)x);
#elif defined(__AVX2__)
  __m128i words =
      _mm_packs_epi32(_mm256_castsi256_si128((__m256i)x), _mm256_extracti128_si256((__m256i)x, 1));
  typedef uint8_t whole __attribute__((ext_vector_type(16)));
  narrow packed = ((whole)_mm_packs_epi16(words, words)).lo;
#elif defined(__SSE2__)
  __m128i words = _mm_packs_epi32((__m128i)x, (__m128i)x);
  typedef uint8_t whole __attribute__((ext_vector_type(16)));
  narrow packed = ((whole)_mm_packs_epi16(words, words)).lo.lo;
#elif defined(__ARM_NEON)
  int16x4_t words = vqmovn_s32((int32x4_t)x);
  typedef uint8_t whole __attribute__((ext_vector_type(8)));
  narrow packed = ((whole)vqmovn_s16(vcombine_s16(words, words))).lo;
#else
  x = __builtin_elementwise_min(__builtin_elementwise_max(x, (apus_i32)-128), (apus_i32)127);
  narrow packed = __builtin_convertvector(x, narrow);
#endif
  packed ^= (narrow)flip;
#if defined(__AVX512BW__) && defined(__AVX512VL__)
  if (count < APUS_LANES) {
    _mm_mask_storeu_epi8(bytes, (__mmask16)((1u << count) - 1), (__m128i)packed);
    return;
  }
#endif
  if (count >= APUS_LANES) {
    memcpy(bytes, &packed, APUS_LANES);
  } else {
    for (ptrdiff_t i = 0; i < count; i++) ((uint8_t *)bytes)[i] = packed[i];
  }
}

/// The numbers without their fractions; the least integer for what does not fit or is not a number.
APUS_INLINE apus_i32 apus_truncate_i32(apus_f32 x) {
#if defined(__AVX512F__)
  return (apus_i32)_mm512_cvttps_epi32((__m512)x);
#elif defined(__AVX2__)
  return (apus_i32)_mm256_cvttps_epi32((__m256)x);
#elif defined(__SSE2__)
  return (apus_i32)_mm_cvttps_epi32((__m128)x);
#elif defined(__ARM_NEON)
  return neon_converted((apus_i32)vcvtq_s32_f32((float32x4_t)x), x);
#else
  apus_i32 result;
  for (int i = 0; i < APUS_LANES; i++)
    result[i] = x[i] >= -0x1p31f && x[i] < 0x1p31f ? (int32_t)x[i] : INT32_MIN;
  return result;
#endif
}

/// The nearest integers, halves to even; the least there is for what is too large.
APUS_INLINE apus_i32 apus_nearest_i32(apus_f32 x) {
#if defined(__AVX512F__)
  return (apus_i32)_mm512_cvtps_epi32((__m512)x);
#elif defined(__AVX2__)
  return (apus_i32)_mm256_cvtps_epi32((__m256)x);
#elif defined(__SSE2__)
  return (apus_i32)_mm_cvtps_epi32((__m128)x);
#elif defined(__ARM_NEON)
  return neon_converted((apus_i32)vcvtnq_s32_f32((float32x4_t)x), x);
#else
  return __builtin_convertvector(__builtin_elementwise_roundeven(x), apus_i32);
#endif
}

// MARK: requantization

/// All bits where a is less than b. Swift's own comparisons of vectors go lane by lane at times.
APUS_INLINE apus_i32 apus_less(apus_i32 a, apus_i32 b) { return a < b; }

/// a where all bits of the mask are set, b where none is.
APUS_INLINE apus_i32 apus_select(apus_i32 mask, apus_i32 a, apus_i32 b) { return (a & mask) | (b & ~mask); }

/// Per lane: x × multiplier / 2^shift rounded as TFLite's reference kernels round, offset and limited.
///
/// `multiplier` is for the even lanes, `multiplier_odd` has the odd lanes' multipliers at the even places.
/// The product is made positive by an addend of 2⁶² so that a logical shift serves; `offset` takes that away
/// again and adds the zero point. The negative addends are added to negative products.
APUS_INLINE apus_i32 apus_requantize(
    apus_i32 x, apus_i32 multiplier, apus_i32 multiplier_odd, apus_i32 offset, apus_i64 addend_even,
    apus_i64 addend_odd, apus_i64 shift_even, apus_i64 shift_odd, apus_i64 negative_even, apus_i64 negative_odd,
    apus_i32 low, apus_i32 high) {
#if defined(__AVX512F__)
  __m512i even = _mm512_mul_epi32((__m512i)x, (__m512i)multiplier);
  __m512i odd = _mm512_mul_epi32(_mm512_srli_epi64((__m512i)x, 32), (__m512i)multiplier_odd);
  even = _mm512_mask_add_epi64(even, _mm512_movepi64_mask(even), even, (__m512i)negative_even);
  odd = _mm512_mask_add_epi64(odd, _mm512_movepi64_mask(odd), odd, (__m512i)negative_odd);
  even = _mm512_srlv_epi64(_mm512_add_epi64(even, (__m512i)addend_even), (__m512i)shift_even);
  odd = _mm512_srlv_epi64(_mm512_add_epi64(odd, (__m512i)addend_odd), (__m512i)shift_odd);
  __m512i both = _mm512_mask_shuffle_epi32(even, 0xaaaa, odd, _MM_PERM_CCAA);
  both = _mm512_max_epi32(_mm512_add_epi32(both, (__m512i)offset), (__m512i)low);
  return (apus_i32)_mm512_min_epi32(both, (__m512i)high);
#elif defined(__AVX2__)
  __m256i even = _mm256_mul_epi32((__m256i)x, (__m256i)multiplier);
  __m256i odd = _mm256_mul_epi32(_mm256_srli_epi64((__m256i)x, 32), (__m256i)multiplier_odd);
  __m256i zero = _mm256_setzero_si256();
  even = _mm256_add_epi64(even, _mm256_and_si256(_mm256_cmpgt_epi64(zero, even), (__m256i)negative_even));
  odd = _mm256_add_epi64(odd, _mm256_and_si256(_mm256_cmpgt_epi64(zero, odd), (__m256i)negative_odd));
  even = _mm256_srlv_epi64(_mm256_add_epi64(even, (__m256i)addend_even), (__m256i)shift_even);
  odd = _mm256_srlv_epi64(_mm256_add_epi64(odd, (__m256i)addend_odd), (__m256i)shift_odd);
  __m256i both = _mm256_blend_epi32(even, _mm256_shuffle_epi32(odd, 0xa0), 0xaa);
  both = _mm256_max_epi32(_mm256_add_epi32(both, (__m256i)offset), (__m256i)low);
  return (apus_i32)_mm256_min_epi32(both, (__m256i)high);
#elif defined(__ARM_NEON)
  // Of each pair of lanes the even one is the lower half of 64 bits.
  int64x2_t even = vmull_s32(vmovn_s64((int64x2_t)x), vmovn_s64((int64x2_t)multiplier));
  int64x2_t odd = vmull_s32(vshrn_n_s64((int64x2_t)x, 32), vmovn_s64((int64x2_t)multiplier_odd));
  uint64x2_t even_sum = (uint64x2_t)(addend_even + (apus_i64)even + ((apus_i64)even >> 63 & negative_even));
  uint64x2_t odd_sum = (uint64x2_t)(addend_odd + (apus_i64)odd + ((apus_i64)odd >> 63 & negative_odd));
  apus_i32 evens = (apus_i32)vshlq_u64(even_sum, (int64x2_t)-shift_even);
  apus_i32 odds = (apus_i32)vshlq_u64(odd_sum, (int64x2_t)-shift_odd);
  int32x4_t both = vaddq_s32(vtrn1q_s32((int32x4_t)evens, (int32x4_t)odds), (int32x4_t)offset);
  return (apus_i32)vminq_s32(vmaxq_s32(both, (int32x4_t)low), (int32x4_t)high);
#else
  for (int i = 0; i < APUS_LANES; i++) {
    int64_t addend = i % 2 ? addend_odd[i / 2] : addend_even[i / 2];
    int64_t shift = i % 2 ? shift_odd[i / 2] : shift_even[i / 2];
    int64_t negative = i % 2 ? negative_odd[i / 2] : negative_even[i / 2];
    int64_t product = (int64_t)x[i] * (i % 2 ? multiplier_odd[i - 1] : multiplier[i]);
    uint64_t y = (uint64_t)product + (uint64_t)addend + (product < 0 ? (uint64_t)negative : 0);
    int32_t r = (int32_t)((uint32_t)(y >> shift) + (uint32_t)offset[i]);
    r = r > low[i] ? r : low[i];
    x[i] = r < high[i] ? r : high[i];
  }
  return x;
#endif
}

#include "ByteIntrinsics.h"
#include "PackingIntrinsics.h"
#include "Attention.h"
#include "ResampleIntrinsics.h"
#include "WideIntrinsics.h"
