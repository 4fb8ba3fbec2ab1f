/// Samples of luma and chroma, turned into RGB of 8 bits in fixed point: each product has 16 bits behind the point, so
/// that the result is the exact one, rounded.
struct YCbCrConversion {
  private static let fraction = 16

  /// What each value of a sample adds to the sum of a colour.
  private let luma: [Int32]
  /// By colour.
  private let cb, cr: [[Int32]]
  private let isIdentity: Bool

  /// - Parameters:
  ///   - bits: of a sample, 8 to 12.
  ///   - isFullRange: whether 0 is black and the largest value white, instead of 16 and 235 (of 8 bits).
  init(_ matrix: YCbCrMatrix, bits: Int, isFullRange: Bool) {
    let count = 1 << bits, most = Double(count - 1), unit = Double(1 << (bits - 8))
    let scale = 255 * Double(1 << Self.fraction)
    let lumaRange = isFullRange ? most : 219 * unit
    let chromaRange = isFullRange ? most : 224 * unit
    let black = isFullRange ? 0 : 16 * unit
    luma = (0..<count).map { Int32((scale * (Double($0) - black) / lumaRange).rounded()) }
    func table(_ factor: Double) -> [Int32] {
      (0..<count).map { Int32((scale * factor * Double($0 - count / 2) / chromaRange).rounded()) }
    }
    cb = matrix.chroma.cb.map(table)
    cr = matrix.chroma.cr.map(table)
    isIdentity = matrix == .identity
  }

  /// Writes red, green and blue of each pixel, `channels` bytes apart.
  func convert(
    y: [UInt16], cb cbRow: [UInt16], cr crRow: [UInt16], into target: UnsafeMutablePointer<UInt8>,
    channels: Int
  ) {
    for x in y.indices {
      let place = target + x * channels
      if isIdentity {
        place[0] = Self.rounded(luma[Int(crRow[x])])
        place[1] = Self.rounded(luma[Int(y[x])])
        place[2] = Self.rounded(luma[Int(cbRow[x])])
        continue
      }
      let light = luma[Int(y[x])], blueness = Int(cbRow[x]), redness = Int(crRow[x])
      for channel in 0..<3 {
        place[channel] = Self.rounded(light &+ cb[channel][blueness] &+ cr[channel][redness])
      }
    }
  }

  private static func rounded(_ sum: Int32) -> UInt8 {
    UInt8(clamping: (sum &+ 1 << (fraction - 1)) >> fraction)
  }
}
