#pragma once
// What the kernels of every instruction set are called with. Plain structs, so that no Swift type crosses
// from a target compiled for one instruction set into another.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// C = epilogue(A × B): rows of A against packed columns of B.
struct ApusGemm {
  /// First element of row 0 of A; rows are `aStride` bytes apart. Up to 3 bytes past a row may be read. Rows of bytes are as
  /// `widenRows` makes them where the kernels' table says so.
  const void *_Nonnull a;
  ptrdiff_t aStride;
  /// Packed panels, `panelStride` bytes apart: header, then for each step of depth the columns' groups.
  const void *_Nonnull panels;
  ptrdiff_t panelStride;
  /// First element of the result; rows are `cStride` bytes apart.
  void *_Nonnull c;
  ptrdiff_t cStride;
  /// Rows of A, columns of B, and 4-byte groups of depth.
  ptrdiff_t rows, columns, depth;
  /// Float: added to the result before limiting; NULL for none. Rows are `residualStride` bytes apart.
  const float *_Nullable residual;
  ptrdiff_t residualStride;
  /// Float results are limited to this range.
  float low, high;
  /// Integer: for each row of A a number added to every sum; NULL for none. With `rowScales` it is the row's
  /// zero point as the kernel sees it, as an unsigned byte.
  const int32_t *_Nullable rowSums;
  /// Integer: for each row of A the scale of its elements (dynamic quantization); NULL for requantization.
  const float *_Nullable rowScales;
  /// With `rowScales`: whether a sum is multiplied by its column's scale and then by its row's, rather than by
  /// the product of both.
  int32_t scalesColumnsFirst;
  /// Integer results are limited to this range.
  int32_t lowQuantum, highQuantum;
  /// Integer: whether the bytes of A are signed.
  int32_t isSigned;
  /// The function applied to float32 results when all is added and limited, by its APUS_ number.
  int32_t activation;
};

/// Depthwise convolution of rows of one image, NHWC.
struct ApusDepthwise {
  const void *_Nonnull input;
  /// One input pixel of padding: `channels` elements.
  const void *_Nonnull padding;
  const void *_Nonnull weights;
  void *_Nonnull output;
  ptrdiff_t channels;
  ptrdiff_t inputHeight, inputWidth, outputWidth;
  /// Output rows to compute.
  ptrdiff_t firstRow, endRow;
  ptrdiff_t kernelHeight, kernelWidth;
  ptrdiff_t strideY, strideX, dilationY, dilationX, padTop, padLeft;
  float low, high;
  int32_t lowQuantum, highQuantum, isSigned;
  /// Integer: whether the weights have a second part that the first could not hold.
  int32_t hasSecondPart;
};

/// The patches under consecutive output pixels of a convolution, copied to rows of `patchStride` bytes.
struct ApusPatches {
  const void *_Nonnull input;
  /// Bytes of padding, at least one pixel's channels of the group.
  const void *_Nonnull padding;
  void *_Nonnull patches;
  ptrdiff_t patchStride;
  /// Bytes of one pixel's channels of the group, and of a whole pixel.
  ptrdiff_t pixelBytes, pixelStride;
  ptrdiff_t inputHeight, inputWidth, outputWidth;
  /// Consecutive output pixels, counted row by row.
  ptrdiff_t firstPixel, pixelCount;
  ptrdiff_t kernelHeight, kernelWidth;
  ptrdiff_t strideY, strideX, dilationY, dilationX, padTop, padLeft;
};

/// Rows of the result of a convolution of one float32 image, NHWC, without groups.
struct ApusConvolution {
  const void *_Nonnull input;
  ptrdiff_t channels, inputHeight, inputWidth, outputWidth;
  /// Output rows to compute.
  ptrdiff_t firstRow, endRow;
  ptrdiff_t kernelHeight, kernelWidth;
  ptrdiff_t strideY, strideX, dilationY, dilationX, padTop, padLeft;
  /// Packed panels as of `ApusGemm`: for each column the taps one after the other, with all channels of each.
  const void *_Nonnull panels;
  ptrdiff_t panelStride;
  /// Columns to compute.
  ptrdiff_t columns;
  /// The first of these columns of the image's first output pixel; pixels are `cStride` bytes apart.
  void *_Nonnull c;
  ptrdiff_t cStride;
  /// Added to the result before limiting, shaped as the result; NULL for none.
  const float *_Nullable residual;
  /// Results are limited to this range, then get the function with its APUS_ number.
  float low, high;
  int32_t activation;
};

/// One window of an image (NHWC) whose taps become one number for each channel.
struct ApusPool {
  /// The first channel under the window's first tap, and bytes from one tap to the next below and beside it.
  const void *_Nonnull input;
  ptrdiff_t rowStride, columnStride;
  void *_Nonnull output;
  /// Taps that lie on the image, at least one and fewer than 65 536; channels.
  ptrdiff_t rows, columns, channels;
  /// What results are limited to: of float32; of bytes, signed or not. Bytes may be read 64 past the channels.
  float low, high;
  int32_t lowQuantum, highQuantum;
  int32_t isSigned;
};

/// Element-wise sum or difference of 8-bit tensors of two scales.
struct ApusQuantizedAdd {
  const void *_Nonnull a;
  const void *_Nonnull b;
  void *_Nonnull c;
  ptrdiff_t count;
  int32_t zeroPointA, zeroPointB;
  /// Operands are shifted left by so much before they are scaled.
  int32_t leftShift;
  int32_t lowQuantum, highQuantum;
  int32_t isSigned;
  /// Whether b is subtracted. The slope of b below says so itself.
  int32_t subtracts;
  /// Requantization tables of one vector each: of a, of b, of the sum. NULL where the plane below rounds to the same,
  /// and results are limited by their type alone.
  const void *_Nullable tables;
  /// a × slopeA + b × slopeB + offset, rounded to nearest, is the result less 128 where bytes are unsigned. Signed
  /// bytes of a and b count 128 more than they are.
  float slopeA, slopeB, offset;
};

/// Element-wise product of 8-bit tensors.
struct ApusQuantizedMultiply {
  const void *_Nonnull a;
  const void *_Nonnull b;
  void *_Nonnull c;
  ptrdiff_t count;
  int32_t zeroPointA, zeroPointB;
  int32_t lowQuantum, highQuantum;
  int32_t isSigned;
  /// A requantization table of one vector. NULL where the line below rounds to the same, and results are limited by
  /// their type alone.
  const void *_Nullable table;
  /// (a - zeroPointA) × (b - zeroPointB) × slope + offset, rounded to nearest, is the result less 128 where bytes are
  /// unsigned.
  float slope, offset;
};

/// Rows of bytes of which each column goes through two lines through float32, one after the other.
struct ApusByteLines {
  const void *_Nonnull x;
  void *_Nonnull y;
  ptrdiff_t rows, width;
  /// For each vector of columns, of the first line: slopes, offsets below the bend, offsets from it on; of the second:
  /// slopes, offsets. A signed byte counts 128 more than it is; what the first gives is rounded to nearest and limited to
  /// a byte that counts from -128, and so is what the second gives.
  const void *_Nonnull lines;
  /// The first of the bytes above the bend, counted as x.
  float bend;
  int32_t isSigned;
};

/// How far above the lower line the upper one is by which kernels check what a line gives: twice what float32 loses of a
/// byte, at most 2⁻¹⁴. Where nothing is limited or lost yet, line and offset are below 258 and 130: the sum becomes a
/// float32 and the slope one, 2⁻²⁴ of the former each; the offset is rounded, by 2⁻¹⁷ at most, and both results, by as much.
#define APUS_CHECKED_LINE_WIDTH 0x1p-13f

/// For one vector of columns: the steps of a fixed-point requantization to a byte, and the line that rounds to the
/// same.
///
/// A step of a column is the least sum whose result is a certain number or more. Its excess is what the scaled sum
/// is over the bound there: below the multiplier, because one less falls short. Results are counted from -128, so
/// that there are steps to -127 and to each up to 127. All arrays have a number for each lane.
struct ApusLineFit {
  /// The first step, its excess; from one step to the next, the whole part of the distance and what is left of
  /// the bounds' distance after as many multipliers.
  const int32_t *_Nonnull place, *_Nonnull excess, *_Nonnull stride, *_Nonnull remainder;
  const int32_t *_Nonnull multiplier;
  /// The sums that there can be; all far from overflow.
  const int32_t *_Nonnull least, *_Nonnull greatest;
  /// Result by sum; the result of 0 before it is rounded to nearest; result by excess.
  const double *_Nonnull slope, *_Nonnull rise, *_Nonnull unit;
  /// The line found: (sum + shift) × slope + offset.
  float *_Nonnull lineSlope, *_Nonnull lineOffset;
  int32_t *_Nonnull lineShift;
};

/// The types in which columns of a matrix are stored.
enum ApusStoredType { ApusStoredFloat32, ApusStoredFloat16, ApusStoredBFloat16, ApusStoredInteger8 };

/// One column of a stored matrix.
struct ApusStoredColumn {
  /// NULL where there is no column.
  const void *_Nullable address;
  /// Bytes from one element to the next.
  ptrdiff_t step;
  /// What every element is multiplied by.
  float scale;
  enum ApusStoredType type;
};

/// The columns of one panel, to be brought into its format.
struct ApusPanelPacking {
  /// `width` columns of `depth` elements.
  const struct ApusStoredColumn *_Nonnull columns;
  ptrdiff_t width, depth;
  /// Where the panel's first group goes, and bytes from one group of depth to the next, which are 4 × `width` in a panel.
  void *_Nonnull target;
  ptrdiff_t targetStride;
  /// Where the sums of the bytes of all columns go, 8-bit panels only.
  int32_t *_Nullable sums;
  /// Working memory: 2 × APUS_LANES vectors and 4 more.
  void *_Nonnull scratch;
};

/// Rows of signed bytes, each multiplied by one vector: the scores of entries of an index.
struct ApusRowScan {
  /// Rows of `stride` bytes one after another; a multiple of 64, with zeros behind a row's last number. No byte is -128.
  const void *_Nonnull rows;
  /// As many bytes as a row.
  const void *_Nonnull query;
  ptrdiff_t stride;
  /// Which rows, in any order; NULL for the first `count`.
  const int32_t *_Nullable places;
  ptrdiff_t count;
  /// One for each row that there is.
  const float *_Nonnull scales;
  /// `count` scores: the exact sum of the products times the row's scale, rounded once or twice to float32.
  float *_Nonnull scores;
};

/// Rows of bytes resampled: each target pixel is a weighted sum of consecutive source pixels, in fixed point.
struct ApusColumnResample {
  const void *_Nonnull source;
  ptrdiff_t sourceStride;
  void *_Nonnull target;
  ptrdiff_t targetStride;
  ptrdiff_t rows, columns;
  /// The first source pixel of each target pixel; from it on there are as many pixels as `steps` read.
  const int32_t *_Nonnull firsts;
  /// For each target pixel and step two vectors of 16-bit weights: their lower `lowBits` bits, and the rest.
  const void *_Nonnull weights;
  ptrdiff_t steps;
  int32_t lowBits;
  /// What a sum begins with, and how far it is shifted to the right.
  int32_t start, shift;
};

/// Rows of bytes that one row is the weighted sum of, in fixed point.
struct ApusRowCombination {
  /// Two for each pair of weights.
  const void *_Nonnull const *_Nonnull rows;
  /// For each pair of rows their weights' lower `lowBits` bits, as two 16-bit numbers, and the same of the rest.
  const int32_t *_Nonnull weights;
  ptrdiff_t pairs;
  void *_Nonnull target;
  ptrdiff_t bytes;
  int32_t lowBits;
  int32_t start, shift;
};

/// Rows of float32, or of bytes, to be brought into the format of a product.
struct ApusRowStaging {
  const void *_Nonnull source;
  ptrdiff_t sourceStride;
  void *_Nonnull target;
  ptrdiff_t targetStride;
  ptrdiff_t rows, depth;
  /// 8-bit: where each row's scale and zero point go.
  float *_Nullable scales;
  int32_t *_Nullable zeroPoints;
  /// Of bytes: whether they are signed.
  int32_t isSigned;
};

/// softmax(Q·Kᵀ·scale)·V of one head: some queries of a segment and all of its keys.
struct ApusAttention {
  /// First element of the head in the first query; rows are `queryStride` bytes apart. The same for the others.
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
  /// Added to the scores, a number for each key; NULL for none. The first query's; rows are `maskStride` bytes apart,
  /// 0 where all queries have the same.
  const float *_Nullable mask;
  ptrdiff_t maskStride;
  /// Whether the result of a query whose keys all have a mask of minus infinity is zero; else it is NaN.
  int32_t zeroesHidden;
  /// Working memory, 64-byte aligned, of as many bytes as `attentionScratchByteCount` says.
  void *_Nonnull scratch;
};

// Functions of each element.
#define APUS_IDENTITY 0
#define APUS_EXP 1
#define APUS_SIGMOID 2
#define APUS_TANH 3
#define APUS_GELU_EXACT 4
#define APUS_GELU_TANH 5
#define APUS_GELU_SIGMOID 6
/// x × the nearest of 0 to 6 to x + 3, ÷ 6.
#define APUS_HARD_SWISH 7
/// x × its sigmoid.
#define APUS_SWISH 8
