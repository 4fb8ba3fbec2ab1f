import Kernels
import TensorCore
import TestSupport
import Testing

/// Families of different instruction sets work together.
@Suite struct KernelSetTests {
  @Test func theFastestIsLast() {
    #expect(KernelSet.available.last?.choice == KernelSet.fastest.choice)
    #expect(KernelSet.available.first?.name == "baseline")
    #expect(Set(KernelSet.available.map(\.name)).count == KernelSet.available.count)
  }

  /// Every row of this processor is in one of the sets that tests go through.
  @Test func everyRowIsTested() {
    for family in NumericFamily.allCases {
      let rows = family.sets.filter { $0.requires.isSubset(of: ProcessorFeatures.host.instructions) }
      #expect(Set(KernelSet.available.map { $0.choice[family] }) == Set(rows), "\(family)")
    }
  }

  /// The layout of panels is one for all families of a set.
  @Test(arguments: KernelSet.available.map(\.name))
  func layoutsAgree(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    #expect(kernels.name == name)
    for format in WeightFormat.allCases {
      #expect(
        kernels.lanes(format) == kernels.float.lanes && kernels.tileRows(format) == kernels.float.tileRows)
    }
  }

  /// A family's results depend on its own row alone, whatever the other families' are.
  @Test(arguments: NumericFamily.allCases)
  func familiesAreIndependent(_ family: NumericFamily) throws {
    var random = SeededRandom()
    let test = DenseCase(rows: 29, depth: 131, columns: 70, &random)
    for row in family.sets where row.requires.isSubset(of: ProcessorFeatures.host.instructions) {
      let alone = try KernelSet.named("\(row)")
      for others in KernelSet.available {
        let mixed = try KernelSet.named("\(others.name),\(family.rawValue)=\(row)")
        let format = family.format
        #expect(
          try test.run(format, mixed, threads: 2) == test.run(format, alone, threads: 1),
          "\(mixed.name) seed \(random.seed)")
      }
    }
  }
}

extension NumericFamily {
  fileprivate var format: WeightFormat {
    switch self {
    case .float: .float32
    case .integer: .int8
    case .bfloat16: .bfloat16
    }
  }
}
