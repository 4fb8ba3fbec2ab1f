import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// A fully connected layer whose weights are computed while the model runs gives the numbers of one whose weights are known.
@Suite struct ComputedWeightsTests {
  /// Runs an operation whose operands are known only when it runs.
  private func evaluate(_ operation: FullyConnected, _ inputs: [Tensor]) throws -> Tensor {
    let unknown = Operands(inputs: inputs.map(\.type), constants: [], declared: [])
    let types = try operation.outputTypes(unknown)
    let context = LoweringContext(operands: unknown, results: types, kernels: .best)
    let operands = Operands(inputs: inputs.map(\.type), constants: inputs, declared: [])
    #expect(operation.preparedInputs(unknown).isEmpty)
    let results = try Evaluator.evaluate(
      operation.lowering(context), operands: operands, results: types, threads: 1)
    return try #require(results.first)
  }

  @Test(arguments: 0..<60)
  func productsAreThoseOfKnownWeights(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let (rows, columns, depth) = (
      Int.random(in: 0...5, using: &random), Int.random(in: 1...9, using: &random),
      Int.random(in: 1...9, using: &random)
    )
    let activation = [Activation.none, .relu, .relu6, .reluN1To1].randomElement(using: &random) ?? .none
    let operation = FullyConnected(activation: activation, keepsDimensions: Bool.random(using: &random))
    // Small whole numbers: sums are exact in any order.
    func whole(_ shape: [Int]) throws -> Tensor {
      try floats((0..<shape.reduce(1, *)).map { _ in Float(Int.random(in: -3...3, using: &random)) }, shape)
    }
    var inputs = [try whole([2, rows, depth]), try whole([columns, depth])]
    if Bool.random(using: &random) { inputs.append(try whole([columns])) }
    let expected = try GraphTests.evaluate(operation, inputs)
    let found = try evaluate(operation, inputs)
    #expect(found.shape == expected.shape)
    #expect(try found.elements(of: Float.self) == expected.elements(of: Float.self))
  }

  /// Nothing that follows the layer is made part of it: there is nothing to prepare.
  @Test func whatFollowsStaysBehind() throws {
    for operation in [Gelu(.exact), Tanh()] as [any Operation] {
      var graph = SpelledGraph()
      let (x, weights) = (try graph.input([5, 8]), try graph.input([6, 8]))
      graph.output(try graph.add(operation, graph.add(FullyConnected(), x, weights)))
      #expect(try graph.fused() == ["fullyConnected", operation.name])
    }
    var graph = SpelledGraph()
    let (x, weights) = (try graph.input([5, 8]), try graph.input([6, 8]))
    graph.output(try graph.add(Add(), graph.add(FullyConnected(), x, weights), graph.input([5, 6])))
    #expect(try graph.fused() == ["fullyConnected", "add"])
  }

  @Test func otherTypesAreRefused() throws {
    let quantization = try Quantization(scales: [1], zeroPoints: [0])
    let type = TensorType(.int8, try Shape([2, 2]), quantization: quantization)
    let operands = Operands(inputs: [type, type], constants: [], declared: [type])
    let types = try FullyConnected().outputTypes(operands)
    let context = LoweringContext(operands: operands, results: types, kernels: .best)
    let error = try #require(throws: ApusError.self) { try FullyConnected().lowering(context) }
    #expect(error.kind == .unsupportedModel && error.problem.contains("computed while the model runs"))
  }
}
