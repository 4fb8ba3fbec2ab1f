import CLibrary

/// 64 bits of what a picture looks like from afar: near each other for a picture and what was made of it by scaling or
/// compressing, half of them different for two pictures.
///
///     let hash = PerceptualHash(of: decoded.image)
///     print(hash.distance(to: other) <= 6 ? "the same picture" : "another")
///
/// The hash of the cosine transform that the field calls pHash: the picture in grey, 32×32 pixels, the lowest eight by
/// eight frequencies of it, and for each whether it is above their median. Bits are those of `imagehash.phash` of Python,
/// which goes back to Neal Krawetz, "Looks Like It" (hackerfactor.com, 2011), and to Zauner, "Implementation and
/// Benchmarking of Perceptual Image Hash Functions" (2010). It is not made to withstand an opponent, nor turns, mirrorings
/// or crops.
public struct PerceptualHash: Sendable, Hashable, Codable {
  /// Rows of frequencies from low to high, those of a row from low to high: the first is the highest bit.
  public let bits: UInt64

  /// A hash that was computed before.
  public init(bits: UInt64) { self.bits = bits }

  /// The hash of a picture, upright. It takes a pass over all pixels.
  public init(of image: RGBImage) {
    let grey = GreyResample.shared(for: image, side: Self.side).pixels(of: image)
    let frequencies = Self.lowFrequencies(of: grey.map(Double.init))
    let sorted = frequencies.sorted()
    let median = (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
    bits = frequencies.reduce(0) { $0 << 1 | ($1 > median ? 1 : 0) }
  }

  /// How many bits differ, from 0 to 64.
  public func distance(to other: PerceptualHash) -> Int { (bits ^ other.bits).nonzeroBitCount }

  /// Pixels in a row and column of the small picture.
  private static let side = 32
  /// Frequencies in a row and column of the hash.
  private static let count = 8
  /// cos(π k (2n + 1) / 64) for each frequency k and pixel n.
  private static let cosines: [[Double]] = (0..<count).map { frequency in
    (0..<side).map { cos(Double.pi * Double(frequency * (2 * $0 + 1)) / Double(2 * side)) }
  }

  /// The lowest frequencies of the cosine transform (DCT-II) of rows and columns, not scaled.
  private static func lowFrequencies(of pixels: [Double]) -> [Double] {
    // Columns first: `columns[k][x]` is the frequency k down the column at x.
    let columns = cosines.map { cosine in
      (0..<side).map { x in (0..<side).reduce(0) { $0 + cosine[$1] * pixels[$1 * side + x] } }
    }
    return columns.flatMap { row in
      cosines.map { cosine in
        let sum = zip(cosine, row).reduce(0) { $0 + $1.0 * $1.1 }
        // Frequencies that are not there come out as 0, and not as what rounding left.
        return (sum * resolution).rounded() / resolution
      }
    }
  }

  /// Steps in one of 255: far above what rounding leaves, and far below what a pixel makes.
  private static let resolution = 1e6
}
