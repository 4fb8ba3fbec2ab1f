import Graph
import Models
import TensorCore
import TestSupport
import Testing

/// Half-precision weights are not widened on the way in.
struct TFLiteHalfPrecisionTests {
  /// A convolution whose float16 filters go through DEQUANTIZE; `isShared` adds them to an input as well.
  private func model(isShared: Bool) -> TFLiteModelBuilder {
    var model = TFLiteModelBuilder()
    model.codes = [Builder.Code(6), Builder.Code(3), Builder.Code(0)]
    let halves = [1, -2, 0.5, 4].map { Float16($0) }.flatMap { Builder.bytes($0.bitPattern) }
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("x", Builder.float32, [1, 2, 2, 2]),
          Builder.Tensor("half", Builder.float16, [2, 1, 1, 2], data: halves),
          Builder.Tensor("filters", Builder.float32, [2, 1, 1, 2]),
          Builder.Tensor("y", Builder.float32, [1, 2, 2, 2]),
          Builder.Tensor("z", Builder.float32, [2, 1, 1, 2]),
        ],
        inputs: [0], outputs: isShared ? [3, 4] : [3],
        operators: [
          Builder.Operator(code: 0, inputs: [1], outputs: [2]),
          Builder.Operator(
            code: 1, inputs: [0, 2, -1], outputs: [3], options: SmallModels.convolutionOptions),
        ]
          + (isShared
            ? [Builder.Operator(code: 2, inputs: [2, 2], outputs: [4], options: Builder.Options(11))] : []))
    ]
    return model
  }

  @Test func convolutionTakesFloat16() throws {
    let graph = try model(isShared: false).importer().graph()
    #expect(graph.values.filter { $0.constant != nil }.map(\.type.dataType) == [.float16])
    let image = try Tensor([1, 1, 2, 0, 0, 2, 1, -1] as [Float], shape: Shape([1, 2, 2, 2]))
    #expect(try graph.run([image])[0].elements(of: Float.self) == [0, 4.5, 2, 1, 0, 8, 3, 0])
  }

  @Test func otherOperatorsTakeFloat32() throws {
    let graph = try model(isShared: true).importer().graph()
    let outputs = graph.outputs.map { graph[$0] }
    #expect(outputs[0].constant == nil)
    #expect(try outputs[1].constant?.elements(of: Float.self) == [2, -4, 1, 8])
  }
}
