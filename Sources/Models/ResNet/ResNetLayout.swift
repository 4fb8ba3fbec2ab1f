import Graph

/// The layers of a ResNet, and what they are called in a library's files.
struct ResNetLayout: Sendable {
  /// A convolution with zeros all round, as many as keep the extent of a picture, and the batch normalisation behind it.
  struct Layer: Sendable {
    let unit: ConvolutionUnit
    /// The side of the filters.
    let size: Int
    var stride = 1
    /// How many filters there must be; nil for as many as the file has.
    var width: Int?
  }

  /// What is added to the result of a block's layers.
  enum Shortcut: Sendable {
    case input
    case projection(Layer)
    /// The means of squares of 2 × 2 pixels, projected; at the edge of odd extents, of those that there are.
    case meanProjection(Layer)
  }

  /// Layers with ReLU between them, and the sum of the last one's result and the shortcut's.
  struct Block: Sendable {
    let inner: [Layer]
    let last: Layer
    let shortcut: Shortcut
  }

  /// What a block is made of.
  enum Kind: Sendable {
    /// Two layers of 3 × 3.
    case basic
    /// Layers of 1 × 1, 3 × 3 and 1 × 1, of which the first two are narrower.
    case bottleneck
  }

  /// The layers before the greatest of squares of 3 × 3 pixels are taken.
  let stem: [Layer]
  let blocks: [Block]
  let classifier: String
  /// Behind the layers of the stem, and behind the sums of blocks.
  var activation: Activation = .relu
}
