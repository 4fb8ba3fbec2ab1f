import KernelsBaseline

#if arch(x86_64)
  import KernelsAVX2
  import KernelsAVX512
  import KernelsAVX512BF16
  import KernelsAVX512VNNI
#endif

/// Loops that do the arithmetic of one instruction set, or read memory, and nothing else: what a core can do at
/// most.
package struct CeilingKernels: Sendable {
  /// Additions and multiplications of one step of ``float32``; bfloat16 has twice as many, int8 four times.
  package let float32OperationsPerStep: Int
  package let float32: @Sendable (_ steps: Int) -> Float
  package let bfloat16: @Sendable (_ steps: Int) -> Float
  package let int8: @Sendable (_ steps: Int) -> Int32
  /// Reads bytes, a multiple of 16 vectors.
  package let read: @Sendable (UnsafeRawPointer, Int) -> Int32
}

extension CeilingKernels {
  package static let baseline = CeilingKernels(
    float32OperationsPerStep: KernelsBaseline.float32OperationsPerStep,
    float32: { KernelsBaseline.repeatFloat32($0) },
    bfloat16: { KernelsBaseline.repeatBFloat16($0) }, int8: { KernelsBaseline.repeatInteger8($0) },
    read: { KernelsBaseline.readBytes($0, $1) })

  #if arch(x86_64)
    package static let avx2 = CeilingKernels(
      float32OperationsPerStep: KernelsAVX2.float32OperationsPerStep,
      float32: { KernelsAVX2.repeatFloat32($0) },
      bfloat16: { KernelsAVX2.repeatBFloat16($0) }, int8: { KernelsAVX2.repeatInteger8($0) },
      read: { KernelsAVX2.readBytes($0, $1) })

    package static let avx512 = CeilingKernels(
      float32OperationsPerStep: KernelsAVX512.float32OperationsPerStep,
      float32: { KernelsAVX512.repeatFloat32($0) },
      bfloat16: { KernelsAVX512.repeatBFloat16($0) }, int8: { KernelsAVX512.repeatInteger8($0) },
      read: { KernelsAVX512.readBytes($0, $1) })

    package static let avx512vnni = CeilingKernels(
      float32OperationsPerStep: KernelsAVX512VNNI.float32OperationsPerStep,
      float32: { KernelsAVX512VNNI.repeatFloat32($0) },
      bfloat16: { KernelsAVX512VNNI.repeatBFloat16($0) }, int8: { KernelsAVX512VNNI.repeatInteger8($0) },
      read: { KernelsAVX512VNNI.readBytes($0, $1) })

    package static let avx512bf16 = CeilingKernels(
      float32OperationsPerStep: KernelsAVX512BF16.float32OperationsPerStep,
      float32: { KernelsAVX512BF16.repeatFloat32($0) },
      bfloat16: { KernelsAVX512BF16.repeatBFloat16($0) }, int8: { KernelsAVX512BF16.repeatInteger8($0) },
      read: { KernelsAVX512BF16.readBytes($0, $1) })
  #endif
}
