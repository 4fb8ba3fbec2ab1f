import Graph
import TensorCore

/// How a picture is cut into patches: square ones from the top left; what does not fill one is left out.
struct PatchGrid: Sendable, Equatable {
  /// Pixels along each side of a patch.
  let patch: Int
  /// Of the picture, in pixels.
  let image: ImageSize
  let channels: Int

  /// Patches of one picture, at most: attention takes time in the square of them.
  static let maximumCount = 1 << 16

  /// - Throws: ``ApusError`` of kind `configuration` when no patch fits, or there are over ``maximumCount``.
  init(image: ImageSize, patch: Int, channels: Int = 3) throws(ApusError) {
    guard patch > 0, image.height >= patch, image.width >= patch else {
      throw ApusError(
        .configuration, "pictures of \(image) pixels cut into patches of \(patch)",
        expected: "pictures at least as large as a patch")
    }
    guard image.height / patch <= Self.maximumCount / (image.width / patch) else {
      throw ApusError(
        .configuration, "pictures of \(image) pixels cut into patches of \(patch)",
        expected: "at most \(Self.maximumCount) patches")
    }
    self.image = image
    self.patch = patch
    self.channels = channels
  }

  var rows: Int { image.height / patch }
  var columns: Int { image.width / patch }
  var count: Int { rows * columns }
  var extent: PositionGrid.Extent { PositionGrid.Extent(rows: rows, columns: columns) }
}

extension GraphBuilder {
  /// The pictures that an image tower takes: float32 [batch, height, width, channels].
  mutating func pixels(_ grid: PatchGrid, batch: Int) throws(ApusError) -> Value {
    let shape = try Shape([batch, grid.image.height, grid.image.width, grid.channels])
    return input("pixel_values", TensorType(.float32, shape))
  }

  /// Each patch as a row of `width` features, [batch, patches, width]: a convolution with `weight`
  /// [width, channels, patch, patch] and, if there is one, `bias`, that steps from patch to patch.
  mutating func patchEmbedding(
    _ pixels: Value, _ weights: WeightPath, _ grid: PatchGrid, width: Int, hasBias: Bool
  ) throws(ApusError) -> Value {
    let patch = grid.patch
    let stored = try float32(weights, "weight", [width, grid.channels, patch, patch])
    let filters = try transpose(stored, [0, 2, 3, 1], at: weights.key("filters"))
    var operands: [Value?] = [pixels, filters]
    if hasBias { operands.append(try float32(weights, "bias", [width])) }
    let convolution = Convolution2D(padding: .valid, strideY: patch, strideX: patch)
    let patches = try apply(convolution, operands, at: weights.prefix)
    let batch = dimensions(pixels).first ?? 0
    return try reshape(patches, [batch, grid.count, width], at: weights.key("rows"))
  }
}
