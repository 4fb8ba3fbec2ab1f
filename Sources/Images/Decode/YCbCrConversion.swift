/// Samples of luma and chroma, turned into RGB in fixed point: each product has 16 bits behind the point, so that the
/// result is the exact one, rounded.
struct YCbCrConversion {
  private static let fraction = 16

  /// What each value of a sample adds to the sum of a colour.
  private let luma: [Int32]
  /// By colour.
  private let cb, cr: [[Int32]]

  /// - Parameter isFullRange: whether 0 is black and 255 white, instead of 16 and 235.
  init(_ matrix: YCbCrMatrix, isFullRange: Bool) {
    let scale = 255 * Double(1 << Self.fraction)
    func table(_ factor: Double, zero: Double, range: Double) -> [Int32] {
      (0..<256).map { Int32((scale * factor * (Double($0) - zero) / range).rounded()) }
    }
    luma = isFullRange ? table(1, zero: 0, range: 255) : table(1, zero: 16, range: 219)
    let chromaRange: Double = isFullRange ? 255 : 224
    cb = matrix.chroma.cb.map { table($0, zero: 128, range: chromaRange) }
    cr = matrix.chroma.cr.map { table($0, zero: 128, range: chromaRange) }
  }

  /// Writes red, green and blue of each pixel, `channels` bytes apart.
  func convert(
    y: [UInt8], cb cbRow: [UInt8], cr crRow: [UInt8], into target: UnsafeMutablePointer<UInt8>, channels: Int
  ) {
    for x in y.indices {
      let light = luma[Int(y[x])], blueness = Int(cbRow[x]), redness = Int(crRow[x])
      for channel in 0..<3 {
        target[x * channels + channel] = Self.rounded(light &+ cb[channel][blueness] &+ cr[channel][redness])
      }
    }
  }

  /// The same for planes of green, blue and red.
  func convert(
    green: [UInt8], blue: [UInt8], red: [UInt8], into target: UnsafeMutablePointer<UInt8>, channels: Int
  ) {
    for x in green.indices {
      for (channel, plane) in [red, green, blue].enumerated() {
        target[x * channels + channel] = Self.rounded(luma[Int(plane[x])])
      }
    }
  }

  private static func rounded(_ sum: Int32) -> UInt8 {
    UInt8(clamping: (sum &+ 1 << (fraction - 1)) >> fraction)
  }
}
