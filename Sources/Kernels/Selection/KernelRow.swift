import CIntrinsics
import KernelsBaseline

#if arch(x86_64)
  import KernelsAVX2
  import KernelsAVX512
  import KernelsAVX512BF16
  import KernelsAVX512VBMI
  import KernelsAVX512VNNI
  import KernelsAVXVNNI
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

/// The rows of each family, the slowest first. A target has the families that its instructions make faster.
enum KernelRows {
  static let float: [KernelRow<ApusFloatKernels>] = {
    var rows = [KernelRow(.baseline, KernelsBaseline.writeFloatKernels)]
    #if arch(x86_64)
      rows.append(KernelRow(.avx2, KernelsAVX2.writeFloatKernels))
      rows.append(KernelRow(.avx512, KernelsAVX512.writeFloatKernels))
    #endif
    return rows
  }()

  static let integer: [KernelRow<ApusIntegerKernels>] = {
    var rows = [KernelRow(.baseline, KernelsBaseline.writeIntegerKernels)]
    #if arch(x86_64)
      rows.append(KernelRow(.avx2, KernelsAVX2.writeIntegerKernels))
      rows.append(KernelRow(.avxvnni, KernelsAVXVNNI.writeIntegerKernels))
      rows.append(KernelRow(.avx512, KernelsAVX512.writeIntegerKernels))
      rows.append(KernelRow(.avx512vnni, KernelsAVX512VNNI.writeIntegerKernels))
      rows.append(KernelRow(.avx512vbmi, KernelsAVX512VBMI.writeIntegerKernels))
    #endif
    return rows
  }()

  static let bfloat16: [KernelRow<ApusBFloat16Kernels>] = {
    var rows = [KernelRow(.baseline, KernelsBaseline.writeBFloat16Kernels)]
    #if arch(x86_64)
      rows.append(KernelRow(.avx2, KernelsAVX2.writeBFloat16Kernels))
      rows.append(KernelRow(.avx512, KernelsAVX512.writeBFloat16Kernels))
      rows.append(KernelRow(.avx512bf16, KernelsAVX512BF16.writeBFloat16Kernels))
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
