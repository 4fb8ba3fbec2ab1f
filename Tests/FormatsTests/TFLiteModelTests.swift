import TensorCore
import TestSupport
import Testing

@testable import Formats

/// What a sound file says arrives as it is.
struct TFLiteModelTests {
  @Test func aConvolution() throws {
    let bytes = ModelSamples.convolution.build()
    let model = try TFLiteModel(bytes)
    let graph = try #require(model.subgraphs.first)
    #expect(graph.inputs == [0] && graph.outputs == [3] && graph.obstacles.isEmpty)
    #expect(graph.tensors.map(\.name) == ["input", "weights", "bias", "output"])
    let weights = graph.tensors[1]
    #expect(weights.data.map { Array(bytes[$0]) } == [1, 2, 3, 4, 5, 6])
    #expect(weights.tensorType?.quantization?.scales == [0.5, 0.25, 0.125])
    #expect(weights.tensorType?.quantization?.axis == 0)
    #expect(graph.tensors[0].tensorType?.description == "int8[1, 4, 4, 2] scale 0.1 zero point -3")
    let step = graph.operators[0]
    #expect(step.inputs == [0, 1, 2] && step.outputs == [3])
    #expect(step.label == "operator 0 (CONV_2D)" && step.code.version == 3)
    let one = TFLiteExtent(height: 1, width: 1)
    let expected = Conv2DOptions(
      padding: .same, stride: one, dilation: one, activation: .none, quantizedBiasType: .float32)
    #expect(step.options as? Conv2DOptions == expected)
    #expect(model.metadata.map { Array(bytes[$0.data]) } == [Array("1.5.0".utf8)])
    #expect(try model.signature(named: "serving_default").inputs.map(\.name) == ["x"])
    #expect(try model.subgraph(named: "0").name == "main")
    #expect(
      throws: ApusError(.argument, "the model has no signature 'no'", expected: "one of 'serving_default'")
    ) {
      try model.signature(named: "no")
    }
  }

  @Test func optionalInputsAreNil() throws {
    let model = Builder.oneOperator(
      9, options: Builder.Options(8),
      inputs: [Builder.Tensor("x", 0, [1, 2]), .constant("w", [1, 2], [1, 2] as [Float]), nil],
      outputs: [Builder.Tensor("y", 0, [1, 1])])
    #expect(try TFLiteModel(model.build()).subgraphs[0].operators[0].inputs == [0, 1, nil])
  }

  /// Old files have the 8-bit field only, some converters the new one only.
  @Test(arguments: [(6, 6), (6, 0), (0, 6)] as [(Int32, Int8)])
  func theOperatorCodeIsTheLargerOfBothFields(new: Int32, old: Int8) throws {
    var model = ModelSamples.addition
    model.codes = [Builder.Code(new, deprecated: old)]
    #expect(try TFLiteModel(model.build()).operatorCodes[0].builtin == .DEQUANTIZE)
  }

  @Test(
    arguments: [(127, nil), (150, .GELU), (203, .DILATE), (210, nil)]
      as [(Int32, TFLiteBuiltin?)])
  func operatorsBeyondTheOldField(code: Int32, builtin: TFLiteBuiltin?) throws {
    var model = ModelSamples.addition
    model.codes = [Builder.Code(code)]
    model.subgraphs[0].operators[0].options = nil
    let parsed = try TFLiteModel(model.build())
    if code == 210 {
      #expect(parsed.subgraphs[0].obstacles == ["operator 0 (builtin operator 210): unknown"])
    } else {
      #expect(parsed.operatorCodes[0].builtin == builtin ?? .PLACEHOLDER_FOR_GREATER_OP_CODES)
    }
  }

  @Test func customOperatorsAreNamed() throws {
    let model = Builder.oneOperator(
      32, custom: "FlexFoo", inputs: [Builder.Tensor("x", 0, [1])], outputs: [Builder.Tensor("y", 0, [1])])
    #expect(
      try TFLiteModel(model.build()).subgraphs[0].obstacles == ["operator 0 (FlexFoo): a custom operator"])
  }

  @Test func whatCannotRunIsListed() throws {
    var model = ModelSamples.addition
    model.subgraphs[0].tensors[1].sparsity = .init([0], [.dense(2)])
    model.subgraphs[0].tensors.append(Builder.Tensor("text", Builder.string, [1]))
    model.subgraphs[0].tensors.append(Builder.Tensor("nibbles", Builder.int4, [3], data: [1, 2]))
    var state = Builder.Tensor("state", 0, [1])
    state.isVariable = true
    model.subgraphs[0].tensors.append(state)
    #expect(
      try TFLiteModel(model.build()).subgraphs[0].obstacles == [
        "tensor 1 'b': values in a sparse encoding, read by operator 0 (ADD)",
        "tensor 3 'text': elements of type STRING",
        "tensor 4 'nibbles': elements of type INT4",
        "tensor 5 'state': a variable, which keeps its value between runs",
      ])
  }

  @Test func dataBehindTheFlatbuffer() throws {
    var model = ModelSamples.addition
    model.subgraphs[0].tensors[1].isOutside = true
    let bytes = model.build()
    let data = try #require(try TFLiteModel(bytes).subgraphs[0].tensors[1].data)
    #expect(data.upperBound == bytes.count)
    #expect(Array(bytes[data]) == [0, 0, 128, 63, 0, 0, 0, 64])
  }

  /// micro/person_detect.tflite has such biases.
  @Test func aVectorMayNameTheAxisOfItsWeights() throws {
    var model = ModelSamples.convolution
    model.subgraphs[0].tensors[2].quantizedDimension = 3
    #expect(try TFLiteModel(model.build()).subgraphs[0].tensors[2].tensorType?.quantization?.axis == 0)
  }

  @Test func twoSubgraphs() throws {
    var model = ModelSamples.addition
    model.subgraphs.append(model.subgraphs[0])
    model.subgraphs[1].name = "other"
    let parsed = try TFLiteModel(model.build())
    #expect(try parsed.subgraph(named: "other").index == 1)
    #expect(throws: ApusError.self) { try parsed.subgraph(named: "2") }
  }

  @Test func quantizationOfFloatsMeansNothing() throws {
    var model = ModelSamples.addition
    model.subgraphs[0].tensors[0].scales = [0]
    model.subgraphs[0].tensors[0].zeroPoints = [0]
    #expect(try TFLiteModel(model.build()).subgraphs[0].tensors[0].tensorType?.quantization == nil)
  }

  @Test func emptyTensorsNeedNoOrigin() throws {
    let model = Builder.oneOperator(
      22, options: Builder.Options(17, [0: .int32s([])]),
      inputs: [Builder.Tensor("x", 0, [1]), Builder.Tensor("shape", Builder.int32, [0], data: [])],
      outputs: [Builder.Tensor("y", 0, [])])
    let graph = try TFLiteModel(model.build()).subgraphs[0]
    #expect(graph.tensors[1].data == nil)
    #expect(graph.operators[0].options as? ReshapeOptions == ReshapeOptions(newShape: []))
  }
}
