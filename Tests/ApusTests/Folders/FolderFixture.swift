import Foundation
import TestSupport
import Testing

@testable import Apus

/// A small model folder that `Tools/fixtures/transformers/make.py` made, and what PyTorch says of it.
struct FolderFixture {
  let path: String
  let expected: Expected

  struct Expected: Decodable {
    let texts: [String]
    let ids: [[Int32]]
    let logits: [Float]?
    let embeddings: [Float]?
    let text_embeddings: [Float]?
    let logit_scale: Float?
    let logit_bias: Float?
  }

  init(_ name: String) throws {
    path = Checkout.modelFolder(name)
    let data = try Data(contentsOf: URL(fileURLWithPath: path).appendingPathComponent("expected.json"))
    expected = try JSONDecoder().decode(Expected.self, from: data)
  }

  /// The numbers expected for each text.
  func rows(_ numbers: [Float]?) throws -> [[Float]] {
    let numbers = try #require(numbers)
    let width = numbers.count / expected.texts.count
    return expected.texts.indices.map { Array(numbers[($0 * width)..<(($0 + 1) * width)]) }
  }

  /// A PNG file of 6 × 4 pixels, all of different colours.
  static let png: Data = {
    let text =
      "iVBORw0KGgoAAAANSUhEUgAAAAYAAAAECAIAAAAiZtkUAAAALUlEQVR42mNkYGDgUo1G"
      + "Riw295S4VJW4mBGIxeaeEheqKIvNPSUuZohoNEQIALHEC4omhZgWAAAAAElFTkSuQmCC"
    return Data(base64Encoded: text) ?? Data()
  }()

  /// Some picture that is not all of one colour.
  static let picture: Picture = {
    let pixels = (0..<(40 * 30 * 3)).map { UInt8(truncatingIfNeeded: $0 * 37 / 3 ^ $0 >> 4) }
    guard let image = try? RGBImage(width: 40, height: 30, pixels: pixels) else { return .file("no picture") }
    return .pixels(image)
  }()
}

/// Whether numbers differ by less than `tolerance` of the largest expected.
func expectClose(
  _ found: [Float], _ expected: [Float], tolerance: Float = 1e-5,
  at location: SourceLocation = #_sourceLocation
) {
  let largest = expected.map(abs).max() ?? 0
  let worst = zip(found, expected).map { abs($0 - $1) }.max() ?? .infinity
  #expect(found.count == expected.count, sourceLocation: location)
  #expect(worst <= tolerance * largest, "off by \(worst), largest \(largest)", sourceLocation: location)
}
