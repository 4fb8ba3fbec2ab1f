import TensorCore

/// A ResNet of timm by its name there, in which the weights decide how wide it is.
struct TimmResNet: Sendable {
  /// Such as `resnet50`; with a d behind it, of three layers in the stem, and means in the shortcuts (He et al. 2019, "Bag
  /// of Tricks for Image Classification with Convolutional Neural Networks", figure 2).
  let name: String
  private let kind: ResNetLayout.Kind
  /// Blocks of each stage.
  private let blocks: [Int]
  private let isDeep: Bool

  /// He et al. 2016, table 1, and timm's of 26 layers.
  private static let plain: [(name: String, kind: ResNetLayout.Kind, blocks: [Int])] = [
    ("resnet18", .basic, [2, 2, 2, 2]), ("resnet26", .bottleneck, [2, 2, 2, 2]),
    ("resnet34", .basic, [3, 4, 6, 3]), ("resnet50", .bottleneck, [3, 4, 6, 3]),
    ("resnet101", .bottleneck, [3, 4, 23, 3]), ("resnet152", .bottleneck, [3, 8, 36, 3]),
  ]

  static let all = plain.flatMap { model in
    [false, true].map { isDeep in
      TimmResNet(
        name: model.name + (isDeep ? "d" : ""), kind: model.kind, blocks: model.blocks, isDeep: isDeep)
    }
  }

  /// The layers that the weights have.
  /// - Throws: ``ApusError`` of kind `malformedModel` where they have more or fewer blocks than the name says.
  func layout(_ weights: WeightPath) throws(ApusError) -> ResNetLayout {
    var layers: [ResNetLayout.Block] = []
    for (index, count) in blocks.enumerated() {
      let stage = "layer\(index + 1)"
      let found = weights.count(of: stage)
      guard found == count else {
        throw ApusError(
          .malformedModel, "\(found) blocks in \(stage)", expected: "the \(count) of \(name)",
          file: weights.collection.path)
      }
      for block in 0..<count {
        // The first stage's input may be as wide as its result.
        let projects = block == 0 && (index > 0 || weights.hasTensors(below: "\(stage).0.downsample"))
        layers.append(
          self.block("\(stage).\(block)", stride: block == 0 && index > 0 ? 2 : 1, projects: projects))
      }
    }
    return ResNetLayout(stem: stem, blocks: layers, classifier: "fc")
  }

  private var stem: [ResNetLayout.Layer] {
    guard isDeep else { return [layer("conv1", "bn1", 7, 2)] }
    return [
      layer("conv1.0", "conv1.1", 3, 2), layer("conv1.3", "conv1.4", 3, 1), layer("conv1.6", "bn1", 3, 1),
    ]
  }

  private func block(_ path: String, stride: Int, projects: Bool) -> ResNetLayout.Block {
    let numbered = { (number: Int, size: Int, stride: Int) in
      layer("\(path).conv\(number)", "\(path).bn\(number)", size, stride)
    }
    let shortcut = projects ? projection("\(path).downsample", stride) : .input
    switch kind {
    case .basic:
      return ResNetLayout.Block(inner: [numbered(1, 3, stride)], last: numbered(2, 3, 1), shortcut: shortcut)
    case .bottleneck:
      return ResNetLayout.Block(
        inner: [numbered(1, 1, 1), numbered(2, 3, stride)], last: numbered(3, 1, 1), shortcut: shortcut)
    }
  }

  private func projection(_ path: String, _ stride: Int) -> ResNetLayout.Shortcut {
    guard isDeep else { return .projection(layer("\(path).0", "\(path).1", 1, stride)) }
    let projection = layer("\(path).1", "\(path).2", 1, 1)
    return stride == 1 ? .projection(projection) : .meanProjection(projection)
  }

  private func layer(_ convolution: String, _ norm: String, _ size: Int, _ stride: Int) -> ResNetLayout.Layer
  {
    ResNetLayout.Layer(unit: ConvolutionUnit(convolution, norm), size: size, stride: stride)
  }
}

extension ModelArchitecture {
  /// timm's ResNet of a name.
  /// - Parameter configuration: what its `config.json` says.
  static func timmResNet(
    _ model: TimmResNet, _ configuration: TimmConfiguration, _ weights: WeightPath, imageSize: ImageSize?
  ) throws(ApusError) -> ModelArchitecture {
    let network = ResNet(
      layout: try model.layout(weights), imageSize: imageSize ?? configuration.imageSize, channels: 3,
      classCount: configuration.classCount, weights: weights)
    return ModelArchitecture(
      image: network, outputs: .classifier(labels: configuration.labels, scoring: .softmax))
  }
}
