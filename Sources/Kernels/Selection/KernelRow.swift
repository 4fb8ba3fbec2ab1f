import CIntrinsics

/// The numbers that kernels multiply: those of one family are chosen together.
package enum NumericFamily: String, CaseIterable, Sendable {
  case float, integer, bfloat16
}

/// The kernels of one family for one instruction set.
package struct KernelRow<Table>: Sendable {
  package let set: InstructionSet
  /// Runs instructions of the set itself.
  fileprivate let write: @Sendable (UnsafeMutablePointer<Table>) -> Void

  /// The kernels. Only for processors that have the instruction set.
  func table() -> Table {
    let memory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    defer { memory.deallocate() }
    write(memory)
    return memory.move()
  }
}

/// The rows of each family, the slowest first, as far as the program is linked with their targets. A target has the families
/// that its instructions make faster.
enum KernelRows {
  static let float: [KernelRow<ApusFloatKernels>] = linked(apusFloatRowAt, { $0.set }, { $0.write })
  static let integer: [KernelRow<ApusIntegerKernels>] = linked(apusIntegerRowAt, { $0.set }, { $0.write })
  static let bfloat16: [KernelRow<ApusBFloat16Kernels>] = linked(apusBFloat16RowAt, { $0.set }, { $0.write })

  /// - Parameters:
  ///   - name: of a row's instruction set; nil past the last.
  ///   - write: nil where the program is linked without the row.
  private static func linked<Row, Table>(
    _ rowAt: (Int) -> Row, _ name: (Row) -> UnsafePointer<CChar>?,
    _ write: (Row) -> (@Sendable (UnsafeMutablePointer<Table>) -> Void)?
  ) -> [KernelRow<Table>] {
    var rows: [KernelRow<Table>] = []
    var index = 0
    while let name = name(rowAt(index)) {
      if let set = InstructionSet(rawValue: String(cString: name)), let write = write(rowAt(index)) {
        rows.append(KernelRow(set: set, write: write))
      }
      index += 1
    }
    return rows
  }
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
