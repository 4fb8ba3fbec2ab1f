import Kernels
import TestSupport
import Testing

/// Rows of bytes times one vector of bytes: every instruction set gives the sums of a plain loop, to the bit.
@Suite struct RowScanTests {
  private static let sets = KernelSet.available.map(\.name)

  private struct Rows {
    let width: Int
    let count: Int
    let numbers: [Int8]
    let scales: [Float]
    let query: [Int8]

    init(width: Int, count: Int, _ random: inout SeededRandom) {
      (self.width, self.count) = (width, count)
      let stride = RowScan.stride(width)
      var numbers = [Int8](repeating: 0, count: stride * count)
      for row in 0..<count {
        for column in 0..<width {
          numbers[row * stride + column] = Self.number(&random)
        }
      }
      self.numbers = numbers
      scales = random.floats(count, 0...0.01)
      query = (0..<width).map { _ in Self.number(&random) }
    }

    /// The greatest and least ones often.
    private static func number(_ random: inout SeededRandom) -> Int8 {
      let number = Int8.random(in: -127...127, using: &random)
      return number > 90 ? 127 : number < -90 ? -127 : number
    }

    func score(_ row: Int) -> Float {
      let first = row * RowScan.stride(width)
      let sum = (0..<width).reduce(0) { $0 + Int(numbers[first + $1]) * Int(query[$1]) }
      return Float(Int32(sum)) * scales[row]
    }

    /// What the kernels give, and a number behind it that they must not touch.
    func scores(_ scan: RowScan, places: [Int32]? = nil) -> (greatest: Float, scores: [Float]) {
      let total = places?.count ?? count
      var scores = [Float](repeating: -7, count: total + 1)
      var greatest: Float = 0
      numbers.withUnsafeBytes { numbers in
        scales.withUnsafeBufferPointer { scales in
          guard let rows = numbers.baseAddress, let scales = scales.baseAddress else { return }
          scores.withUnsafeMutableBufferPointer { scores in
            guard let target = scores.baseAddress else { return }
            if let places {
              greatest = places.withUnsafeBufferPointer {
                scan.scores(of: rows, at: $0.baseAddress, count: total, scales: scales, into: target)
              }
            } else {
              greatest = scan.scores(of: rows, count: total, scales: scales, into: target)
            }
          }
        }
      }
      return (greatest, scores)
    }
  }

  @Test(arguments: sets)
  func widthsAndCounts(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for width in Array(1...130) + [384, 500, 512, 768, 1152] {
      for count in [1, 2, 3, 4, 5, 8, 11] {
        let rows = Rows(width: width, count: count, &random)
        let found = rows.scores(try RowScan(rows.query, kernels: kernels))
        let wanted = (0..<count).map(rows.score)
        #expect(found.scores == wanted + [-7], "\(count) rows of \(width) seed \(random.seed)")
        #expect(found.greatest == wanted.max())
      }
    }
  }

  /// Rows in any order, some of them twice.
  @Test(arguments: sets)
  func places(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    let rows = Rows(width: 200, count: 50, &random)
    let scan = try RowScan(rows.query, kernels: kernels)
    for count in [1, 2, 3, 4, 5, 64, 65] {
      let places = (0..<count).map { _ in Int32.random(in: 0..<50, using: &random) }
      let wanted = places.map { rows.score(Int($0)) }
      let found = rows.scores(scan, places: places)
      #expect(found.scores == wanted + [-7], "seed \(random.seed)")
      #expect(found.greatest == wanted.max())
    }
  }

  /// The widest rows of the greatest numbers of either sign come near the limits of 32 bits, and stay below.
  @Test(arguments: sets)
  func widest(_ name: String) throws {
    let width = RowScan.widestRow
    let scan = try RowScan(Array(repeating: 127, count: width), kernels: try KernelSet.named(name))
    for number: Int8 in [127, -127] {
      let numbers = [Int8](repeating: number, count: 4 * width)
      var scores = [Float](repeating: 0, count: 4)
      numbers.withUnsafeBytes { numbers in
        scores.withUnsafeMutableBufferPointer { scores in
          guard let rows = numbers.baseAddress, let target = scores.baseAddress else { return }
          _ = scan.scores(of: rows, count: 4, scales: [1, 1, 1, 1], into: target)
        }
      }
      #expect(scores == Array(repeating: Float(Int(number) * 127 * width), count: 4))
    }
  }
}
