import CIntrinsics

/// Writes the integer kernels of this instruction set. Only for processors that have it: the writing uses it too.
#if ROW_Baseline
  @_cdecl("apusWriteInteger_baseline")
#elseif ROW_AVX2
  @_cdecl("apusWriteInteger_avx2")
#elseif ROW_AVXVNNI
  @_cdecl("apusWriteInteger_avxvnni")
#elseif ROW_AVX512
  @_cdecl("apusWriteInteger_avx512")
#elseif ROW_AVX512VNNI
  @_cdecl("apusWriteInteger_avx512vnni")
#elseif ROW_AVX512VBMI
  @_cdecl("apusWriteInteger_avx512vbmi")
#elseif ROW_NEONDotProduct
  @_cdecl("apusWriteInteger_dotprod")
#elseif ROW_NEONI8MM
  @_cdecl("apusWriteInteger_i8mm")
#endif
@inline(never)
package func writeIntegerKernels(_ table: UnsafeMutablePointer<ApusIntegerKernels>) {
  table.initialize(
    to: ApusIntegerKernels(
      lanes: lanes, tileRows: tileRows, gemm: gemmInteger8, gemmToFloat32: gemmInteger8ToFloat32,
      gemmToInteger32: gemmInteger8ToInteger32,
      pack: packInteger8, largestMagnitudes: largestMagnitudes, quantizeRows: quantizeRows,
      widensRows: widensRows, widenRows: widenRows, quantize: quantize, quantizeEven: quantizeEven,
      range: rangeOfNumbers, quantizeSteps: quantizeSteps, countSteps: countSteps, sumRows: sumRows8,
      scanRows: scanRows8,
      depthwiseSquare: depthwiseSquareInteger8,
      depthwise: depthwiseInteger8, gemm16: gemmInteger16, depthwise16: depthwiseInteger16,
      add: addInteger8, multiply: multiplyInteger8, mapBytes: mapBytes, followLines: followLines,
      averagePool: averagePoolInteger8, maxPool: maxPoolInteger8, fitLine: fitLine, resampleRGB: resampleRGB,
      resampleGrey: resampleGrey,
      combineRows: combineRows,
      lighten: lighten, digest: digestBytes,
      operationsPerStep: operationsPerStep(ByteProduct.self, byteProductElements),
      repeatProducts: repeatInteger8))
}

/// Repeats products of bytes, as rows and columns of bytes are multiplied.
@inline(never)
private func repeatInteger8(_ steps: Int) -> Int32 {
  let factors = (Int32Vector(repeating: 0x0102_0304), Int32Vector(repeating: 0x0503_0402))
  let start = Int32Vector(repeating: Int32(truncatingIfNeeded: steps))
  return apus_sum_lanes(
    repeatProducts(CeilingProduct<ByteProduct>.self, steps, from: start, by: factors) { $0 })
}

#if WIDENS_BYTES
  private let widensRows = true
  private typealias ByteProduct = Integer16Product
  private let byteProductElements = 2
#else
  private let widensRows = false
  private typealias ByteProduct = Unsigned8Product
  private let byteProductElements = 4
#endif
