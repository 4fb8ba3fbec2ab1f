import Graph

extension ResNetLayout {
  /// The layers of a bottleneck before its last have this part of its width.
  static let reduction = 4

  /// Blocks that work at one resolution.
  struct Stage: Sendable {
    let kind: Kind
    /// Channels of the result.
    let width: Int
    let blocks: Int
    /// Of its first block.
    let stride: Int
    /// Whether the first layer of a bottleneck has the stride, not the one of 3 × 3.
    let shrinksEarly: Bool
  }

  /// The layers of transformers' `ResNetForImageClassification`.
  /// - Parameters:
  ///   - stem: channels behind the stem.
  ///   - activation: behind the stem and the sums of blocks; the layers within have ReLU whatever it is.
  static func huggingFace(
    stem: Int, stages: [Stage], activation: Activation
  ) -> ResNetLayout {
    var blocks: [Block] = []
    var inputs = stem
    for (index, stage) in stages.enumerated() {
      for block in 0..<stage.blocks {
        blocks.append(
          .huggingFace(
            "resnet.encoder.stages.\(index).layers.\(block)", stage, inputs: inputs,
            stride: block == 0 ? stage.stride : 1))
        inputs = stage.width
      }
    }
    return ResNetLayout(
      stem: [.huggingFace("resnet.embedder.embedder", size: 7, stride: 2, width: stem)], blocks: blocks,
      classifier: "classifier.1", activation: activation)
  }
}

extension ResNetLayout.Layer {
  fileprivate static func huggingFace(_ path: String, size: Int, stride: Int = 1, width: Int) -> Self {
    Self(
      unit: ConvolutionUnit("\(path).convolution", "\(path).normalization"), size: size, stride: stride,
      width: width)
  }
}

extension ResNetLayout.Block {
  fileprivate static func huggingFace(
    _ path: String, _ stage: ResNetLayout.Stage, inputs: Int, stride: Int
  ) -> Self {
    let layer = { (index: Int, size: Int, stride: Int, width: Int) in
      ResNetLayout.Layer.huggingFace("\(path).layer.\(index)", size: size, stride: stride, width: width)
    }
    let shortcut: ResNetLayout.Shortcut =
      inputs == stage.width && stride == 1
      ? .input
      : .projection(.huggingFace("\(path).shortcut", size: 1, stride: stride, width: stage.width))
    switch stage.kind {
    case .basic:
      return Self(
        inner: [layer(0, 3, stride, stage.width)], last: layer(1, 3, 1, stage.width), shortcut: shortcut)
    case .bottleneck:
      let narrow = stage.width / ResNetLayout.reduction
      let (first, second) = stage.shrinksEarly ? (stride, 1) : (1, stride)
      return Self(
        inner: [layer(0, 1, first, narrow), layer(1, 3, second, narrow)], last: layer(2, 1, 1, stage.width),
        shortcut: shortcut)
    }
  }
}
