import Formats
import Graph
import Models
import TensorCore
import TestSupport

typealias Builder = TFLiteModelBuilder

/// Small valid models for tests to start from.
enum SmallModels {
  /// A 2×2 convolution of two channels into three with ReLU, in float32, and the sum over the image's rows
  /// and columns of each channel by a fully connected layer.
  static var float: TFLiteModelBuilder {
    var model = TFLiteModelBuilder()
    model.codes = [Builder.Code(3), Builder.Code(22), Builder.Code(9)]
    let weights = (0..<24).map { Float($0 % 5) - 2 }
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("image", Builder.float32, [1, 3, 3, 2]),
          .constant("filters", [3, 2, 2, 2], weights), .constant("bias", [3], [0.5, -0.5, 1]),
          Builder.Tensor("map", Builder.float32, [1, 2, 2, 3]),
          .constant("shape", [2], [1, -1] as [Int32]), Builder.Tensor("row", Builder.float32, [1, 12]),
          .constant("matrix", [2, 12], (0..<24).map { Float($0) / 8 }),
          Builder.Tensor("scores", Builder.float32, [1, 2]),
        ],
        inputs: [0], outputs: [7],
        operators: [
          Builder.Operator(code: 0, inputs: [0, 1, 2], outputs: [3], options: convolutionOptions),
          Builder.Operator(code: 1, inputs: [3, 4], outputs: [5], options: Builder.Options(17)),
          Builder.Operator(code: 2, inputs: [5, 6, -1], outputs: [7], options: Builder.Options(8)),
        ])
    ]
    return model
  }

  /// Stride 1, no padding, ReLU.
  static var convolutionOptions: TFLiteModelBuilder.Options {
    Builder.Options(1, [0: .int8(1), 1: .int32(1), 2: .int32(1), 3: .int8(1)])
  }

  /// An int8 convolution with a scale for each of three channels, between quantize and dequantize.
  static var quantized: TFLiteModelBuilder {
    var model = TFLiteModelBuilder()
    model.codes = [Builder.Code(114), Builder.Code(3, version: 3), Builder.Code(6, version: 2)]
    var bias = Builder.Tensor.constant("bias", [3], [7, 8, 9] as [Int32])
    bias.scales = [0.05, 0.025, 0.0125]
    bias.zeroPoints = [0, 0, 0]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("x", Builder.float32, [1, 4, 4, 2]),
          Builder.Tensor("q", Builder.int8, [1, 4, 4, 2], scales: [0.1], zeroPoints: [-3]),
          Builder.Tensor(
            "weights", Builder.int8, [3, 1, 1, 2], data: [1, 2, 3, 4, 5, 6], scales: [0.5, 0.25, 0.125],
            zeroPoints: [0, 0, 0]),
          bias, Builder.Tensor("r", Builder.int8, [1, 4, 4, 3], scales: [0.2], zeroPoints: [4]),
          Builder.Tensor("y", Builder.float32, [1, 4, 4, 3]),
        ],
        inputs: [0], outputs: [5],
        operators: [
          Builder.Operator(code: 0, inputs: [0], outputs: [1]),
          Builder.Operator(code: 1, inputs: [1, 2, 3], outputs: [4], options: convolutionOptions),
          Builder.Operator(code: 2, inputs: [4], outputs: [5]),
        ])
    ]
    return model
  }

  /// A composite operator for `x + [1, 2]`, and its doubling by an addition; a signature names both ends.
  static var composite: TFLiteModelBuilder {
    var model = TFLiteModelBuilder()
    model.codes = [Builder.Code(206, deprecated: 127), Builder.Code(0)]
    let pair = { (name: String) in Builder.Tensor(name, Builder.float32, [2]) }
    var composite = Builder.Operator(code: 0, inputs: [0], outputs: [1])
    composite.extra = [11: .uint8(21), 12: .table([0: .string("plus_one_two"), 1: .int32(1)])]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [pair("x"), pair("sum"), pair("double")], inputs: [0], outputs: [2, 1],
        operators: [
          composite, Builder.Operator(code: 1, inputs: [1, 1], outputs: [2], options: Builder.Options(11)),
        ]),
      Builder.Subgraph(
        tensors: [pair("a"), .constant("one_two", [2], [1, 2] as [Float]), pair("c")], inputs: [0],
        outputs: [2],
        operators: [Builder.Operator(code: 1, inputs: [0, 1], outputs: [2], options: Builder.Options(11))]),
    ]
    model.signatures = [
      Builder.Signature(
        key: "serving_default", subgraph: 0, inputs: [("input", 0)], outputs: [("plus", 1), ("twice", 2)])
    ]
    return model
  }

  /// Two fully connected layers of sparse weights: the first reads [[1, 0, 0, 2], [0, -1, 0, 0]] as they are stored, the
  /// second [[0, 0], [3, 4]], in blocks of 1 × 2, by way of DENSIFY.
  static var sparse: TFLiteModelBuilder {
    var model = TFLiteModelBuilder()
    model.codes = [Builder.Code(9), Builder.Code(124)]
    var rows = Builder.Tensor.constant("rows", [2, 4], [1, 2, -1] as [Float])
    rows.sparsity = .init([0, 1], [.dense(2), .compressed(.uint16([0, 2, 3]), .uint8([0, 3, 1]))])
    var blocks = Builder.Tensor.constant("blocks", [2, 2], [3, 4] as [Float])
    blocks.sparsity = .init(
      [0, 1, 2], [.dense(2), .compressed(.int32([0, 0, 1]), .int32([0])), .dense(2)], blockMap: [1])
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("x", Builder.float32, [1, 4]), rows, Builder.Tensor("y", Builder.float32, [1, 2]),
          blocks, Builder.Tensor("dense", Builder.float32, [2, 2]),
          Builder.Tensor("z", Builder.float32, [1, 2]),
        ],
        inputs: [0], outputs: [5],
        operators: [
          Builder.Operator(code: 0, inputs: [0, 1, -1], outputs: [2], options: Builder.Options(8)),
          Builder.Operator(code: 1, inputs: [3], outputs: [4]),
          Builder.Operator(code: 0, inputs: [2, 4, -1], outputs: [5], options: Builder.Options(8)),
        ])
    ]
    return model
  }

  /// Concatenation, a strided slice and a gather, with their integer operands.
  static var movement: TFLiteModelBuilder {
    var model = TFLiteModelBuilder()
    model.codes = [Builder.Code(2), Builder.Code(45), Builder.Code(36)]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("a", Builder.float32, [2, 3]), Builder.Tensor("b", Builder.float32, [2, 2]),
          Builder.Tensor("ab", Builder.float32, [2, 5]), .constant("begin", [2], [0, 1] as [Int32]),
          .constant("end", [2], [2, 5] as [Int32]), .constant("strides", [2], [1, 2] as [Int32]),
          Builder.Tensor("slice", Builder.float32, [2, 2]), .constant("indices", [3], [1, 0, 1] as [Int32]),
          Builder.Tensor("rows", Builder.float32, [3, 2]),
        ],
        inputs: [0, 1], outputs: [8],
        operators: [
          Builder.Operator(
            code: 0, inputs: [0, 1], outputs: [2], options: Builder.Options(10, [0: .int32(1)])),
          Builder.Operator(code: 1, inputs: [2, 3, 4, 5], outputs: [6], options: Builder.Options(32)),
          Builder.Operator(code: 2, inputs: [6, 7], outputs: [8], options: Builder.Options(23)),
        ])
    ]
    return model
  }
}

extension TFLiteModelBuilder {
  /// What can be imported of the model.
  func importer() throws(ApusError) -> TFLiteImporter {
    let bytes = build()
    return TFLiteImporter(try TFLiteModel(bytes))
  }

  /// The error with which the import ends.
  func refusal() -> ApusError? {
    do throws(ApusError) {
      _ = try importer().graph()
      return nil
    } catch {
      return error
    }
  }
}

extension Graph {
  /// The outputs for some inputs, on one thread.
  func run(_ inputs: [Tensor]) throws(ApusError) -> [Tensor] {
    var options = CompileOptions()
    options.threads = 1
    return try Compiler.compile(self, options).run(inputs)
  }
}
