import Graph

/// What an EfficientNet or a MobileNetV3 is made of, apart from how wide and how deep it is.
struct EfficientNetDesign: Sendable {
  /// Blocks that work at one resolution. Those of the first stage do not widen their input.
  struct Stage: Sendable {
    let blocks: Int
    /// The side of the depthwise filters.
    let size: Int
    /// Of its first block.
    let stride: Int
    var squeezes = false
    /// That of the whole network where nil.
    var activation: Activation?
  }

  /// What people call it.
  let family: String
  let stages: [Stage]
  let activation: Activation
  /// Behind the first layer of a squeeze, and what makes its factors.
  let squeezeActivation: Activation
  let gate: SqueezeExcitation.Gate
  /// Whether one more layer follows the blocks and the mean of the pixels is taken before the head's.
  let headIsBehindMean: Bool
  /// Whether the first and the last stage have as many blocks in deeper variants.
  var keepsFirstAndLast = false

  /// Tan and Le 2019, table 1.
  static let efficientNet = EfficientNetDesign(
    family: "EfficientNet", stages: efficientNetStages(squeezes: true), activation: .swish,
    squeezeActivation: .swish, gate: .sigmoid, headIsBehindMean: false)

  /// EfficientNet-Lite of TensorFlow's models: without squeezes, and with ReLU6, which integers do as they store.
  static let efficientNetLite = EfficientNetDesign(
    family: "EfficientNet", stages: efficientNetStages(squeezes: false), activation: .relu6,
    squeezeActivation: .relu6, gate: .sigmoid, headIsBehindMean: false, keepsFirstAndLast: true)

  /// Howard et al. 2019, table 1.
  static let mobileNetV3Large = mobileNetV3([
    Stage(blocks: 1, size: 3, stride: 1, activation: .relu),
    Stage(blocks: 2, size: 3, stride: 2, activation: .relu),
    Stage(blocks: 3, size: 5, stride: 2, squeezes: true, activation: .relu),
    Stage(blocks: 4, size: 3, stride: 2),
    Stage(blocks: 2, size: 3, stride: 1, squeezes: true),
    Stage(blocks: 3, size: 5, stride: 2, squeezes: true),
  ])

  /// Howard et al. 2019, table 2.
  static let mobileNetV3Small = mobileNetV3([
    Stage(blocks: 1, size: 3, stride: 2, squeezes: true, activation: .relu),
    Stage(blocks: 2, size: 3, stride: 2, activation: .relu),
    Stage(blocks: 3, size: 5, stride: 2, squeezes: true),
    Stage(blocks: 2, size: 5, stride: 1, squeezes: true),
    Stage(blocks: 3, size: 5, stride: 2, squeezes: true),
  ])

  /// With filters of 3 × 3 and ReLU alone.
  var minimal: EfficientNetDesign {
    Self.mobileNetV3(
      stages.map { Stage(blocks: $0.blocks, size: 3, stride: $0.stride) }, activation: .relu)
  }

  /// Blocks of each stage of a network so many times as deep.
  func blockCounts(depth: Double) -> [Int] {
    stages.enumerated().map { index, stage in
      let isKept = keepsFirstAndLast && (index == 0 || index == stages.count - 1)
      return isKept ? stage.blocks : Self.scaled(stage.blocks, depth)
    }
  }

  /// A count in a network so many times as deep.
  static func scaled(_ count: Int, _ depth: Double) -> Int { Int((Double(count) * depth).rounded(.up)) }

  private static func mobileNetV3(
    _ stages: [Stage], activation: Activation = .hardSwish
  ) -> EfficientNetDesign {
    EfficientNetDesign(
      family: "MobileNetV3", stages: stages, activation: activation, squeezeActivation: .relu,
      gate: .hardSigmoid, headIsBehindMean: true)
  }

  private static func efficientNetStages(squeezes: Bool) -> [Stage] {
    let sizes = [(1, 3, 1), (2, 3, 2), (2, 5, 2), (3, 3, 2), (3, 5, 1), (4, 5, 2), (1, 3, 1)]
    return sizes.map { blocks, size, stride in
      Stage(blocks: blocks, size: size, stride: stride, squeezes: squeezes)
    }
  }
}
