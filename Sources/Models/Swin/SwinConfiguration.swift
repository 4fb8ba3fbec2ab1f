import Formats
import Graph
import TensorCore

/// The `config.json` of a Swin classifier of Hugging Face.
struct SwinConfiguration: Sendable {
  /// Blocks that work at one resolution.
  struct Stage: Sendable {
    /// Of the grid of a picture's tokens.
    let rows: Int
    let columns: Int
    /// Tokens along each side of a window.
    let window: Int
    let encoder: EncoderConfiguration

    /// The windows of a block: of every second they are shifted.
    func windows(isShifted: Bool) -> WindowPartition {
      WindowPartition(rows: rows, columns: columns, side: window, isShifted: isShifted)
    }

    /// The order of tokens in which it begins: that of its first windows, where all tokens have a place in one.
    var order: [Int] {
      let windows = windows(isShifted: false)
      return windows.isPadded ? Array(0..<rows * columns) : windows.tokens.compactMap(\.self)
    }

    /// Bytes of the numbers by position that the attention of all blocks adds, for each kind of their windows.
    var biasBytes: Int {
      let shifted = encoder.layers / 2
      let masks = encoder.layers - shifted + shifted * windows(isShifted: true).kinds.count
      return [masks, encoder.heads, window, window, window, window, MemoryLayout<Float>.size]
        .saturatingProduct
    }
  }

  let stages: [Stage]
  /// Whether the projections to queries, keys and values have offsets.
  let hasProjectionBias: Bool
  /// The extent of the pictures that will be given.
  let image: ImageSize
  /// How they are cut into patches when zeros have filled up the last ones.
  let grid: PatchGrid
  /// The grid that positions are stored for; nil of a model that adds none to its tokens.
  let trained: PatchGrid?
  let classes: ClassConfiguration

  /// Bytes that the numbers by position of all stages may take: 1 GiB.
  private static let biasLimit = 1 << 30

  /// - Parameter imageSize: the extent of the pictures that will be given; nil for that of the file.
  init(_ reader: ConfigurationReader, imageSize: ImageSize?) throws(ApusError) {
    let stated = try reader.imageSize(default: 224)
    let patch = try reader.patchSize(default: 4)
    let channels = try reader.integer("num_channels", in: 1...4, default: 3)
    let image = imageSize ?? stated
    grid = try Self.filled(image, patch: patch, channels: channels)
    let hasPositions = try reader.bool("use_absolute_embeddings", default: false)
    trained = hasPositions ? try PatchGrid(image: stated, patch: patch, channels: channels) : nil
    guard !hasPositions || grid.image == image else {
      throw Self.unfit(
        image, isStated: imageSize == nil, "whole patches of \(patch) pixels, as each has a position", reader)
    }
    self.image = image
    stages = try Self.stages(reader, grid)
    hasProjectionBias = try reader.bool("qkv_bias", default: true)
    classes = try ClassConfiguration(reader)
    reader.passOver(Self.keysWithoutEffect)
    for stage in stages {
      // The library fails on a stage that is smaller than its windows, whose tables it does not cut.
      guard min(stage.rows, stage.columns) >= stage.window else {
        let least = (patch * (stage.window - 1)) << (stages.count - 1) + 1
        throw Self.unfit(
          image, isStated: imageSize == nil,
          "at least \(least) pixels along each side, for windows of \(stage.window) × \(stage.window) tokens in "
            + "\(stages.count) stages", reader)
      }
    }
    let bytes = stages.reduce(0) { sum, stage in
      let (total, overflow) = sum.addingReportingOverflow(stage.biasBytes)
      return overflow ? Int.max : total
    }
    guard bytes <= Self.biasLimit else {
      throw ApusError(
        .configuration,
        "\(bytes >> 20) MiB of numbers that attention adds for each pair of tokens in a window",
        expected: "at most \(Self.biasLimit >> 20) MiB: fewer layers or heads, or smaller windows",
        file: reader.file)
    }
  }

  /// The grid of a picture that is filled up to whole patches at the right and below.
  private static func filled(_ image: ImageSize, patch: Int, channels: Int) throws(ApusError) -> PatchGrid {
    func side(_ pixels: Int) -> Int { pixels / patch * patch + (pixels % patch == 0 ? 0 : patch) }
    return try PatchGrid(
      image: ImageSize(height: side(image.height), width: side(image.width)), patch: patch,
      channels: channels)
  }

  private static func stages(
    _ reader: ConfigurationReader, _ grid: PatchGrid
  ) throws(ApusError) -> [Stage] {
    let firstWidth = try reader.size("embed_dim", default: 96)
    let depths = try reader.stageSizes("depths", default: [2, 2, 6, 2])
    let heads = try reader.stageSizes("num_heads", default: [3, 6, 12, 24])
    guard heads.count == depths.count else {
      throw reader.unexpected("num_heads", reader.value("num_heads"), "as many as depths")
    }
    let window = try reader.size("window_size", default: 7)
    let ratio = try reader.number("mlp_ratio", in: 0.01...64, default: 4)
    let activation = try reader.activation("hidden_act", default: .gelu(.exact))
    let epsilon = try reader.epsilon(default: 1e-5)
    var stages: [Stage] = []
    var (rows, columns) = (grid.rows, grid.columns)
    for (index, depth) in depths.enumerated() {
      let width = firstWidth << index
      try reader.requireHeads("num_heads", heads[index], divide: width)
      let expandedWidth = Int(Double(width) * ratio)
      guard expandedWidth > 0 else {
        throw reader.unexpected(
          "mlp_ratio", reader.value("mlp_ratio"), "at least one feature of the \(width) times it")
      }
      let encoder = EncoderConfiguration(
        layers: depth, width: width, heads: heads[index], expandedWidth: expandedWidth,
        activation: activation, epsilon: epsilon)
      stages.append(Stage(rows: rows, columns: columns, window: window, encoder: encoder))
      (rows, columns) = ((rows + 1) / 2, (columns + 1) / 2)
    }
    return stages
  }

  private static func unfit(
    _ image: ImageSize, isStated: Bool, _ expected: String, _ reader: ConfigurationReader
  ) -> ApusError {
    isStated
      ? reader.unexpected("image_size", reader.value("image_size"), expected)
      : ApusError(.argument, "pictures of \(image) pixels for a Swin", expected: expected, file: reader.file)
  }

  private static let keysWithoutEffect = [
    KeysWithoutEffect("training and initialisation", ["drop_path_rate"]),
    KeysWithoutEffect("layers that a classifier has not", ["encoder_stride"]),
    KeysWithoutEffect("what depths and embed_dim say", ["hidden_size", "num_layers"]),
    KeysWithoutEffect("a normalisation that the library's class always has", ["patch_norm", "path_norm"]),
    KeysWithoutEffect(
      "which stages a backbone returns: a classifier has the last",
      TransformersKeys.backbone),
  ]
}
