#pragma once
// The kernels of one instruction set, family by family: what its target hands over, filled in by the shared
// sources. A processor uses the best table of each family, so nothing of one family depends on another's.
#include "KernelArguments.h"

typedef void (*_Nonnull ApusGemmKernel)(const struct ApusGemm *_Nonnull);
typedef void (*_Nonnull ApusPackKernel)(const struct ApusPanelPacking *_Nonnull);
typedef void (*_Nonnull ApusStageKernel)(const struct ApusRowStaging *_Nonnull);
typedef void (*_Nonnull ApusAttentionKernel)(const struct ApusAttention *_Nonnull);
typedef void (*_Nonnull ApusDepthwiseKernel)(const struct ApusDepthwise *_Nonnull);
/// `count` numbers at `x` become as many float32 at `y`.
typedef void (*_Nonnull ApusWidenKernel)(const void *_Nonnull x, void *_Nonnull y, ptrdiff_t count);

/// Float32 products, what is done with rows of float32, and copies.
struct ApusFloatKernels {
  /// Elements of 4 bytes in a vector; rows of the largest register tile.
  ptrdiff_t lanes, tileRows;
  ApusGemmKernel gemm;
  ApusPackKernel pack;
  ApusAttentionKernel attention;
  /// Bytes of working memory for calls of at most so many queries with heads so wide.
  ptrdiff_t (*_Nonnull attentionScratchByteCount)(ptrdiff_t queries, ptrdiff_t headWidth);
  ApusDepthwiseKernel depthwise;
  void (*_Nonnull gatherPatches)(const struct ApusPatches *_Nonnull);
  void (*_Nonnull convolve)(const struct ApusConvolution *_Nonnull);
  /// Whether `convolve` is faster than products of gathered patches.
  bool prefersConvolve;
  /// The function has a number of `KernelArguments.h`.
  void (*_Nonnull map)(int32_t function, const void *_Nonnull x, void *_Nonnull y, ptrdiff_t count);
  void (*_Nonnull softmax)(
      const void *_Nonnull x, void *_Nonnull y, ptrdiff_t rows, ptrdiff_t width, float beta);
  void (*_Nonnull normalizeLayer)(
      const void *_Nonnull x, void *_Nonnull y, const void *_Nonnull scale, const void *_Nonnull offset,
      ptrdiff_t rows, ptrdiff_t width, float epsilon);
  void (*_Nonnull normalizeRootMeanSquare)(
      const void *_Nonnull x, void *_Nonnull y, const void *_Nonnull scale, ptrdiff_t rows, ptrdiff_t width,
      float epsilon);
  /// x · scale + offset, rounded after each, and limited; scale and offset are of `width` numbers.
  void (*_Nonnull scaleRows)(
      const void *_Nonnull x, void *_Nonnull y, const void *_Nonnull scale, const void *_Nonnull offset,
      ptrdiff_t rows, ptrdiff_t width, float low, float high);
  void (*_Nonnull meanOfRows)(
      const void *_Nonnull x, void *_Nonnull y, ptrdiff_t stride, ptrdiff_t rows, ptrdiff_t width);
  /// The mean of a window, channel by channel: the taps' sum in their order, divided by their number.
  void (*_Nonnull averagePool)(const struct ApusPool *_Nonnull);
  /// The greatest element of a window, channel by channel.
  void (*_Nonnull maxPool)(const struct ApusPool *_Nonnull);
  ApusWidenKernel widenFloat16, widenBFloat16;
  /// Additions and multiplications of one step of `repeatProducts`, which does nothing else.
  ptrdiff_t operationsPerStep;
  float (*_Nonnull repeatProducts)(ptrdiff_t steps);
  /// Reads bytes, a multiple of 16 vectors: one after the other, or with two streams both halves at a time.
  int32_t (*_Nonnull readBytes)(const void *_Nonnull bytes, ptrdiff_t count, ptrdiff_t streams);
  /// Writes bytes, a multiple of 16 vectors.
  void (*_Nonnull writeBytes)(void *_Nonnull bytes, ptrdiff_t count);
};

/// Products of bytes, and what is done with bytes.
struct ApusIntegerKernels {
  ptrdiff_t lanes, tileRows;
  ApusGemmKernel gemm, gemmToFloat32;
  /// The sums themselves, of 32 bits: what does not fit wraps. Panels have no table. They are added to what is at `c` where
  /// `residual` is not NULL, wherever that points.
  ApusGemmKernel gemmToInteger32;
  ApusPackKernel pack;
  /// One for each column of a panel.
  void (*_Nonnull largestMagnitudes)(const struct ApusPanelPacking *_Nonnull, float *_Nonnull magnitudes);
  ApusStageKernel quantizeRows;
  /// Whether the rows of these three products are those that `widenRows` makes of bytes. Each group of four bytes of
  /// the columns of a panel is then two of two bytes.
  bool widensRows;
  ApusStageKernel widenRows;
  /// `count` float32 numbers become bytes, signed or not: divided by the scale, rounded to nearest with halves away
  /// from zero, more by the zero point.
  void (*_Nonnull quantize)(
      const void *_Nonnull x, void *_Nonnull y, ptrdiff_t count, float scale, int32_t zeroPoint, bool isSigned);
  /// The same with halves to even; what is over the range becomes its end, and NaN the least byte.
  void (*_Nonnull quantizeEven)(
      const void *_Nonnull x, void *_Nonnull y, ptrdiff_t count, float scale, int32_t zeroPoint, bool isSigned);
  /// The least and the greatest of `count` float32 numbers, 1 or more. NaN counts for nothing, unless it is the first.
  void (*_Nonnull range)(const void *_Nonnull x, ptrdiff_t count, float *_Nonnull result);
  /// `count` float32 numbers times `inverse`, limited to low…high, both integers, and rounded to nearest with halves away
  /// from zero; NaN becomes `low`. As signed bytes, `zeroPoint` more, or in float32.
  void (*_Nonnull quantizeSteps)(
      const void *_Nonnull x, void *_Nonnull y, ptrdiff_t count, float inverse, float low, float high,
      int32_t zeroPoint);
  void (*_Nonnull countSteps)(
      const void *_Nonnull x, void *_Nonnull y, ptrdiff_t count, float inverse, float low, float high);
  void (*_Nonnull sumRows)(
      const void *_Nonnull a, ptrdiff_t stride, ptrdiff_t rows, ptrdiff_t bytes, bool isSigned, int32_t factor,
      int32_t *_Nonnull sums);
  /// The greatest score, or minus infinity for no rows.
  float (*_Nonnull scanRows)(const struct ApusRowScan *_Nonnull);
  /// Of bytes: square windows that `PackedDepthwise.squareSide` knows, and any other.
  ApusDepthwiseKernel depthwiseSquare, depthwise;
  /// Of int16 rows and images, 8-bit weights widened to 16 bits, int16 results.
  ApusGemmKernel gemm16;
  ApusDepthwiseKernel depthwise16;
  void (*_Nonnull add)(const struct ApusQuantizedAdd *_Nonnull);
  void (*_Nonnull multiply)(const struct ApusQuantizedMultiply *_Nonnull);
  /// `count` bytes at `x` become those that the table of 256 has for them.
  void (*_Nonnull mapBytes)(
      const void *_Nonnull table, const void *_Nonnull x, void *_Nonnull y, ptrdiff_t count);
  void (*_Nonnull followLines)(const struct ApusByteLines *_Nonnull);
  /// The mean of a window of bytes, channel by channel, and the greatest of them.
  void (*_Nonnull averagePool)(const struct ApusPool *_Nonnull);
  void (*_Nonnull maxPool)(const struct ApusPool *_Nonnull);
  /// Whether every column has a line, all of which are then written.
  bool (*_Nonnull fitLine)(const struct ApusLineFit *_Nonnull);
  /// Pixels of three bytes, half as many in a step as there are lanes; pixels of one byte, twice as many.
  void (*_Nonnull resampleRGB)(const struct ApusColumnResample *_Nonnull);
  void (*_Nonnull resampleGrey)(const struct ApusColumnResample *_Nonnull);
  void (*_Nonnull combineRows)(const struct ApusRowCombination *_Nonnull);
  /// `count` pixels of three bytes become as many of one: Pillow's conversion to grey.
  void (*_Nonnull lighten)(const void *_Nonnull pixels, void *_Nonnull grey, ptrdiff_t count);
  /// Two words that tell `count` bytes from others, the same of every instruction set.
  void (*_Nonnull digest)(const void *_Nonnull bytes, ptrdiff_t count, uint64_t *_Nonnull result);
  ptrdiff_t operationsPerStep;
  int32_t (*_Nonnull repeatProducts)(ptrdiff_t steps);
};

/// Products of bfloat16, summed in float32.
struct ApusBFloat16Kernels {
  ptrdiff_t lanes, tileRows;
  /// Whether they are instructions of the processor; else they are made of float32's, and slower than those.
  bool hasProducts;
  ApusGemmKernel gemm;
  ApusPackKernel pack;
  ApusStageKernel roundRows;
  ApusAttentionKernel attention;
  ptrdiff_t (*_Nonnull attentionScratchByteCount)(ptrdiff_t queries, ptrdiff_t headWidth);
  ptrdiff_t operationsPerStep;
  float (*_Nonnull repeatProducts)(ptrdiff_t steps);
};
