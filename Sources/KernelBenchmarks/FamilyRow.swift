import Kernels
import TensorCore

/// A row of a family of kernels, and the kernels in use with that row in place of the family's own.
struct FamilyRow: Sendable {
  let set: InstructionSet
  /// Whether it is the family's own.
  let isPicked: Bool
  let kernels: KernelSet

  var name: String { self.set.rawValue }

  /// Every row of `family` that the processor can run, the slowest first; of bfloat16 those with products of their own,
  /// as models are refused that precision with the others.
  static func rows(of family: NumericFamily) throws(ApusError) -> [FamilyRow] {
    let picked = KernelSet.best
    var rows: [FamilyRow] = []
    for set in family.sets where set.missing(in: ProcessorFeatures.host.instructions).isEmpty {
      let kernels = try KernelSet.named("\(picked.name),\(family.rawValue)=\(set.rawValue)")
      guard family != .bfloat16 || kernels.bfloat16.hasProducts else { continue }
      rows.append(FamilyRow(set: set, isPicked: picked.choice[family] == set, kernels: kernels))
    }
    return rows
  }
}

extension Arithmetic {
  /// The kernels that multiply such numbers.
  var family: NumericFamily {
    switch self {
    case .float32: .float
    case .bfloat16: .bfloat16
    case .int8: .integer
    }
  }
}
