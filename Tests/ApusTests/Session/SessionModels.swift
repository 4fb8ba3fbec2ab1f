import TestSupport

/// `.tflite` files to run on tensors.
enum SessionModels {
  private typealias Builder = TFLiteModelBuilder

  /// Two subgraphs of the inputs `left` and `right`, float32 [2, 3]: `sum = left + right`, which signature `add` calls
  /// `x`, `y` and `total`; and `product = left · right`, signature `multiply`. The first extent of all is free.
  static func arithmetic() -> [UInt8] {
    var model = Builder()
    model.codes = [Builder.Code(0), Builder.Code(18)]
    model.subgraphs = [binary(0, "sum", Builder.Options(11)), binary(1, "product", Builder.Options(21))]
    model.signatures = [
      Builder.Signature(key: "add", subgraph: 0, inputs: [("x", 0), ("y", 1)], outputs: [("total", 2)]),
      Builder.Signature(key: "multiply", subgraph: 1, inputs: [("x", 0), ("y", 1)], outputs: [("area", 2)]),
    ]
    return model.build()
  }

  private static func binary(_ code: UInt32, _ result: String, _ options: Builder.Options) -> Builder.Subgraph
  {
    let tensors = ["left", "right", result].map { name in
      var tensor = Builder.Tensor(name, Builder.float32, [2, 3])
      tensor.shapeSignature = [-1, 3]
      return tensor
    }
    return Builder.Subgraph(
      tensors: tensors, inputs: [0, 1], outputs: [2],
      operators: [Builder.Operator(code: code, inputs: [0, 1], outputs: [2], options: options)])
  }

  /// `stored`, int8 of scale 0.5 and zero point -3, from `real`, float32 [4].
  static func quantizing() -> [UInt8] {
    var model = Builder()
    model.codes = [Builder.Code(114)]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("real", Builder.float32, [4]),
          Builder.Tensor("stored", Builder.int8, [4], scales: [0.5], zeroPoints: [-3]),
        ],
        inputs: [0], outputs: [1], operators: [Builder.Operator(inputs: [0], outputs: [1])])
    ]
    return model.build()
  }

  /// `data`, float32 [6], in the shape that `shape`, int32 [2], says.
  static func reshaping() -> [UInt8] {
    var model = Builder()
    model.codes = [Builder.Code(22)]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("data", Builder.float32, [6]), Builder.Tensor("shape", Builder.int32, [2]),
          Builder.Tensor("reshaped", Builder.float32, []),
        ],
        inputs: [0, 1], outputs: [2], operators: [Builder.Operator(inputs: [0, 1], outputs: [2])])
    ]
    return model.build()
  }

  /// The sum of `left`, float32 [4], and `right`, float32 [3]: shapes that do not go together.
  static func unmatched() -> [UInt8] {
    var model = Builder()
    model.codes = [Builder.Code(0)]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: [
          Builder.Tensor("left", Builder.float32, [4]), Builder.Tensor("right", Builder.float32, [3]),
          Builder.Tensor("sum", Builder.float32, []),
        ],
        inputs: [0, 1], outputs: [2],
        operators: [Builder.Operator(inputs: [0, 1], outputs: [2], options: Builder.Options(11))])
    ]
    return model.build()
  }

  /// `sine` of `image`, float32 [4], which signature `twice` gives as `probs` and as `scores`, and signature `passing` as
  /// `probs` behind the input itself, `orig`.
  static func sharing() -> [UInt8] {
    var model = Builder()
    model.codes = [Builder.Code(66)]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: ["image", "sine"].map { Builder.Tensor($0, Builder.float32, [4]) },
        inputs: [0], outputs: [1, 1, 0], operators: [Builder.Operator(inputs: [0], outputs: [1])])
    ]
    model.signatures = [
      Builder.Signature(
        key: "twice", subgraph: 0, inputs: [("image", 0)], outputs: [("probs", 1), ("scores", 1)]),
      Builder.Signature(
        key: "passing", subgraph: 0, inputs: [("image", 0)], outputs: [("orig", 0), ("probs", 1)]),
    ]
    return model.build()
  }

  /// So many sines of `x`, float32 [elements], one of the other.
  static func sines(_ count: Int, elements: Int32) -> [UInt8] {
    var model = Builder()
    model.codes = [Builder.Code(66)]
    model.subgraphs = [
      Builder.Subgraph(
        tensors: (0...count).map { Builder.Tensor($0 == 0 ? "x" : "sine\($0)", Builder.float32, [elements]) },
        inputs: [0], outputs: [Int32(count)],
        operators: (0..<Int32(count)).map { Builder.Operator(inputs: [$0], outputs: [$0 + 1]) })
    ]
    return model.build()
  }
}
