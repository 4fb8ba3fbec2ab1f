import CIntrinsics
import KernelsBaseline

#if arch(x86_64)
  import KernelsAVX2
  import KernelsAVX512
  import KernelsAVX512BF16
  import KernelsAVX512VNNI
#endif

/// The kernels of one instruction set that bring weights and rows into the formats of matrix products.
package struct LinearKernels: Sendable {
  /// Whether bfloat16 products are instructions of the processor, and so faster than float32.
  package let hasBFloat16Products: Bool
  let packFloat32: @Sendable (UnsafePointer<ApusPanelPacking>) -> Void
  let packBFloat16: @Sendable (UnsafePointer<ApusPanelPacking>) -> Void
  let packInteger8: @Sendable (UnsafePointer<ApusPanelPacking>) -> Void
  let largestMagnitudes: @Sendable (UnsafePointer<ApusPanelPacking>, UnsafeMutablePointer<Float>) -> Void
  let roundRowsBFloat16: @Sendable (UnsafePointer<ApusRowStaging>) -> Void
  let quantizeRows: @Sendable (UnsafePointer<ApusRowStaging>) -> Void
}

extension LinearKernels {
  package static let baseline = LinearKernels(
    hasBFloat16Products: false,
    packFloat32: { KernelsBaseline.packFloat32($0) },
    packBFloat16: { KernelsBaseline.packBFloat16($0) },
    packInteger8: { KernelsBaseline.packInteger8($0) },
    largestMagnitudes: { KernelsBaseline.largestMagnitudes($0, $1) },
    roundRowsBFloat16: { KernelsBaseline.roundRowsBFloat16($0) },
    quantizeRows: { KernelsBaseline.quantizeRows($0) })

  #if arch(x86_64)
    package static let avx2 = LinearKernels(
      hasBFloat16Products: false,
      packFloat32: { KernelsAVX2.packFloat32($0) },
      packBFloat16: { KernelsAVX2.packBFloat16($0) },
      packInteger8: { KernelsAVX2.packInteger8($0) },
      largestMagnitudes: { KernelsAVX2.largestMagnitudes($0, $1) },
      roundRowsBFloat16: { KernelsAVX2.roundRowsBFloat16($0) },
      quantizeRows: { KernelsAVX2.quantizeRows($0) })

    package static let avx512 = LinearKernels(
      hasBFloat16Products: false,
      packFloat32: { KernelsAVX512.packFloat32($0) },
      packBFloat16: { KernelsAVX512.packBFloat16($0) },
      packInteger8: { KernelsAVX512.packInteger8($0) },
      largestMagnitudes: { KernelsAVX512.largestMagnitudes($0, $1) },
      roundRowsBFloat16: { KernelsAVX512.roundRowsBFloat16($0) },
      quantizeRows: { KernelsAVX512.quantizeRows($0) })

    package static let avx512vnni = LinearKernels(
      hasBFloat16Products: false,
      packFloat32: { KernelsAVX512VNNI.packFloat32($0) },
      packBFloat16: { KernelsAVX512VNNI.packBFloat16($0) },
      packInteger8: { KernelsAVX512VNNI.packInteger8($0) },
      largestMagnitudes: { KernelsAVX512VNNI.largestMagnitudes($0, $1) },
      roundRowsBFloat16: { KernelsAVX512VNNI.roundRowsBFloat16($0) },
      quantizeRows: { KernelsAVX512VNNI.quantizeRows($0) })

    package static let avx512bf16 = LinearKernels(
      hasBFloat16Products: true,
      packFloat32: { KernelsAVX512BF16.packFloat32($0) },
      packBFloat16: { KernelsAVX512BF16.packBFloat16($0) },
      packInteger8: { KernelsAVX512BF16.packInteger8($0) },
      largestMagnitudes: { KernelsAVX512BF16.largestMagnitudes($0, $1) },
      roundRowsBFloat16: { KernelsAVX512BF16.roundRowsBFloat16($0) },
      quantizeRows: { KernelsAVX512BF16.quantizeRows($0) })
  #endif
}
