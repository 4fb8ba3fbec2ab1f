import Formats
import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Files give what ONNX Runtime gives without optimisations, on every instruction set, whether operations are joined or not:
/// integers and truth values exactly, but those of layers of bytes, whose sums are rounded once here and are sums of floats
/// there: by one step where a sum lies between two.
struct ONNXFixtureTests {
  @Test(arguments: ONNXFixture.names)
  func equalsONNXRuntime(_ name: String) throws {
    let fixture = try ONNXFixture(name)
    var index = 0
    while let run = try fixture.run(index) {
      for kernels in KernelSet.available {
        for fuses in [true, false] {
          let outputs = try fixture.outputs(run.inputs, kernels, fuses: fuses)
          #expect(outputs.count == run.outputs.count)
          for (position, (found, expected)) in zip(outputs, run.outputs).enumerated() {
            let problem = try Self.difference(found, expected, steps: name == "chains" ? 1 : 0)
            let label = try fixture.importer.interface().outputs[position].name
            #expect(problem == nil, "run \(index), output \(position) '\(label)', \(kernels.name), \(fuses)")
          }
        }
      }
      index += 1
    }
    #expect(index > 0)
  }

  @Test func thereAreFixtures() { #expect(ONNXFixture.names.count >= 24) }

  /// What differs by more than 10⁻⁵ of the greatest number, or by a hundredth of that for float16, whose results the other
  /// program rounds at every step.
  /// - Parameter steps: how far bytes may be off, one in twenty of them.
  private static func difference(_ found: Tensor, _ expected: Tensor, steps: Int) throws -> String? {
    guard found.type == expected.type else { return "\(found.type), expected \(expected.type)" }
    guard found.dataType.isFloat else {
      if found.bytes.elementsEqual(expected.bytes) { return nil }
      guard steps > 0 else { return "other integers" }
      let differences = zip(try found.integers(), try expected.integers()).map { abs($0 - $1) }
      let count = differences.count { $0 > 0 }
      return differences.allSatisfy { $0 <= steps } && 20 * count <= max(differences.count, 40)
        ? nil : "\(count) other integers of \(differences.count), by up to \(differences.max() ?? 0)"
    }
    let isHalf = found.dataType == .float16
    let numbers = isHalf ? try widened(found) : try found.elements(of: Float.self)
    let reference = isHalf ? try widened(expected) : try expected.elements(of: Float.self)
    let greatest = reference.map { $0.isFinite ? abs($0) : 0 }.max() ?? 0
    let bound = (isHalf ? 2e-3 : 1e-5) * max(greatest, 1)
    for (index, (a, b)) in zip(numbers, reference).enumerated() {
      if a == b || a.isNaN && b.isNaN || abs(a - b) <= bound { continue }
      return "element \(index) is \(a), expected \(b)"
    }
    return nil
  }

  private static func widened(_ tensor: Tensor) throws -> [Float] {
    try tensor.elements(of: Float16.self).map { Float($0) }
  }
}
