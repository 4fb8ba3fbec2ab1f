/// The number format of multiplications.
package enum Arithmetic: String, Sendable, CaseIterable {
  case float32 = "f32"
  case bfloat16 = "bf16"
  case int8

  /// How a rate of its operations is called.
  package var unit: String { self == .int8 ? "Gop/s" : "GFLOP/s" }
}

/// What one execution of a kernel has to do, however it does it.
package struct KernelWork: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// So many additions and multiplications.
    case operations(Double, Arithmetic)
    /// Reading and writing, with next to no arithmetic.
    case movement
  }

  package let kind: Kind
  /// Bytes of operands and results, each counted once; at least 1.
  package let byteCount: Int
  /// How many of them are written.
  package let writtenByteCount: Int

  /// - Parameters:
  ///   - byteCount: of operands and results, each counted once.
  ///   - writtenByteCount: how many of them are written; 0 where next to none are.
  package init(_ kind: Kind, byteCount: Int, writing writtenByteCount: Int = 0) {
    self.kind = kind
    self.byteCount = max(1, byteCount)
    self.writtenByteCount = writtenByteCount
  }

  /// The work of an execution that takes so long, per nanosecond: 10⁹ operations a second, or GB/s.
  package func rate(nanoseconds: Double) -> Double {
    switch kind {
    case .operations(let count, _): count / nanoseconds
    case .movement: Double(byteCount) / nanoseconds
    }
  }

  package var unit: String {
    switch kind {
    case .operations(_, let arithmetic): arithmetic.unit
    case .movement: "GB/s"
    }
  }

  /// Operations for each byte; nil where there is nothing but movement.
  package var intensity: Double? {
    switch kind {
    case .operations(let count, _): count / Double(byteCount)
    case .movement: nil
    }
  }
}
