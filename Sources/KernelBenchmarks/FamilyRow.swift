import Kernels
import TensorCore

/// A row of a family of kernels, and the kernels in use with that row in place of the family's own.
struct FamilyRow: Sendable {
  let name: String
  /// Whether it is the family's own.
  let isPicked: Bool
  let kernels: KernelSet

  /// Every row of `family` that the processor can run, the slowest first. Those without products of bfloat16 are one,
  /// because models then compute in float32.
  static func rows(of family: NumericFamily) throws(ApusError) -> [FamilyRow] {
    let usable = family.sets.filter { $0.missing(in: ProcessorFeatures.host.instructions).isEmpty }
    let picked = KernelSet.best
    var rows: [FamilyRow] = []
    for set in usable {
      let kernels = try KernelSet.named("\(picked.name),\(family.rawValue)=\(set.rawValue)")
      if family == .bfloat16, !kernels.bfloat16.hasProducts {
        guard rows.isEmpty else { continue }
        rows = [FamilyRow(name: "as f32", isPicked: !picked.bfloat16.hasProducts, kernels: kernels)]
      } else {
        rows.append(FamilyRow(name: set.rawValue, isPicked: picked.choice[family] == set, kernels: kernels))
      }
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
