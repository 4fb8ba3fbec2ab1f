import TensorCore
import TestSupport
import Testing

@testable import Formats

typealias Builder = TFLiteModelBuilder

/// Small valid models for tests to start from.
enum ModelSamples {
  /// A quantized 1×1 convolution of two channels into three, with bias.
  static var convolution: TFLiteModelBuilder {
    let weights = Builder.Tensor(
      "weights", Builder.int8, [3, 1, 1, 2], data: [1, 2, 3, 4, 5, 6], scales: [0.5, 0.25, 0.125],
      zeroPoints: [0, 0, 0])
    var bias = Builder.Tensor.constant("bias", [3], [7, 8, 9] as [Int32])
    bias.scales = [0.05, 0.025, 0.0125]
    bias.zeroPoints = [0, 0, 0]
    var model = Builder.oneOperator(
      3, version: 3, options: Builder.Options(1, [1: .int32(1), 2: .int32(1)]),
      inputs: [
        Builder.Tensor("input", Builder.int8, [1, 4, 4, 2], scales: [0.1], zeroPoints: [-3]), weights, bias,
      ],
      outputs: [Builder.Tensor("output", Builder.int8, [1, 4, 4, 3], scales: [0.2], zeroPoints: [4])])
    model.metadata = [("min_runtime_version", Array("1.5.0".utf8))]
    model.signatures = [
      Builder.Signature(key: "serving_default", subgraph: 0, inputs: [("x", 0)], outputs: [("y", 3)])
    ]
    return model
  }

  /// DENSIFY of the matrix [[1, 0, 2], [0, 0, 3]], of which the rows are compressed.
  static var sparse: TFLiteModelBuilder {
    let values: [Float] = [1, 2, 3]
    var matrix = Builder.Tensor(
      "sparse", Builder.float32, [2, 3], data: values.flatMap { Builder.bytes($0.bitPattern) })
    matrix.sparsity = .init([0, 1], [.dense(2), .compressed(.uint8([0, 2, 3]), .int32([0, 2, 2]))])
    return Builder.oneOperator(
      124, inputs: [matrix], outputs: [Builder.Tensor("dense", Builder.float32, [2, 3])])
  }

  /// Two floats added.
  static var addition: TFLiteModelBuilder {
    Builder.oneOperator(
      0, options: Builder.Options(11),
      inputs: [Builder.Tensor("a", Builder.float32, [2]), .constant("b", [2], [1, 2] as [Float])],
      outputs: [Builder.Tensor("sum", Builder.float32, [2])])
  }
}

/// What parsing the model says; an empty text when it is accepted.
func refusal(_ bytes: [UInt8]) -> String {
  do throws(ApusError) {
    _ = try TFLiteModel(bytes)
    return ""
  } catch {
    return error.kind == .malformedModel ? error.description : "kind \(error.kind): \(error)"
  }
}

/// What parsing the addition of ``ModelSamples`` says after a change.
func refusalOfAddition(_ change: (inout TFLiteModelBuilder) -> Void) -> String {
  var model = ModelSamples.addition
  change(&model)
  return refusal(model.build())
}
