import TensorCore

/// An EfficientNet or MobileNetV3 of timm by its name there, in which the weights decide how wide it is.
struct TimmEfficientNet: Sendable {
  /// Such as `efficientnet_b0`; with `tf_` before it, of weights that were trained with TensorFlow.
  let name: String
  let design: EfficientNetDesign
  /// How many times as deep as the design it is.
  private let depth: Double

  private init(_ name: String, _ design: EfficientNetDesign, depth: Double = 1) {
    self.name = name
    self.design = design
    self.depth = depth
  }

  static let all = mobileNetV3 + efficientNets + lite

  private static let prefix = "tf_"

  private static let mobileNetV3: [TimmEfficientNet] = {
    let small = EfficientNetDesign.mobileNetV3Small
    let large = EfficientNetDesign.mobileNetV3Large
    let designs = [
      ("mobilenetv3_small_050", small), ("mobilenetv3_small_075", small), ("mobilenetv3_small_100", small),
      ("mobilenetv3_large_075", large), ("mobilenetv3_large_100", large),
      ("tf_mobilenetv3_small_075", small), ("tf_mobilenetv3_small_100", small),
      ("tf_mobilenetv3_small_minimal_100", small.minimal), ("tf_mobilenetv3_large_075", large),
      ("tf_mobilenetv3_large_100", large), ("tf_mobilenetv3_large_minimal_100", large.minimal),
    ]
    return designs.map { TimmEfficientNet($0, $1) } + [
      TimmEfficientNet("mobilenetv3_large_150d", large, depth: 1.2)
    ]
  }()

  private static let efficientNets = withTensorFlow(
    [
      ("efficientnet_b0", 1), ("efficientnet_b1", 1.1), ("efficientnet_b2", 1.2), ("efficientnet_b3", 1.4),
      ("efficientnet_b4", 1.8), ("efficientnet_b5", 2.2), ("efficientnet_b6", 2.6), ("efficientnet_b7", 3.1),
      ("efficientnet_b8", 3.6), ("efficientnet_l2", 5.3),
    ], .efficientNet)

  private static let lite = withTensorFlow(
    [
      ("efficientnet_lite0", 1), ("efficientnet_lite1", 1.1), ("efficientnet_lite2", 1.2),
      ("efficientnet_lite3", 1.4), ("efficientnet_lite4", 1.8),
    ], .efficientNetLite)

  private static func withTensorFlow(
    _ models: [(name: String, depth: Double)], _ design: EfficientNetDesign
  ) -> [TimmEfficientNet] {
    ["", prefix].flatMap { prefix in
      models.map { TimmEfficientNet(prefix + $0.name, design, depth: $0.depth) }
    }
  }

  /// The layers that the weights have.
  /// - Throws: ``ApusError`` of kind `malformedModel` where they have other blocks than the name says.
  func layout(_ weights: WeightPath) throws(ApusError) -> EfficientNetLayout {
    let counts = design.blockCounts(depth: depth)
    let lastCounts = design.headIsBehindMean ? [EfficientNetDesign.scaled(1, depth)] : []
    try requireBlocks(counts + lastCounts, weights)
    var blocks: [InvertedResidual] = []
    for (index, stage) in design.stages.enumerated() {
      for block in 0..<counts[index] {
        let path = "blocks.\(index).\(block)"
        if !stage.squeezes, weights.hasTensors(below: "\(path).se") {
          throw refusal("a squeeze-and-excitation in \(path)", "none in \(name)", weights)
        }
        blocks.append(self.block(path, stage, widens: index > 0, stride: block == 0 ? stage.stride : 1))
      }
    }
    let lastLayers = lastCounts.flatMap { count in
      (0..<count).map { layer -> ConvolutionUnit in
        let path = "blocks.\(counts.count).\(layer)"
        return ConvolutionUnit("\(path).conv", "\(path).bn1")
      }
    }
    let isOfTensorFlow = name.hasPrefix(Self.prefix)
    return EfficientNetLayout(
      stem: ConvolutionUnit("conv_stem", "bn1"), blocks: blocks, lastLayers: lastLayers,
      head: design.headIsBehindMean
        ? .layerBehindMean("conv_head") : .layerBeforeMean(ConvolutionUnit("conv_head", "bn2")),
      classifier: "classifier", activation: design.activation, epsilon: isOfTensorFlow ? 1e-3 : 1e-5,
      padsLikeTensorFlow: isOfTensorFlow)
  }

  private func block(
    _ path: String, _ stage: EfficientNetDesign.Stage, widens: Bool, stride: Int
  ) -> InvertedResidual {
    let unit = { (name: String, norm: Int) in ConvolutionUnit("\(path).\(name)", "\(path).bn\(norm)") }
    var block =
      widens
      ? InvertedResidual(
        expansion: unit("conv_pw", 1), depthwise: unit("conv_dw", 2), projection: unit("conv_pwl", 3),
        stride: stride)
      : InvertedResidual(
        expansion: nil, depthwise: unit("conv_dw", 1), projection: unit("conv_pw", 2), stride: stride)
    block.size = stage.size
    block.activation = stage.activation ?? design.activation
    if stage.squeezes {
      block.squeeze = SqueezeExcitation(
        reduction: "\(path).se.conv_reduce", expansion: "\(path).se.conv_expand",
        activation: design.squeezeActivation, gate: design.gate)
    }
    return block
  }

  private func requireBlocks(_ counts: [Int], _ weights: WeightPath) throws(ApusError) {
    let stages = weights.count(of: "blocks")
    guard stages == counts.count else {
      throw refusal("\(stages) stages in blocks", "the \(counts.count) of \(name)", weights)
    }
    for (stage, count) in counts.enumerated() {
      let found = weights.count(of: "blocks.\(stage)")
      guard found == count else {
        throw refusal("\(found) blocks in blocks.\(stage)", "the \(count) of \(name)", weights)
      }
    }
  }

  private func refusal(_ problem: String, _ expected: String, _ weights: WeightPath) -> ApusError {
    ApusError(.malformedModel, problem, expected: expected, file: weights.collection.path)
  }
}

extension ModelArchitecture {
  /// timm's EfficientNet or MobileNetV3 of a name.
  /// - Parameter configuration: what its `config.json` says.
  static func timmEfficientNet(
    _ model: TimmEfficientNet, _ configuration: TimmConfiguration, _ weights: WeightPath,
    imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    let network = EfficientNet(
      layout: try model.layout(weights), imageSize: imageSize ?? configuration.imageSize,
      classCount: configuration.classCount, weights: weights)
    return ModelArchitecture(
      image: network, outputs: .classifier(labels: configuration.labels, scoring: .softmax))
  }
}
