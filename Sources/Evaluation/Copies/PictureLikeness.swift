import Images
import Kernels

/// What a picture looks like from afar, whichever way it is turned.
///
/// Perceptual hashes of all eight positions that a picture can be turned and mirrored into find candidates, and the small
/// grey pictures themselves decide: hashes alone take many drawings on plain ground for one.
struct PictureLikeness: Sendable {
  /// Grey values, rows from the top.
  private let grey: [UInt8]
  /// The perceptual hash in each of the eight positions, upright first; none for a picture of one colour, which is like
  /// those of equal pixels only.
  let hashes: [UInt64]
  /// Of the size and all pixels.
  let digest: ContentDigest

  /// Pixels in a row and column.
  private static let side = 32
  /// The most bits that differ in a copy; more than in an index of photographs, as the pictures decide.
  static let differentBits = 6
  /// The least correlation with a copy.
  private static let leastCorrelation = 0.98
  /// The least deviation of grey values, of 255, for which a picture has something to be known by.
  private static let leastDeviation = 3.0

  init(_ image: RGBImage) {
    let grey = Self.grey(image)
    self.grey = grey
    digest = image.pixels.withUnsafeBytes { ContentDigest($0) }
    let positions = Self.spread(grey).deviation < Self.leastDeviation ? 0 : 8
    hashes = (0..<positions).map { position in
      let pixels = Self.turned(grey, position).flatMap { [$0, $0, $0] }
      return PerceptualHash(of: RGBImage(sound: Self.side, Self.side, pixels)).bits
    }
  }

  /// Whether the other is this one, turned, mirrored, made smaller or compressed.
  func isCopy(of other: PictureLikeness) -> Bool {
    if digest == other.digest { return true }
    guard let own = hashes.first else { return false }
    return other.hashes.indices.contains { position in
      (own ^ other.hashes[position]).nonzeroBitCount <= Self.differentBits
        && Self.correlation(grey, Self.turned(other.grey, position)) >= Self.leastCorrelation
    }
  }

  /// Means of up to 4 × 4 pixels in each of 32 × 32 parts.
  private static func grey(_ image: RGBImage) -> [UInt8] {
    func places(_ part: Int, of extent: Int) -> [Int] {
      (0..<4).map { min(extent - 1, ((4 * part + $0) * 2 + 1) * extent / (8 * side)) }
    }
    let columns = (0..<side).map { places($0, of: image.width) }
    return (0..<side).flatMap { row -> [UInt8] in
      let lines = places(row, of: image.height)
      return columns.map { columns in
        var sum = 0
        for line in lines {
          for column in columns {
            let pixel = (line * image.width + column) * RGBImage.channels
            sum +=
              299 * Int(image.pixels[pixel]) + 587 * Int(image.pixels[pixel + 1]) + 114
              * Int(image.pixels[pixel + 2])
          }
        }
        return UInt8(clamping: sum / 16_000)
      }
    }
  }

  /// One of eight positions: turned by a quarter so often, from 4 on mirrored before.
  private static func turned(_ grey: [UInt8], _ position: Int) -> [UInt8] {
    guard position > 0 else { return grey }
    let last = side - 1
    return (0..<side * side).map { place in
      var (row, column) = (place / side, place % side)
      for _ in 0..<position % 4 { (row, column) = (column, last - row) }
      return grey[row * side + (position < 4 ? column : last - column)]
    }
  }

  private static func spread(_ values: [UInt8]) -> (mean: Double, deviation: Double) {
    let mean = Double(values.reduce(0) { $0 + Int($1) }) / Double(values.count)
    let squares = values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    return (mean, (squares / Double(values.count)).squareRoot())
  }

  private static func correlation(_ a: [UInt8], _ b: [UInt8]) -> Double {
    let (first, second) = (spread(a), spread(b))
    guard first.deviation > 0, second.deviation > 0 else { return 0 }
    let sum = zip(a, b).reduce(0.0) { $0 + (Double($1.0) - first.mean) * (Double($1.1) - second.mean) }
    return sum / Double(a.count) / (first.deviation * second.deviation)
  }
}
