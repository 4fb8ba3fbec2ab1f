/// How luma and chroma become red, green and blue: the matrix coefficients of ISO/IEC 23091-2.
enum YCbCrMatrix: Equatable {
  /// The planes are green, blue and red.
  case identity
  case yCgCo
  /// The shares of red and blue in luma.
  case shares(red: Double, blue: Double)

  /// - Returns: nil for coefficients that no plain matrix has: of constant luminance, ICtCp and the like.
  init?(_ number: Int, primaries: Int) {
    switch number {
    case 0: self = .identity
    case 1: self = .shares(red: 0.2126, blue: 0.0722)
    // Unspecified is taken as BT.601, by all decoders.
    case 2, 5, 6: self = .shares(red: 0.299, blue: 0.114)
    case 4: self = .shares(red: 0.30, blue: 0.11)
    case 7: self = .shares(red: 0.212, blue: 0.087)
    case 8: self = .yCgCo
    case 9: self = .shares(red: 0.2627, blue: 0.0593)
    case 12 where primaries == 1: self = .shares(red: 0.2126, blue: 0.0722)
    case 12 where primaries == 9: self = .shares(red: 0.2627, blue: 0.0593)
    default: return nil
    }
  }

  /// What one unit of Cb and of Cr adds to red, green and blue.
  var chroma: (cb: [Double], cr: [Double]) {
    switch self {
    case .identity: ([0, 0, 0], [0, 0, 0])
    case .yCgCo: ([-1, 1, -1], [1, 0, -1])
    case .shares(let red, let blue):
      (
        [0, -2 * (1 - blue) * blue / (1 - red - blue), 2 * (1 - blue)],
        [2 * (1 - red), -2 * (1 - red) * red / (1 - red - blue), 0]
      )
    }
  }
}
