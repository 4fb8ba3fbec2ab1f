import Foundation
import TestSupport
import Testing

@testable import Text

@Suite("Unicode")
struct UnicodeNormalizationTests {
  private func bytes(_ scalars: [UInt32]) -> [UInt8] {
    var text: [UInt8] = []
    for scalar in scalars { text.append(scalar: scalar) }
    return text
  }

  @Test("known sequences have their forms")
  func knownSequences() {
    let cases: [(UnicodeNormalization, [UInt32], [UInt32])] = [
      (.nfd, [0xE9], [0x65, 0x301]), (.nfc, [0x65, 0x301], [0xE9]), (.nfc, [0x212B], [0xC5]),
      (.nfc, [0xE9, 0x323], [0x1EB9, 0x301]), (.nfd, [0x1E69], [0x73, 0x323, 0x307]),
      (.nfkd, [0xFB01], [0x66, 0x69]), (.nfkc, [0x2460, 0x338], [0x31, 0x338]),
      (.nfc, [0x958], [0x915, 0x93C]),
      (.nfd, [0xAC01], [0x1100, 0x1161, 0x11A8]), (.nfc, [0x1100, 0x1161, 0x11A8], [0xAC01]),
      (.nfc, [0xAC00, 0x11A7], [0xAC00, 0x11A7]), (.nfd, [0x61, 0x301, 0x323], [0x61, 0x323, 0x301]),
      (.nfc, [0x1D15E], [0x1D157, 0x1D165]),
      (.nfkc, [0xFDFA], Array("صلى الله عليه وسلم".unicodeScalars.map(\.value))),
    ]
    for (form, source, wanted) in cases { #expect(form.apply(bytes(source)) == bytes(wanted)) }
  }

  @Test("forms are stable, and agree with one another")
  func laws() {
    var random = SeededRandom()
    let marks: [UInt32] = [0x300, 0x301, 0x323, 0x327, 0x345, 0x334, 0x3099, 0x5B0, 0x93C]
    for _ in 0..<300 {
      let scalars = (0..<Int.random(in: 1...12, using: &random)).map { _ -> UInt32 in
        switch Int.random(in: 0..<4, using: &random) {
        case 0: marks.randomElement(using: &random) ?? 0x300
        case 1: UInt32.random(in: 0xC0...0x24F, using: &random)
        case 2: UInt32.random(in: 0xAC00...0xD7A3, using: &random)
        default: UInt32.random(in: 0x61...0x7A, using: &random)
        }
      }
      let text = bytes(scalars)
      let (nfd, nfc) = (UnicodeNormalization.nfd.apply(text), UnicodeNormalization.nfc.apply(text))
      #expect(UnicodeNormalization.nfd.apply(nfd) == nfd, "seed \(random.seed): \(scalars)")
      #expect(UnicodeNormalization.nfc.apply(nfc) == nfc, "seed \(random.seed): \(scalars)")
      #expect(UnicodeNormalization.nfc.apply(nfd) == nfc, "seed \(random.seed): \(scalars)")
      #expect(UnicodeNormalization.nfd.apply(nfc) == nfd, "seed \(random.seed): \(scalars)")
      let foundation = String(decoding: text, as: UTF8.self)
      #expect(
        nfd == Array(foundation.decomposedStringWithCanonicalMapping.utf8), "seed \(random.seed): \(scalars)")
      #expect(
        nfc == Array(foundation.precomposedStringWithCanonicalMapping.utf8), "seed \(random.seed): \(scalars)"
      )
    }
  }

  @Test("characters are written and read as UTF-8")
  func utf8() {
    for scalar: UInt32 in [0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF] {
      let text = bytes([scalar])
      #expect(text == Unicode.Scalar(scalar).map { Array(String(Character($0)).utf8) })
      #expect(text.span.scalar(at: 0).value == scalar)
      #expect(text.span.scalar(before: text.count).value == scalar)
    }
  }

  @Test("bytes that are no characters are read without going beyond the end")
  func malformedBytes() {
    for text: [UInt8] in [[0xF0], [0xE2, 0x82], [0x80], [0xFF, 0xC3], [0xF0, 0x9F, 0x98]] {
      let span = text.span
      for position in span.indices {
        #expect(span.scalar(at: position).length + position <= span.count)
        #expect(span.scalar(before: position + 1).length <= position + 1)
      }
    }
  }

  @Test("lower case is that of each character alone")
  func lowercase() {
    let lower = { (text: String) in String(decoding: Lowercase.shared.apply(Array(text.utf8)), as: UTF8.self)
    }
    #expect(lower("ABC xyz 123") == "abc xyz 123")
    #expect(lower("ÄÖÜ ΣΑΣ ẞ Ǆ ǅ") == "äöü σασ ß ǆ ǆ")
    #expect(lower("İ") == "i\u{307}")
    #expect(lower("K Å 𐐀") == "k å 𐐨")
  }
}
