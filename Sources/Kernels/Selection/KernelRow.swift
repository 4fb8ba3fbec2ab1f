import CIntrinsics
import KernelsBaseline

#if ROW_AVX2
  import KernelsAVX2
#endif
#if ROW_AVX512
  import KernelsAVX512
#endif
#if ROW_AVX512BF16
  import KernelsAVX512BF16
#endif
#if ROW_AVX512VBMI
  import KernelsAVX512VBMI
#endif
#if ROW_AVX512VNNI
  import KernelsAVX512VNNI
#endif
#if ROW_AVXVNNI
  import KernelsAVXVNNI
#endif
#if ROW_NEONBF16
  import KernelsNEONBF16
#endif
#if ROW_NEONDotProduct
  import KernelsNEONDotProduct
#endif
#if ROW_NEONI8MM
  import KernelsNEONI8MM
#endif

/// The numbers that kernels multiply: those of one family are chosen together.
package enum NumericFamily: String, CaseIterable, Sendable {
  case float, integer, bfloat16
}

/// The kernels of one family for one instruction set.
package struct KernelRow<Table>: Sendable {
  package let set: InstructionSet
  /// Runs instructions of the set itself.
  private let write: @Sendable (UnsafeMutablePointer<Table>) -> Void

  init(_ set: InstructionSet, _ write: @escaping @Sendable (UnsafeMutablePointer<Table>) -> Void) {
    self.set = set
    self.write = write
  }

  /// The kernels. Only for processors that have the instruction set.
  func table() -> Table {
    let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    defer { memory.deallocate() }
    write(memory)
    return memory.move()
  }
}

/// The rows of each family, the slowest first, as far as Package.swift has them compiled. A target has the families that
/// its instructions make faster.
enum KernelRows {
  static let float = {
    var rows: [KernelRow<ApusFloatKernels>] = []
    rows.append(KernelRow(.baseline, KernelsBaseline.writeFloatKernels))
    #if ROW_AVX2
      rows.append(KernelRow(.avx2, KernelsAVX2.writeFloatKernels))
    #endif
    #if ROW_AVX512
      rows.append(KernelRow(.avx512, KernelsAVX512.writeFloatKernels))
    #endif
    return rows
  }()

  static let integer = {
    var rows: [KernelRow<ApusIntegerKernels>] = []
    rows.append(KernelRow(.baseline, KernelsBaseline.writeIntegerKernels))
    #if ROW_AVX2
      rows.append(KernelRow(.avx2, KernelsAVX2.writeIntegerKernels))
    #endif
    #if ROW_AVXVNNI
      rows.append(KernelRow(.avxvnni, KernelsAVXVNNI.writeIntegerKernels))
    #endif
    #if ROW_AVX512
      rows.append(KernelRow(.avx512, KernelsAVX512.writeIntegerKernels))
    #endif
    #if ROW_AVX512VNNI
      rows.append(KernelRow(.avx512vnni, KernelsAVX512VNNI.writeIntegerKernels))
    #endif
    #if ROW_AVX512VBMI
      rows.append(KernelRow(.avx512vbmi, KernelsAVX512VBMI.writeIntegerKernels))
    #endif
    #if ROW_NEONDotProduct
      rows.append(KernelRow(.dotprod, KernelsNEONDotProduct.writeIntegerKernels))
    #endif
    #if ROW_NEONI8MM
      rows.append(KernelRow(.i8mm, KernelsNEONI8MM.writeIntegerKernels))
    #endif
    return rows
  }()

  static let bfloat16 = {
    var rows: [KernelRow<ApusBFloat16Kernels>] = []
    rows.append(KernelRow(.baseline, KernelsBaseline.writeBFloat16Kernels))
    #if ROW_AVX2
      rows.append(KernelRow(.avx2, KernelsAVX2.writeBFloat16Kernels))
    #endif
    #if ROW_AVX512
      rows.append(KernelRow(.avx512, KernelsAVX512.writeBFloat16Kernels))
    #endif
    #if ROW_AVX512BF16
      rows.append(KernelRow(.avx512bf16, KernelsAVX512BF16.writeBFloat16Kernels))
    #endif
    #if ROW_NEONBF16
      rows.append(KernelRow(.bf16, KernelsNEONBF16.writeBFloat16Kernels))
    #endif
    return rows
  }()
}

extension NumericFamily {
  /// The instruction sets that it has kernels for, the slowest first.
  package var sets: [InstructionSet] {
    switch self {
    case .float: KernelRows.float.map(\.set)
    case .integer: KernelRows.integer.map(\.set)
    case .bfloat16: KernelRows.bfloat16.map(\.set)
    }
  }
}
