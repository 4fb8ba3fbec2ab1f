import Formats
import Graph
import TensorCore

extension ConfigurationReader {
  /// Sizes over this are refused: no layer has so many features, no stack so many layers.
  static let sizeLimit = 1 << 20

  /// A size: a positive integer.
  func size(_ key: String, default fallback: Int? = nil) throws(ApusError) -> Int {
    try integer(key, in: 1...Self.sizeLimit, default: fallback)
  }

  /// A size under either of two names, which must agree where both are there.
  func size(_ key: String, or other: String, default fallback: Int) throws(ApusError) -> Int {
    let size = try size(key, default: try size(other, default: fallback))
    try require(other, isOneOf: .number("\(size)"))
    return size
  }

  /// A size for each of 1 to 16 stages of a network.
  func stageSizes(_ key: String, default fallback: [Int]) throws(ApusError) -> [Int] {
    let sizes = try optionalList(key, of: "integers") { $0.int } ?? fallback
    guard 1...16 ~= sizes.count, sizes.allSatisfy((1...Self.sizeLimit).contains) else {
      throw unexpected(key, value(key), "1 to 16 positive integers")
    }
    return sizes
  }

  /// An activation by the name that transformers gives it.
  func activation(_ key: String, default fallback: Activation) throws(ApusError) -> Activation {
    try choice(
      key,
      [
        "gelu": .gelu(.exact), "gelu_python": .gelu(.exact), "gelu_new": .gelu(.tanh),
        "gelu_pytorch_tanh": .gelu(.tanh), "gelu_python_tanh": .gelu(.tanh), "gelu_fast": .gelu(.tanh),
        "gelu_accurate": .gelu(.tanh), "quick_gelu": .gelu(.sigmoid), "relu": .relu, "tanh": .tanh,
        "silu": .swish, "swish": .swish,
      ],
      default: fallback)
  }

  /// The ε of a layer normalisation.
  func epsilon(_ key: String = "layer_norm_eps", default fallback: Double) throws(ApusError) -> Float {
    Float(try number(key, in: 0...1, default: fallback))
  }

  /// A picture's extent: one number for a square, or height and width.
  func imageSize(_ key: String = "image_size", default fallback: Int) throws(ApusError) -> ImageSize {
    let sides = try sides(key, default: fallback)
    return ImageSize(height: sides[0], width: sides[1])
  }

  /// The side of a square patch.
  func patchSize(_ key: String = "patch_size", default fallback: Int) throws(ApusError) -> Int {
    let sides = try sides(key, default: fallback)
    guard sides[0] == sides[1] else {
      throw unexpected(key, value(key), "square patches", kind: .unsupportedModel)
    }
    return sides[0]
  }

  private func sides(_ key: String, default fallback: Int) throws(ApusError) -> [Int] {
    guard case .array? = value(key) else {
      let side = try integer(key, in: 1...(1 << 16), default: fallback)
      return [side, side]
    }
    let sides = try optionalList(key, of: "two extents") { $0.int } ?? []
    guard sides.count == 2, sides.allSatisfy({ (1...(1 << 16)).contains($0) }) else {
      throw unexpected(key, value(key), "one extent, or height and width")
    }
    return sides
  }

  /// Refuses heads that do not divide the width.
  func requireHeads(_ key: String, _ heads: Int, divide width: Int) throws(ApusError) {
    guard width % heads == 0 else {
      throw unexpected(key, value(key), "a divisor of the \(width) features of a row")
    }
  }
}
