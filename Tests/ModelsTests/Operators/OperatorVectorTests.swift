import Graph
import Kernels
import TensorCore
import Testing

@testable import Models

/// Every operator gives what TFLite's reference kernels give, on every instruction set, with operands given at run
/// time and with all of them constant: integers and truth values bit for bit.
@Suite struct OperatorVectorTests {
  /// How far floats may be from the reference's.
  private enum FloatBound {
    case exact
    /// 10⁻⁵ of the number, or of a tenth where that is greater.
    case ofNumber
    /// 10⁻⁵ of the number, or of a tenth of the result's greatest one: for sums of products.
    case ofGreatest

    init(family: String) {
      switch family {
      case "movement": self = .exact
      case "layers", "matmul": self = .ofGreatest
      default: self = .ofNumber
      }
    }
  }

  @Test(arguments: OperatorVector.families)
  func equalsTheReferenceKernels(_ family: String) throws {
    for vector in try OperatorVector.family(family) {
      for kernels in KernelSet.available {
        for isFolded in [false, true] {
          let problem: String?
          do {
            let found = try vector.run(kernels, isFolded: isFolded)
            problem = try Self.problem(found, vector.outputs, FloatBound(family: family))
          } catch {
            problem = "\(error)"
          }
          #expect(
            problem == nil,
            "\(vector.operator) \(vector.name), \(kernels.name)\(isFolded ? ", folded" : "")")
        }
      }
    }
  }

  /// Weights that several models keep in one place are told apart by all that their packed form depends on.
  @Test(arguments: KernelSet.available.map(\.name))
  func manyModelsKeepTheirWeightsInOnePlace(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    let store = PackedWeightStore()
    for vector in try ["layers", "matmul"].flatMap({ try OperatorVector.family($0) }) {
      let alone = try vector.run(kernels, isFolded: false)
      var byteCounts: [Int] = []
      for _ in 0..<2 {
        let found = try vector.run(kernels, isFolded: false, packedWeights: store)
        let isSame = zip(found, alone).allSatisfy { $0.bytes.elementsEqual($1.bytes) }
        #expect(isSame && found.count == alone.count, "\(vector.operator) \(vector.name)")
        byteCounts.append(store.byteCount)
      }
      // The second finds what the first packed.
      #expect(byteCounts[0] == byteCounts[1], "\(vector.operator) \(vector.name)")
    }
    #expect(store.byteCount > 0)
  }

  /// An operator without a case would be listed, and never compared.
  @Test func everyOperatorHasACase() throws {
    let covered = Set(try OperatorVector.families.flatMap { try OperatorVector.family($0) }.map(\.operator))
    // Its function is a subgraph, which a case has not: ConverterTests have a network of it.
    let others: Set = ["STABLEHLO_REDUCE_WINDOW"]
    #expect(Set(TFLiteOperators.all.map(\.builtin.name).filter { !covered.contains($0) }) == others)
  }

  private static func problem(
    _ found: [Tensor], _ expected: [OperatorVector.Entry], _ bound: FloatBound
  ) throws -> String? {
    guard found.count == expected.count else { return "\(found.count) results" }
    for (found, entry) in zip(found, expected) {
      let expected = try entry.tensor
      guard found.shape == expected.shape, found.dataType == expected.dataType,
        found.quantization == expected.quantization || bound == .exact
      else { return "\(found.type), expected \(expected.type)" }
      if let problem = try difference(found, expected, bound) { return problem }
    }
    return nil
  }

  private static func difference(_ found: Tensor, _ expected: Tensor, _ bound: FloatBound) throws -> String? {
    guard found.dataType == .float32, bound != .exact else {
      guard !found.bytes.elementsEqual(expected.bytes) else { return nil }
      guard let found = try? found.integers(), let expected = try? expected.integers() else {
        return "other bytes"
      }
      let differing = zip(found, expected).enumerated().filter { $1.0 != $1.1 }
      return
        "\(differing.count) of \(found.count) differ, the first: \(differing.first.map { "\($0)" } ?? "")"
    }
    let reference = try expected.elements(of: Float.self)
    let floor = bound == .ofGreatest ? (reference.map(abs).max() ?? 0) / 10 : 0.1
    for (index, (a, b)) in zip(try found.elements(of: Float.self), reference).enumerated() {
      if a == b || a.isNaN && b.isNaN || abs(a - b) <= 1e-5 * max(abs(b), floor) { continue }
      return "element \(index) is \(a), the reference gives \(b)"
    }
    return nil
  }
}
