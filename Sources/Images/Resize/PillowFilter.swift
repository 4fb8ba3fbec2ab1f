import CLibrary

/// The filters of Pillow's `Image.resize`.
public enum PillowFilter: String, Sendable, Hashable, CaseIterable {
  /// The pixel that lies nearest.
  case nearest
  /// The mean of the pixels below one of the result, each the same weight.
  case box
  /// Weights that fall in a straight line.
  case bilinear
  /// A cosine that falls to nothing at the distance of one pixel.
  case hamming
  /// A cubic spline over two pixels on each side.
  case bicubic
  /// A windowed sinc over three pixels on each side.
  case lanczos

  /// How far the filter reaches from its centre, in pixels of the coarser picture.
  var support: Double {
    switch self {
    case .nearest: 0
    case .box: 0.5
    case .bilinear, .hamming: 1
    case .bicubic: 2
    case .lanczos: 3
    }
  }

  /// The weight at distance `x` from the centre, before the weights are scaled to a sum of 1. The order of
  /// the operations is Pillow's, so that the last bit is too.
  func weight(_ x: Double) -> Double {
    switch self {
    case .nearest: 0
    case .box: x > -0.5 && x <= 0.5 ? 1 : 0
    case .bilinear: max(1 - abs(x), 0)
    case .hamming: Self.hammingWeight(abs(x))
    case .bicubic: Self.cubicWeight(abs(x))
    case .lanczos: -3 <= x && x < 3 ? Self.sinc(x) * Self.sinc(x / 3) : 0
    }
  }

  /// A sinc under the Hamming window, whose constants Pillow holds in single precision.
  private static func hammingWeight(_ x: Double) -> Double {
    if x == 0 { return 1 }
    if x >= 1 { return 0 }
    let angle = x * Double.pi
    return sin(angle) / angle * (Double(0.54 as Float) + Double(0.46 as Float) * cos(angle))
  }

  /// Cubic convolution (Keys 1981) with a = −1/2.
  private static func cubicWeight(_ x: Double) -> Double {
    let a = -0.5
    if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
    if x < 2 { return (((x - 5) * x + 8) * x - 4) * a }
    return 0
  }

  private static func sinc(_ x: Double) -> Double {
    if x == 0 { return 1 }
    let angle = x * Double.pi
    return sin(angle) / angle
  }
}
