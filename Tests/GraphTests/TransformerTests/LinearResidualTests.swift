import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// An addition after a linear layer is done by the layer, and gives what both give apart.
@Suite struct LinearResidualTests {
  @Test(arguments: Precision.allCases.filter(\.isAvailable), [Activation.none, .relu])
  func additionsAreFused(_ precision: Precision, _ activation: Activation) throws {
    var random = SeededRandom()
    let test = LinearCase(shape: [13, 40], columns: [30, 20], precision: precision)
    let operands = try test.operands(&random)
    let residual = try Tensor(random.floats(13 * 50), shape: Shape([13, 50]))
    var options = CompileOptions()
    options.precision = precision
    let model = try Compiler.compile(
      graph(operands, residual.type, then: Add(activation: activation)), options)
    #expect(model.graph.nodes.count == 1)
    let fused = try model.run([operands.x, residual])[0].elements(of: Float.self)
    let sums = zip(try test.run(operands), try residual.elements(of: Float.self)).map { $0 + $1 }
    #expect(fused == (activation == .relu ? sums.map { max($0, 0) } : sums))
  }

  /// Not when the layer has an activation of its own, or its result is read twice.
  @Test func additionsThatAreNot() throws {
    var random = SeededRandom()
    let gelu = LinearCase(shape: [3, 8], columns: [5], activation: .gelu(.exact))
    let operands = try gelu.operands(&random)
    let type = TensorType(.float32, try Shape([3, 5]))
    let activated = try graph(operands, type, then: Add(), linear: Linear(hasBias: true, activation: .relu))
    #expect(try Compiler.compile(activated).graph.nodes.count == 2)
    let limited = try graph(operands, type, then: Add(activation: .relu6), linear: Linear(hasBias: true))
    #expect(try Compiler.compile(limited).graph.nodes.count == 2)
    var shared = try graph(operands, type, then: Add(), linear: Linear(hasBias: true))
    shared.outputs.append(try #require(shared.nodes.first?.outputs.first))
    #expect(try Compiler.compile(shared).graph.nodes.count == 2)
  }

  private func graph(
    _ operands: LinearCase.Operands, _ residual: TensorType, then addition: Add, linear: Linear? = nil
  ) throws -> Graph {
    var builder = GraphBuilder()
    let x = builder.input("x", operands.x.type)
    let added = builder.input("r", residual)
    let constants = (operands.weights + operands.biases).map { builder.constant("w", $0) }
    let linear = linear ?? Linear(parts: operands.weights.count, hasBias: true)
    let sums = try builder.add(linear, [x] + constants, results: [.init("s")], label: "linear")[0]
    builder.output(try builder.add(addition, [added, sums], results: [.init("y")], label: "add")[0])
    return builder.graph
  }
}
