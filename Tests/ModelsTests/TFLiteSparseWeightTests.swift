import Foundation
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Sparse weights are made dense when a model is opened, as TFLite's kernels do when they run.
struct TFLiteSparseWeightTests {
  private struct Expected: Decodable {
    let inputs: [[Double]]
    let outputs: [[Float]]
  }

  /// Files of `Tools/fixtures/sparse/make.py`: encodings of all kinds, and what LiteRT's reference kernels give.
  @Test(
    arguments: [
      "layouts", "linear_random", "linear_blocks", "linear_int8", "linear_densified", "linear_float16",
      "linear_int8_densified",
    ])
  func equalsTheReferenceKernels(name: String) throws { try Self.compare("sparse", name) }

  /// Networks that TensorFlow's converter wrote with EXPERIMENTAL_SPARSITY.
  @Test(arguments: ["pruned", "pruned_float16", "pruned_int8"])
  func prunedNetworks(name: String) throws { try Self.compare("converters", name) }

  private static func compare(_ folder: String, _ name: String) throws {
    let recorded = try Data(contentsOf: Checkout.fixture("\(folder)/expected.json"))
    let all = try JSONDecoder().decode([String: Expected].self, from: recorded)
    let expected = try #require(all[name])
    let graph = try TFLiteLoader.load(Checkout.fixture("\(folder)/\(name).tflite").path).graph()
    let inputs = try zip(graph.inputs, expected.inputs).map { try tensor($1, graph[$0].type) }
    let outputs = try graph.run(inputs)
    #expect(outputs.count == expected.outputs.count)
    for (index, (found, wanted)) in zip(outputs, expected.outputs).enumerated() {
      let numbers = try Self.numbers(found)
      let isSum = found.dataType == .float32 && name != "layouts"
      let difference = Tensor.difference(numbers, wanted, isSum ? .float32 : .exact)
      #expect(numbers.count == wanted.count && difference == nil, "output \(index)")
    }
  }

  @Test func densifyIsNoStepOfARun() throws {
    let graph = try SmallModels.sparse.importer().graph()
    #expect(graph.nodes.map(\.label) == ["operator 0 (FULLY_CONNECTED)", "operator 2 (FULLY_CONNECTED)"])
    #expect(graph.values.filter { $0.constant != nil }.map(\.name) == ["rows", "dense"])
    let found = try graph.run([Tensor([1, 2, 3, 4] as [Float], shape: Shape([1, 4]))])[0]
    let numbers = try found.elements(of: Float.self)
    #expect(numbers == [0, 19])
  }

  /// Half-precision weights are not widened on the way in, dense or not.
  @Test func float16StaysAsItIsStored() throws {
    var model = SmallModels.sparse
    model.codes.append(Builder.Code(6))
    model.subgraphs[0].tensors[3].type = Builder.float16
    model.subgraphs[0].tensors[3].data = [3, 4].flatMap { Builder.bytes(Float16($0).bitPattern) }
    model.subgraphs[0].tensors[4].type = Builder.float16
    model.subgraphs[0].tensors.append(Builder.Tensor("wide", Builder.float32, [2, 2]))
    model.subgraphs[0].operators.insert(Builder.Operator(code: 2, inputs: [4], outputs: [6]), at: 2)
    model.subgraphs[0].operators[3].inputs[1] = 6
    let graph = try model.importer().graph()
    #expect(graph.values.filter { $0.constant != nil }.map(\.type.dataType) == [.float32, .float16])
    let found = try graph.run([Tensor([1, 2, 3, 4] as [Float], shape: Shape([1, 4]))])[0]
    let numbers = try found.elements(of: Float.self)
    #expect(numbers == [0, 19])
  }

  /// TensorFlow's converter has DEQUANTIZE read float16 weights in sparse blocks, without DENSIFY.
  @Test func dequantizeReadsSparseFloat16() throws {
    var model = SmallModels.sparse
    model.codes[1] = Builder.Code(6)
    model.subgraphs[0].tensors[3].type = Builder.float16
    model.subgraphs[0].tensors[3].data = [3, 4].flatMap { Builder.bytes(Float16($0).bitPattern) }
    let graph = try model.importer().graph()
    #expect(graph.values.filter { $0.constant != nil }.map(\.type.dataType) == [.float32, .float16])
    let x = try Tensor([1, 2, 3, 4] as [Float], shape: Shape([1, 4]))
    let numbers = try graph.run([x])[0].elements(of: Float.self)
    #expect(numbers == [0, 19])
    // Widened where its result is asked for.
    model.subgraphs[0].outputs = [4, 5]
    let wide = try model.importer().graph().run([x])[0].elements(of: Float.self)
    #expect(wide == [0, 0, 3, 4])
  }

  /// A buffer without bytes makes no constant of a tensor whose encoding has elements.
  @Test func theEncodingOfAComputedTensorSaysNothing() throws {
    var y = Builder.Tensor("y", Builder.float32, [2], data: [])
    y.sparsity = .init([0], [.compressed(.uint8([0, 1]), .uint8([1]))])
    let model = Builder.oneOperator(101, inputs: [Builder.Tensor("x", Builder.float32, [2])], outputs: [y])
    let found = try model.importer().graph().run([Tensor([-1, 2] as [Float], shape: Shape([2]))])[0]
    let numbers = try found.elements(of: Float.self)
    #expect(numbers == [1, 2])
  }

  /// A sparse constant may be an output, once it is dense, and go by its name.
  @Test func whatIsDenseMayBeAnOutput() throws {
    var model = SmallModels.sparse
    model.subgraphs[0].outputs = [4, 5]
    let graph = try model.importer().graph()
    #expect(graph.outputs.map { graph[$0].name } == ["dense", "z"])
    let found = try graph.run([Tensor([1, 2, 3, 4] as [Float], shape: Shape([1, 4]))])
    let dense = try found[0].elements(of: Float.self)
    #expect(dense == [0, 0, 3, 4])
  }

  private static func tensor(_ numbers: [Double], _ type: TensorType) throws -> Tensor {
    guard type.dataType == .int8 else { return try Tensor(numbers.map { Float($0) }, shape: type.shape) }
    return try Tensor(numbers.map { Int8($0) }, shape: type.shape, quantization: type.quantization)
  }

  private static func numbers(_ tensor: Tensor) throws -> [Float] {
    switch tensor.dataType {
    case .float32: try tensor.elements(of: Float.self)
    case .float16: try tensor.elements(of: Float16.self).map { Float($0) }
    default: try tensor.integers().map { Float($0) }
    }
  }
}
