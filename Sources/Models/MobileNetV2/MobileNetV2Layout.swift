/// What MobileNetV2's tensors are called in a library's files, and how it pads.
struct MobileNetV2Layout: Sendable {
  typealias Unit = ConvolutionUnit
  typealias Block = InvertedResidual

  let stem: Unit
  let blocks: [Block]
  let head: Unit
  let classifier: String
  /// Added to the variances of the batch normalisations.
  let epsilon: Double
  /// Whether padding follows TensorFlow's rule.
  let padsLikeTensorFlow: Bool

  /// Blocks of each stage and the stride of its first (table 2 of the paper).
  private static let stages = [(1, 1), (2, 2), (3, 2), (4, 2), (3, 1), (3, 2), (1, 1)]
  private static let strides = stages.flatMap { count, stride in
    [stride] + [Int](repeating: 1, count: count - 1)
  }

  static func huggingFace(epsilon: Double, padsLikeTensorFlow: Bool) -> MobileNetV2Layout {
    let root = "mobilenet_v2"
    let unit = { (path: String) in Unit("\(root).\(path).convolution", "\(root).\(path).normalization") }
    let blocks = strides.enumerated().map { index, stride in
      let path = index == 0 ? "conv_stem" : "layer.\(index - 1)"
      return Block(
        expansion: index == 0 ? nil : unit("\(path).expand_1x1"), depthwise: unit("\(path).conv_3x3"),
        projection: unit("\(path).reduce_1x1"), stride: stride, addsInput: index > 0)
    }
    return MobileNetV2Layout(
      stem: unit("conv_stem.first_conv"), blocks: blocks, head: unit("conv_1x1"), classifier: "classifier",
      epsilon: epsilon, padsLikeTensorFlow: padsLikeTensorFlow)
  }

  /// - Parameter counts: blocks of each stage, which timm's deeper variants have more of.
  static func timm(counts: [Int]) -> MobileNetV2Layout {
    let blocks = zip(counts, stages).enumerated().flatMap { stage, sizes in
      (0..<sizes.0).map { index in
        let path = "blocks.\(stage).\(index)"
        let unit = { (name: String, norm: Int) in Unit("\(path).\(name)", "\(path).bn\(norm)") }
        let stride = index == 0 ? sizes.1.1 : 1
        return stage == 0
          ? Block(
            expansion: nil, depthwise: unit("conv_dw", 1), projection: unit("conv_pw", 2), stride: stride)
          : Block(
            expansion: unit("conv_pw", 1), depthwise: unit("conv_dw", 2), projection: unit("conv_pwl", 3),
            stride: stride)
      }
    }
    return MobileNetV2Layout(
      stem: Unit("conv_stem", "bn1"), blocks: blocks, head: Unit("conv_head", "bn2"),
      classifier: "classifier", epsilon: 1e-5, padsLikeTensorFlow: false)
  }

  static let torchvision = MobileNetV2Layout(
    stem: Unit("features.0.0", "features.0.1"),
    blocks: strides.enumerated().map { index, stride in
      let path = "features.\(index + 1).conv"
      return index == 0
        ? Block(
          expansion: nil, depthwise: Unit("\(path).0.0", "\(path).0.1"),
          projection: Unit("\(path).1", "\(path).2"), stride: stride)
        : Block(
          expansion: Unit("\(path).0.0", "\(path).0.1"), depthwise: Unit("\(path).1.0", "\(path).1.1"),
          projection: Unit("\(path).2", "\(path).3"), stride: stride)
    },
    head: Unit("features.18.0", "features.18.1"), classifier: "classifier.1", epsilon: 1e-5,
    padsLikeTensorFlow: false)
}
