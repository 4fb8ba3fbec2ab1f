import Foundation
import Images
import TestSupport
import Testing

@testable import Apus

/// Models that are given a picture file see one transparent colour as their own library shows it to them.
struct TransparentColourModelTests {
  private static let colour: [UInt8] = [10, 200, 30]
  private let keyed: [UInt8]
  private let whitened: RGBImage
  private let plain: RGBImage

  /// A square of one colour, of which every other pixel is transparent.
  init() throws {
    let side = 16
    let other: [UInt8] = [200, 40, 90]
    func rows(_ transparent: [UInt8]) -> [[UInt8]] {
      (0..<side).map { y in (0..<side).flatMap { x in (x + y) % 2 == 0 ? transparent : other } }
    }
    let samples: [UInt8] = Self.colour.flatMap { [0, $0] }
    keyed = PNGFile.bytes(
      width: side, bitDepth: 8, colourType: 2, rows: rows(Self.colour), chunks: [("tRNS", samples)])
    whitened = try RGBImage(width: side, height: side, pixels: rows([255, 255, 255]).flatMap { $0 })
    plain = try RGBImage(width: side, height: side, pixels: rows(Self.colour).flatMap { $0 })
  }

  @Test(arguments: ["clip", "siglip-vision"])
  func embeddersWhitenIt(_ name: String) throws {
    let embedder = try ImageEmbedder(Checkout.modelFolder(name))
    let found = try embedder.blocking.embed(.encoded(keyed)).values
    let expected = try embedder.blocking.embed(.pixels(whitened)).values
    let stored = try embedder.blocking.embed(.pixels(plain)).values
    #expect(found == expected && found != stored)
  }

  @Test func aProcessorThatConvertsNothingLeavesIt() throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("clip"))
    let file = "preprocessor_config.json"
    let text = try String(contentsOfFile: "\(folder.path)/\(file)", encoding: .utf8)
    let edited = text.replacing("\"do_convert_rgb\": true", with: "\"do_convert_rgb\": false")
    #expect(edited != text)
    try folder.write(file, edited)
    let embedder = try ImageEmbedder(folder.path)
    let found = try embedder.blocking.embed(.encoded(keyed)).values
    let stored = try embedder.blocking.embed(.pixels(plain)).values
    #expect(found == stored)
  }

  @Test func tensorsHaveIt() throws {
    let processor = try ImageProcessor(Checkout.modelFolder("clip"))
    let found: [Float] = try processor.tensor(.encoded(keyed)).elements()
    let expected: [Float] = try processor.tensor(.pixels(whitened)).elements()
    #expect(found == expected)
  }
}
