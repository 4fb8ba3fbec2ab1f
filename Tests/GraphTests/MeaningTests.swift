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
    #expect(builder.graph.probabilities(in: row) == .exclusive)
    #expect(builder.graph.probabilities(in: stored) == .exclusive)
    #expect(builder.graph.probabilities(in: plain) == nil)
    #expect(builder.graph.probabilities(in: doubled) == nil)
    #expect(builder.graph.probabilities(in: logits) == nil)
  }

  @Test func probabilitiesStayWhatTheyAreWhenMovedChosenLimitedOrAveraged() throws {
    var builder = GraphBuilder()
    let logits = builder.input("x", TensorType(.float32, try Shape([1, 4])))
    func constant(_ numbers: [Float]) throws -> Value {
      builder.constant("", try Tensor(numbers, shape: .vector(numbers.count)))
    }
    func integers(_ numbers: [Int32]) throws -> Value {
      builder.constant("", try Tensor(numbers, shape: .vector(numbers.count)))
    }
    let (half, thirds, two) = (try constant([0.5]), try constant([0.3, 0.3, 0.3, 0.4]), try constant([2]))
    let softmax = try apply(Softmax(beta: 1), [logits], in: &builder)
    let other = try apply(Softmax(beta: 2), [logits], in: &builder)
    let sigmoid = try apply(Logistic(), [logits], in: &builder)
    let sum = try apply(Add(), [softmax, other], in: &builder)
    let limited = try apply(Extremum(.minimum), [softmax, half], in: &builder)
    let order = try integers([3, 1, 0, 2])
    let exclusive = [
      try apply(Gather(axis: 1), [softmax, order], in: &builder),
      try apply(Slice(), [softmax, integers([0, 1]), integers([1, 3])], in: &builder),
      try apply(Multiply(), [half, sum], in: &builder), try apply(Divide(), [sum, two], in: &builder),
      limited,
      try apply(Relu(.relu0To1), [softmax], in: &builder),
      try apply(
        Reduce(.mean, axes: [0], keepDimensions: true),
        [apply(Pack(axis: 0), [softmax, softmax], in: &builder)],
        in: &builder),
    ]
    for value in exclusive.dropLast() { #expect(builder.graph.probabilities(in: value) == .exclusive) }
    let exponentials = try apply(UnaryMath(.exp), [logits], in: &builder)
    let total = try apply(Reduce(.sum, axes: [1], keepDimensions: true), [exponentials], in: &builder)
    let spelledOut = try apply(Divide(), [exponentials, total], in: &builder)
    #expect(builder.graph.probabilities(in: spelledOut) == .exclusive)
    let independent = [
      sigmoid, try apply(Multiply(), [sigmoid, softmax], in: &builder),
      try apply(Concatenation(axis: 1), [softmax, other], in: &builder),
      try apply(Extremum(.maximum), [softmax, other], in: &builder),
      try apply(UnaryMath(.sqrt), [softmax], in: &builder), try #require(exclusive.last),
    ]
    for value in independent { #expect(builder.graph.probabilities(in: value) == .independent) }
    let unknown = [
      sum, try apply(Multiply(), [softmax, thirds], in: &builder), exponentials,
      try apply(Extremum(.maximum), [softmax, two], in: &builder),
      try apply(Multiply(), [softmax, logits], in: &builder), try apply(Relu(.relu6), [logits], in: &builder),
      try apply(Concatenation(axis: 1), [softmax, apply(Relu(.relu), [logits], in: &builder)], in: &builder),
    ]
    for value in unknown { #expect(builder.graph.probabilities(in: value) == nil) }
  }

  /// The head's logits are there for each score, so that they may stand for them.
  @Test func logitsBehindAChoiceAreNoneOfTheScores() throws {
    func head(_ ends: (Value, inout GraphBuilder) throws -> Value) throws -> ClassifierHead {
      var builder = GraphBuilder()
      let logits = builder.input("x", TensorType(.float32, try Shape([1, 4])))
      let softmax = try apply(Softmax(beta: 1), [logits], in: &builder)
      builder.output(try ends(softmax, &builder))
      return ClassifierHead(of: builder.graph)
    }
    #expect(try head { try apply(Reshape(shape: [4]), [$0], in: &$1) }.logits != nil)
    let chosen = try head { softmax, builder in
      let order = builder.constant("", try Tensor([Int32(1), 0], shape: .vector(2)))
      return try apply(Gather(axis: 1), [softmax, order], in: &builder)
    }
    #expect(chosen.logits == nil)
  }

  @Test func theScaleOfProbabilitiesIsKnown() throws {
    func holds(_ type: DataType, _ scale: Float, _ zeroPoint: Int32) throws -> Bool {
      let quantization = try Quantization(scales: [scale], zeroPoints: [zeroPoint])
      var builder = GraphBuilder()
      let value = builder.input("x", TensorType(type, .vector(2), quantization: quantization))
      return builder.graph.probabilities(in: value) == .exclusive
    }
    #expect(try holds(.uint8, 1 / 256, 0) && holds(.int8, 1 / 256, -128) && holds(.int16, 1 / 32768, 0))
    #expect(try !holds(.int8, 1 / 256, 0) && !holds(.uint8, 1 / 128, 0) && !holds(.int32, 1 / 256, 0))
  }
}
