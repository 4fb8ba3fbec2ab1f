import Graph
import Models
import TensorCore
import TestSupport
import Testing

/// Windows as converters from PyTorch write them: the function stands in a subgraph of its own.
struct ReduceWindowImportTests {
  private typealias Builder = TFLiteModelBuilder

  /// Windows of two by two steps over a row of five, with one element thought before it.
  private func model(_ function: Int32, operators: Int = 1) -> Builder {
    var model = Builder()
    model.codes = [Builder.Code(198, deprecated: 127), Builder.Code(function)]
    var step = Builder.Operator(inputs: [0, 1], outputs: [2])
    step.extra = [
      11: .uint8(13),
      12: .table([
        0: .int64s([1, 2]), 1: .int64s([1, 1]), 2: .int64s([1, 1]), 3: .int64s([1, 2]),
        4: .int64s([0, 0, 1, 0]),
        5: .int32(1),
      ]),
    ]
    let scalars = (0..<4).map { Builder.Tensor("\($0)", Builder.float32, []) }
    let body = (0..<Int32(operators)).map {
      Builder.Operator(code: 1, inputs: [$0 == 0 ? 0 : $0 + 1, 1], outputs: [$0 + 2])
    }
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("x", Builder.float32, [1, 5]), .constant("first", [], [-1] as [Float]),
          Builder.Tensor("y", Builder.float32, [1, 4]),
        ], inputs: [0], outputs: [2], operators: [step]),
      Builder.Subgraph(tensors: scalars, inputs: [0, 1], outputs: [Int32(operators) + 1], operators: body),
    ]
    return model
  }

  @Test(
    arguments: [
      (0, [0, 3, 5, 7]), (18, [2, -3, -8, -15]), (55, [2, 3, 4, 5]), (57, [-1, -1, -1, -1]),
    ] as [(Int32, [Float])])
  func runs(_ function: Int32, _ expected: [Float]) throws {
    let graph = try model(function).importer().graph()
    let x = try Tensor([1, 2, 3, 4, 5] as [Float], shape: Shape([1, 5]))
    #expect(try graph.run([x])[0].elements(of: Float.self) == expected)
  }

  @Test func otherFunctionsAreRefusedByName() throws {
    for model in [model(41), model(0, operators: 2)] {
      let importer = try model.importer()
      let error = #expect(throws: ApusError.self) { try importer.graph() }
      #expect(error?.kind == .unsupportedModel && error?.problem.contains("STABLEHLO_REDUCE_WINDOW") == true)
    }
  }
}
