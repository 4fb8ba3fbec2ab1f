import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Each way in which a file can contradict itself is refused with the place.
struct TFLiteMalformedTests {
  @Test func theModel() {
    #expect(refusal([]).contains("0 bytes are too few for a TFLite model"))
    #expect(
      refusal(Array("<html><body>".utf8)).contains(
        "not a TFLite model: the identifier is \"l><b\", expected \"TFL3\""))
    #expect(refusalOfAddition { $0.version = 2 }.contains("(Model.version): schema version 2, expected 3"))
    #expect(refusalOfAddition { $0.subgraphs = [] }.contains("no subgraph, expected at least one"))
  }

  @Test func tensorIndices() {
    #expect(
      refusalOfAddition { $0.subgraphs[0].operators[0].inputs = [0, 3] }
        .contains("operator 0 (ADD): offset"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].operators[0].inputs = [0, 3] }
        .contains("(Operator.inputs): tensor 3, expected one of the 3 tensors"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].operators[0].inputs = [-2, 1] }.contains(
        "(Operator.inputs): tensor -2"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].operators[0].outputs = [-1] }.contains(
        "(Operator.outputs): tensor -1"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].inputs = [-1] }
        .contains("(SubGraph.inputs): inputs of the subgraph name tensor -1"))
    #expect(refusalOfAddition { $0.subgraphs[0].outputs = [9] }.contains("(SubGraph.outputs)"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].inputs = [0, 0] }
        .contains("tensor 0 'a': an input of the subgraph is an input of the subgraph already"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].inputs = [0, 1] }.contains(
        "tensor 1 'b': an input of the subgraph is a constant"))
  }

  @Test func buffers() {
    #expect(
      refusalOfAddition { $0.subgraphs[0].tensors[1].buffer = 7 }
        .contains("tensor 1 'b': offset"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].tensors[1].buffer = 7 }
        .contains("(Tensor.buffer): buffer 7, expected one of the 2 buffers"))
    for count in [1, 7, 9] {
      #expect(
        refusalOfAddition { $0.subgraphs[0].tensors[1].data = [UInt8](repeating: 0, count: count) }
          .contains("buffer 1 has \(count) bytes, expected 8 for FLOAT32[2]"))
    }
    let outside: [Int: FlatBufferNode] = [1: .uint64(1 << 40), 2: .uint64(8)]
    #expect(
      refusalOfAddition { $0.extra[4] = .vector([.table([:]), .table(outside)]) }
        .contains("buffer 1: offset"))
    let endless: [Int: FlatBufferNode] = [1: .uint64(16), 2: .uint64(.max)]
    #expect(
      refusalOfAddition { $0.extra[4] = .vector([.table([:]), .table(endless)]) }
        .contains("(Buffer.offset): 18446744073709551615 bytes at offset 16, expected a place in the file"))
    #expect(
      refusalOfAddition { $0.extra[6] = .vector([.table([0: .string("m"), 1: .uint32(5)])]) }
        .contains("metadata 0 'm' names buffer 5, expected one of the 2 buffers"))
  }

  @Test func shapes() {
    #expect(
      refusalOfAddition { $0.subgraphs[0].tensors[2].shape = [-1] }
        .contains("tensor 2 'sum': shape [-1] has the negative dimension -1"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].tensors[2].shape = [.max, .max, .max] }
        .contains("has more elements than memory can hold"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].tensors[2].shape = [Int32](repeating: 1, count: 65) }
        .contains("a tensor of rank 65, expected at most 64"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].tensors[0].shapeSignature = [-1, 2] }
        .contains("(Tensor.shape_signature): shape signature [-1, 2], expected 1 dimensions"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].tensors[0].type = 99 }.contains(
        "(Tensor.type): unknown element type 99"))
  }

  @Test func operators() {
    #expect(
      refusalOfAddition { $0.subgraphs[0].operators[0].code = 4 }
        .contains("operator 0: offset"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].operators[0].code = 4 }
        .contains("operator code 4, expected one of the 1 operator codes"))
    #expect(
      refusalOfAddition { $0.codes = [Builder.Code(-5)] }.contains(
        "operator code 0 is -5, expected 0 or more"))
    #expect(
      refusalOfAddition { $0.codes = [Builder.Code(32)] }.contains(
        "operator code 0 is a custom operator without a name"))
    #expect(
      refusalOfAddition { $0.subgraphs[0].operators[0].extra = [9: .uint64(1 << 50), 10: .uint64(1)] }
        .contains("(Operator.large_custom_options_offset): 1 bytes at offset 1125899906842624"))
  }

  @Test func order() {
    let second = Builder.Operator(inputs: [2, 1], outputs: [3])
    func model(_ change: (inout Builder.Subgraph) -> Void) -> String {
      refusalOfAddition {
        $0.subgraphs[0].tensors.append(Builder.Tensor("twice", 0, [2]))
        $0.subgraphs[0].operators.append(second)
        $0.subgraphs[0].outputs = [3]
        change(&$0.subgraphs[0])
      }
    }
    #expect(model { _ in } == "")
    #expect(
      model { $0.operators.swapAt(0, 1) }
        .contains("operator 0 (ADD): it reads tensor 2 'sum' before anything has written it"))
    #expect(
      model { $0.operators[0].inputs = [3, 1] }.contains("operator 0 (ADD): it reads tensor 3 'twice' before")
    )
    #expect(
      model { $0.operators[1].outputs = [2] }
        .contains("operator 1 (ADD): it writes tensor 2 'sum', which is written by operator 0 (ADD) already"))
    #expect(model { $0.operators[1].outputs = [1] }.contains("it writes tensor 1 'b', which is a constant"))
    #expect(model { $0.operators[1].outputs = [0] }.contains("it writes tensor 0 'a', which is an input"))
    #expect(
      model { $0.operators[1].outputs = [] }.contains(
        "tensor 3 'twice': an output of the subgraph that nothing writes"))
  }

  @Test func signatures() {
    #expect(
      refusalOfAddition {
        $0.signatures = [Builder.Signature(key: "k", subgraph: 1, inputs: [], outputs: [])]
      }
      .contains("signature 'k' names subgraph 1, expected one of the 1 subgraphs"))
    #expect(
      refusalOfAddition {
        $0.signatures = [Builder.Signature(key: "k", subgraph: 0, inputs: [("x", 3)], outputs: [])]
      }
      .contains("signature 'k' binds 'x' to tensor 3, expected one of the 3 tensors"))
  }

  @Test func composites() {
    func model(_ body: Int32, subgraphs: Int = 2) -> String {
      var model = Builder.oneOperator(
        206, inputs: [Builder.Tensor("x", 0, [1])], outputs: [Builder.Tensor("y", 0, [1])])
      let options: FlatBufferNode = .table([0: .string("norm"), 1: .int32(body)])
      model.subgraphs[0].operators[0].extra = [11: .uint8(21), 12: options]
      var plain = model.subgraphs[0]
      plain.operators[0].extra[12] = .table([0: .string("inner"), 1: .int32(0)])
      model.subgraphs.append(plain)
      return refusal(model.build())
    }
    #expect(model(2).contains("operator 0 (STABLEHLO_COMPOSITE) 'norm': it stands for subgraph 2"))
    #expect(model(0).contains("composites more than 64 deep, or without an end"))
    #expect(model(1).contains("composites more than 64 deep, or without an end"))
  }
}

/// Scales and zero points that make no sense are refused with the tensor.
struct TFLiteMalformedQuantizationTests {
  private func convolution(_ tensor: Int, _ change: (inout Builder.Tensor) -> Void) -> String {
    var model = ModelSamples.convolution
    change(&model.subgraphs[0].tensors[tensor])
    return refusal(model.build())
  }

  @Test(arguments: [0, -1, .nan, .infinity] as [Float]) func scale(value: Float) {
    #expect(
      convolution(1) { $0.scales[1] = value }
        .contains("(QuantizationParameters.scale): scale 1 is \(value), expected a positive finite number"))
  }

  @Test func counts() {
    #expect(convolution(0) { $0.scales = [] }.contains("0 scales and 1 zero points"))
    #expect(convolution(0) { $0.zeroPoints = [] }.contains("1 scales and 0 zero points"))
    #expect(
      convolution(1) { tensor in
        tensor.scales.removeLast()
        tensor.zeroPoints.removeLast()
      }.contains("tensor 1 'weights': offset"))
    #expect(
      convolution(1) { $0.quantizedDimension = 3 }.contains(
        "3 scales along axis 3 of shape [3, 1, 1, 2], expected 2"))
    #expect(
      convolution(1) { $0.quantizedDimension = 4 }.contains(
        "along axis 4 of shape [3, 1, 1, 2], expected one of its 4 axes"))
    #expect(convolution(1) { $0.quantizedDimension = -1 }.contains("along axis -1"))
  }

  @Test(arguments: [128, -129, .max] as [Int64]) func zeroPoint(value: Int64) {
    #expect(
      convolution(0) { $0.zeroPoints = [value] }
        .contains("zero point 0 is \(value), expected -128 to 127 for INT8"))
  }

  @Test func scheme() {
    #expect(
      convolution(0) { $0.extra[4] = .table([4: .uint8(9)]) }.contains("unknown quantization scheme 9"))
  }
}
