import TensorCore
import TestSupport
import Testing

@testable import Models

/// Position embeddings are mixed as PyTorch mixes them: the folders of ViT, CLIP and SigLIP hold the plain form to its
/// numbers, those of DINOv2 with registers the other one.
struct CubicFilterTests {
  @Test(arguments: [CubicFilter.plain, .antialiased])
  func aLineOfTheSameLengthStays(_ filter: CubicFilter) {
    for (position, taps) in filter.taps(from: 5, to: 5).enumerated() {
      for tap in taps where tap.weight != 0 {
        #expect(tap.position == position && tap.weight == 1)
      }
    }
  }

  @Test(arguments: [(37, 16), (16, 37), (5, 1), (1, 4), (7, 7)])
  func sharesAddUpToOne(_ old: Int, _ new: Int) {
    for filter in [CubicFilter.plain, .antialiased] {
      let lines = filter.taps(from: old, to: new)
      #expect(lines.count == new)
      for taps in lines {
        let total = taps.reduce(Float(0)) { $0 + $1.weight }
        #expect(abs(total - 1) < 1e-6)
        #expect(taps.allSatisfy { (0..<old).contains($0.position) })
      }
    }
  }

  /// The rows of `torch.nn.functional.interpolate`, bicubic with `antialias=True`, for six positions brought to three.
  @Test func antialiasingReachesFarther() {
    let taps = CubicFilter.antialiased.taps(from: 6, to: 3)[1]
    let half: [Float] = [-0.0343511, 0.110687, 0.4236641]
    #expect(taps.map(\.position) == [0, 1, 2, 3, 4, 5])
    for (tap, weight) in zip(taps, half + half.reversed()) { #expect(abs(tap.weight - weight) < 1e-6) }
    #expect(CubicFilter.plain.taps(from: 6, to: 3)[1].map(\.position) == [1, 2, 3, 4])
  }

  @Test func noSquareIsRefused() throws {
    let table = [Float](repeating: 1, count: 7 * 2)
    let error = try #require(throws: ApusError.self) {
      try PositionGrid.interpolate(table, width: 2, prefix: 1, rows: 2, columns: 2)
    }
    #expect(error.kind == .unsupportedModel)
  }
}
