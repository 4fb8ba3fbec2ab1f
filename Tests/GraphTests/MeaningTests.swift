import Graph
import TensorCore
import Testing

/// What the graph knows of numbers besides their types: where constants were read, and what results stand for.
@Suite struct MeaningTests {
  private func apply(
    _ operation: some Operation, _ inputs: [Value?], type: TensorType? = nil, in builder: inout GraphBuilder
  ) throws -> Value {
    try builder.add(operation, inputs, results: [.init("", type)], label: operation.name)[0]
  }

  /// Names of constants play no part: ONNX calls its weights `onnx::MatMul_1234`.
  @Test func foldedConstantsKnowTheirSource() throws {
    var builder = GraphBuilder()
    let elements = try Tensor((0..<6).map { Float($0) }, shape: Shape([2, 3]))
    let source = WeightSource("encoder.fc.weight", rows: 2..<4)
    let weight = builder.constant("onnx::MatMul_1234", elements, source: source)
    let order = builder.constant("", try Tensor([Int32(1), 0], shape: .vector(2)))
    let cast = try apply(Cast(to: .float64), [weight], in: &builder)
    let transposed = try apply(Transpose(), [cast, order], in: &builder)
    let reshaped = try apply(Reshape(shape: [6]), [transposed], in: &builder)
    let doubled = try apply(Add(), [weight, weight], in: &builder)
    #expect(builder.graph.nodes.isEmpty)
    #expect(builder[cast].source == source && !source.isReordered)
    #expect(builder[reshaped].source?.tensor == "encoder.fc.weight")
    #expect(builder[reshaped].source?.rows == 2..<4)
    #expect(builder[reshaped].source?.isReordered == true)
    #expect(builder[doubled].source == nil)
  }

  @Test func probabilitiesAreFoundBehindWhatOnlyStoresAndArranges() throws {
    var builder = GraphBuilder()
    let logits = builder.input("x", TensorType(.float32, try Shape([1, 4])))
    let order = builder.constant("", try Tensor([Int32(1), 0], shape: .vector(2)))
    let eighths = TensorType(
      .int8, try Shape([4]), quantization: try Quantization(scales: [0.125], zeroPoints: [0]))
    let plain = try apply(Reshape(shape: [4]), [logits], in: &builder)
    let softmax = try apply(Softmax(beta: 1), [logits], in: &builder)
    let row = try apply(
      Reshape(shape: [4]), [apply(Transpose(), [softmax, order], in: &builder)], in: &builder)
    let stored = try apply(Quantize(), [row], type: eighths, in: &builder)
    let doubled = try apply(Add(), [row, row], in: &builder)
    #expect(builder.graph.holdsProbabilities(row))
    #expect(builder.graph.holdsProbabilities(stored))
    #expect(!builder.graph.holdsProbabilities(plain))
    #expect(!builder.graph.holdsProbabilities(doubled))
    #expect(!builder.graph.holdsProbabilities(logits))
  }

  @Test func theScaleOfProbabilitiesIsKnown() throws {
    func holds(_ type: DataType, _ scale: Float, _ zeroPoint: Int32) throws -> Bool {
      let quantization = try Quantization(scales: [scale], zeroPoints: [zeroPoint])
      var builder = GraphBuilder()
      let value = builder.input("x", TensorType(type, .vector(2), quantization: quantization))
      return builder.graph.holdsProbabilities(value)
    }
    #expect(try holds(.uint8, 1 / 256, 0) && holds(.int8, 1 / 256, -128) && holds(.int16, 1 / 32768, 0))
    #expect(try !holds(.int8, 1 / 256, 0) && !holds(.uint8, 1 / 128, 0) && !holds(.int32, 1 / 256, 0))
  }
}
