import Formats
import Graph
import Models
import TensorCore
import TestSupport
import Testing

/// What becomes of a file's operators, constants, names and shapes.
struct TFLiteImporterTests {
  /// The convolution sums 2×2×2 products: for an image of ones the sum of a filter, plus bias, above 0.
  @Test func runsASmallModel() throws {
    let graph = try SmallModels.float.importer().graph()
    let ones = try Tensor([Float](repeating: 1, count: 18), shape: Shape([1, 3, 3, 2]))
    let scores = try graph.run([ones])[0].elements(of: Float.self)
    let weights = (0..<24).map { Float($0 % 5) - 2 }
    let bias: [Float] = [0.5, -0.5, 1]
    let channels = (0..<3).map { channel -> Float in
      let filter = weights[(8 * channel)..<(8 * channel + 8)]
      return max(0, filter.reduce(0, +) + bias[channel])
    }
    var expected: [Float] = [0, 0]
    for index in 0..<24 { expected[index / 12] += channels[index % 3] * Float(index) / 8 }
    #expect(scores == expected)
    #expect(graph.nodes.map(\.label).first == "operator 0 (CONV_2D)")
  }

  @Test func movesData() throws {
    let graph = try SmallModels.movement.importer().graph()
    let a = try Tensor([0, 1, 2, 10, 11, 12] as [Float], shape: Shape([2, 3]))
    let b = try Tensor([3, 4, 13, 14] as [Float], shape: Shape([2, 2]))
    let rows = try graph.run([a, b])[0]
    #expect(try rows.elements(of: Float.self) == [11, 13, 1, 3, 11, 13])
    #expect(rows.shape == (try Shape([3, 2])))
  }

  /// Shapes follow from the inputs, whatever the file declares for the results.
  @Test func infersShapesFromGivenInputs() throws {
    let importer = try SmallModels.movement.importer()
    let graph = try importer.graph(inputShapes: ["a": Shape([2, 6]), 1: Shape([2, 5])])
    #expect(graph.inputs.map { graph[$0].type.shape } == [try Shape([2, 6]), try Shape([2, 5])])
    #expect(throws: ApusError.self) { try importer.graph(inputShapes: ["c": .scalar]) }
    #expect(throws: ApusError.self) { try importer.graph(inputShapes: ["a": .scalar, 0: .scalar]) }
    #expect(throws: ApusError.self) { try importer.graph(inputShapes: ["a": Shape([3, 6])]) }
  }

  @Test func replacesACompositeByItsDecomposition() throws {
    let importer = try SmallModels.composite.importer()
    let graph = try importer.graph()
    #expect(
      graph.nodes.map(\.label)
        == ["operator 0 (STABLEHLO_COMPOSITE): operator 0 (ADD)", "operator 1 (ADD)"])
    let outputs = try graph.run([Tensor([10, 20] as [Float], shape: Shape([2]))])
    #expect(try outputs.map { try $0.elements(of: Float.self) } == [[22, 44], [11, 22]])
  }

  @Test func namesInputsAndOutputsBySignature() throws {
    let importer = try SmallModels.composite.importer()
    let plain = try importer.model.interface()
    #expect(plain.inputs.map(\.name) == ["input"] && plain.inputs.map(\.tensorName) == ["x"])
    #expect(plain.outputs.map(\.name) == ["twice", "plus"])
    let signed = try importer.graph(signature: "serving_default")
    #expect(signed.outputs.map { signed[$0].name } == ["plus", "twice"])
    #expect(try plain.position(of: "x") == 0 && plain.position(of: "input") == 0)

    #expect(throws: ApusError.self) { try importer.graph(signature: "other") }
    #expect(throws: ApusError.self) { try importer.graph(subgraph: 2) }
    let second = try importer.graph(subgraph: 1)
    #expect(second.inputs.map { second[$0].name } == ["a"])
  }

  /// The new shape is in the options where there is no operand; old files write a scalar's as [0].
  @Test(arguments: [([4] as [Int32], [4]), ([2, -1], [2, 2])])
  func reshapesByOptions(stated: [Int32], expected: [Int]) throws {
    let model = Builder.oneOperator(
      22, options: Builder.Options(17, [0: .int32s(stated)]),
      inputs: [Builder.Tensor("x", Builder.float32, [1, 4])],
      outputs: [Builder.Tensor("y", Builder.float32, [9])])
    let graph = try model.importer().graph()
    #expect(graph[graph.outputs[0]].type.shape.dimensions == expected)
  }

  @Test func reshapesToAScalarByOptions() throws {
    let model = Builder.oneOperator(
      22, options: Builder.Options(17, [0: .int32s([0])]),
      inputs: [Builder.Tensor("x", Builder.float32, [1, 1])],
      outputs: [Builder.Tensor("y", Builder.float32, [])])
    let graph = try model.importer().graph()
    #expect(graph[graph.outputs[0]].type.shape == .scalar)
  }

  /// Weights may lie at any byte of the file: here behind as many bytes of another tensor.
  @Test(arguments: 1..<5)
  func readsConstantsAtAnyPlace(shift: Int) throws {
    var before = Builder.Tensor(
      "before", Builder.int8, [Int32(shift)], data: .init(repeating: 7, count: shift))
    before.isOutside = true
    var constant = Builder.Tensor.constant("b", [2], [1.5, -2] as [Float])
    constant.isOutside = true
    var model = TFLiteModelBuilder()
    model.codes = [Builder.Code(0)]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          before, Builder.Tensor("a", Builder.float32, [2]), constant,
          Builder.Tensor("y", Builder.float32, [2]),
        ],
        inputs: [1], outputs: [3],
        operators: [Builder.Operator(inputs: [1, 2], outputs: [3], options: Builder.Options(11))])
    ]
    let sum = try model.importer().graph().run([Tensor([1, 1] as [Float], shape: Shape([2]))])[0]
    #expect(try sum.elements(of: Float.self) == [2.5, -1])
  }

  /// The only bytes that Swift's `Bool` may have are 0 and 1; files may have any.
  @Test func readsAnyByteButZeroAsTrue() throws {
    let model = Builder.oneOperator(
      84,
      inputs: [
        Builder.Tensor("a", Builder.bool, [4]),
        Builder.Tensor("b", Builder.bool, [4], data: [0, 1, 2, 255]),
      ], outputs: [Builder.Tensor("y", Builder.bool, [4])])
    let graph = try model.importer().graph()
    let either = try graph.run([Tensor([false, false, false, false], shape: Shape([4]))])[0]
    #expect(either.bytes.elementsEqual([0, 1, 1, 1]))
  }
}
