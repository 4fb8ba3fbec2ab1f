import CIntrinsics
import KernelsBaseline

#if arch(x86_64)
  import KernelsAVX2
  import KernelsAVX512
  import KernelsAVX512BF16
  import KernelsAVX512VNNI
#endif

/// The attention kernels of one instruction set.
package struct AttentionKernels: Sendable {
  package let float32: @Sendable (UnsafePointer<ApusAttention>) -> Void
  package let bfloat16: @Sendable (UnsafePointer<ApusAttention>) -> Void
  /// Whether the processor multiplies bfloat16; else it is done in float32, and slower than ``float32``.
  package let multipliesBFloat16: Bool
  /// Bytes of working memory for calls of at most so many queries with heads so wide.
  package let scratchByteCount: @Sendable (_ queries: Int, _ headWidth: Int) -> Int
}

extension KernelSet {
  package var attention: AttentionKernels {
    #if arch(x86_64)
      switch name {
      case "avx2": return .avx2
      case "avx512": return .avx512
      case "avx512vnni": return .avx512vnni
      case "avx512bf16": return .avx512bf16
      default: break
      }
    #endif
    return .baseline
  }
}

extension AttentionKernels {
  fileprivate static let baseline = AttentionKernels(
    float32: { KernelsBaseline.attentionFloat32($0) },
    bfloat16: { KernelsBaseline.attentionBFloat16($0) }, multipliesBFloat16: false,
    scratchByteCount: { KernelsBaseline.attentionScratchByteCount(queryCount: $0, headWidth: $1) })

  #if arch(x86_64)
    fileprivate static let avx2 = AttentionKernels(
      float32: { KernelsAVX2.attentionFloat32($0) },
      bfloat16: { KernelsAVX2.attentionBFloat16($0) }, multipliesBFloat16: false,
      scratchByteCount: { KernelsAVX2.attentionScratchByteCount(queryCount: $0, headWidth: $1) })

    fileprivate static let avx512 = AttentionKernels(
      float32: { KernelsAVX512.attentionFloat32($0) },
      bfloat16: { KernelsAVX512.attentionBFloat16($0) }, multipliesBFloat16: false,
      scratchByteCount: { KernelsAVX512.attentionScratchByteCount(queryCount: $0, headWidth: $1) })

    fileprivate static let avx512vnni = AttentionKernels(
      float32: { KernelsAVX512VNNI.attentionFloat32($0) },
      bfloat16: { KernelsAVX512VNNI.attentionBFloat16($0) }, multipliesBFloat16: false,
      scratchByteCount: { KernelsAVX512VNNI.attentionScratchByteCount(queryCount: $0, headWidth: $1) })

    fileprivate static let avx512bf16 = AttentionKernels(
      float32: { KernelsAVX512BF16.attentionFloat32($0) },
      bfloat16: { KernelsAVX512BF16.attentionBFloat16($0) }, multipliesBFloat16: true,
      scratchByteCount: { KernelsAVX512BF16.attentionScratchByteCount(queryCount: $0, headWidth: $1) })
  #endif
}
