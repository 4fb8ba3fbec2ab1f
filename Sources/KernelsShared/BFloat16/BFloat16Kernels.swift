import CIntrinsics

/// Writes the bfloat16 kernels of this instruction set. Only for processors that have it: the writing uses it too.
#if ROW_Baseline
  @_cdecl("apusWriteBFloat16_baseline")
#elseif ROW_AVX2
  @_cdecl("apusWriteBFloat16_avx2")
#elseif ROW_AVX512
  @_cdecl("apusWriteBFloat16_avx512")
#elseif ROW_AVX512BF16
  @_cdecl("apusWriteBFloat16_avx512bf16")
#elseif ROW_NEONBF16
  @_cdecl("apusWriteBFloat16_bf16")
#endif
@inline(never)
package func writeBFloat16Kernels(_ table: UnsafeMutablePointer<ApusBFloat16Kernels>) {
  table.initialize(
    to: ApusBFloat16Kernels(
      lanes: lanes, tileRows: tileRows, hasProducts: APUS_HAS_BF16_PRODUCTS != 0, gemm: gemmBFloat16,
      pack: packBFloat16, roundRows: roundRowsBFloat16, attention: attentionBFloat16,
      attentionScratchByteCount: attentionScratchByteCount,
      operationsPerStep: operationsPerStep(BFloat16Product.self, 2),
      repeatProducts: repeatBFloat16))
}

@inline(never)
private func gemmBFloat16(_ arguments: UnsafePointer<ApusGemm>) {
  gemm(BFloat16Product.self, arguments.pointee, floatEpilogue)
}

@inline(never)
private func packBFloat16(_ arguments: UnsafePointer<ApusPanelPacking>) {
  packPanel(BFloat16Panel.self, arguments.pointee)
}

/// Operands rounded to bfloat16 for the products.
@inline(never)
private func attentionBFloat16(_ arguments: UnsafePointer<ApusAttention>) {
  attention(BFloat16Attention.self, arguments.pointee)
}

/// Repeats products of pairs.
@inline(never)
private func repeatBFloat16(_ steps: Int) -> Float {
  // Pairs of ½ and 1, and of 1 and ¾.
  let factors = (Int32Vector(repeating: 0x3f80_3f00), Int32Vector(repeating: 0x3f40_3f80))
  let start = FloatVector(repeating: Float(steps))
  return apus_sum_f32(
    repeatProducts(CeilingProduct<BFloat16Product>.self, steps, from: start, by: factors) {
      unsafeBitCast($0, to: Int32Vector.self)
    })
}
