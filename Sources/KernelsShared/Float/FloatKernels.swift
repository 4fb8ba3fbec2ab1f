import CIntrinsics

/// Writes the float kernels of this instruction set. Only for processors that have it: the writing uses it too.
#if ROW_Baseline
  @_cdecl("apusWriteFloat_baseline")
#elseif ROW_AVX2
  @_cdecl("apusWriteFloat_avx2")
#elseif ROW_AVX512
  @_cdecl("apusWriteFloat_avx512")
#endif
@inline(never)
package func writeFloatKernels(_ table: UnsafeMutablePointer<ApusFloatKernels>) {
  table.initialize(
    to: ApusFloatKernels(
      lanes: lanes, tileRows: tileRows, gemm: gemmFloat32, pack: packFloat32, attention: attentionFloat32,
      attentionScratchByteCount: attentionScratchByteCount, depthwise: depthwiseFloat32,
      gatherPatches: gatherPatches, convolve: convolveFloat32, prefersConvolve: prefersConvolve,
      map: mapFloat32, softmax: softmaxFloat32,
      normalizeLayer: normalizeLayerFloat32, normalizeRootMeanSquare: normalizeRootMeanSquareFloat32,
      scaleRows: scaleRowsFloat32, meanOfRows: meanOfRowsFloat32, averagePool: averagePoolFloat32,
      maxPool: maxPoolFloat32,
      widenFloat16: widenFloat16,
      widenBFloat16: widenBFloat16,
      operationsPerStep: operationsPerStep(Float32Product.self, 1), repeatProducts: repeatFloat32,
      readBytes: readBytes, writeBytes: writeBytes))
}

@inline(never)
private func gemmFloat32(_ arguments: UnsafePointer<ApusGemm>) {
  gemm(Float32Product.self, arguments.pointee, floatEpilogue)
}

@inline(never)
private func packFloat32(_ arguments: UnsafePointer<ApusPanelPacking>) {
  packPanel(Float32Panel.self, arguments.pointee)
}

@inline(never)
private func attentionFloat32(_ arguments: UnsafePointer<ApusAttention>) {
  attention(Float32Attention.self, arguments.pointee)
}
