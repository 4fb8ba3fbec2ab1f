import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Any damage to a file gives a result or an error, never a crash; what is accepted keeps its promises.
struct SafetensorsDamageTests {
  private static let sound = SafetensorsBuilder.file([
    ("a.weight", "F32", [2, 2], SafetensorsBuilder.bytes([1, 2, 3, 4])), ("b", "BF16", [1], [1, 2]),
    ("c", "BOOL", [3], [0, 1, 1]), ("d", "F8_E5M2", [2], [1, 2]),
  ])

  private func check(_ bytes: [UInt8]) -> Bool {
    guard let file = try? SafetensorsFile(bytes, named: "model.safetensors") else { return false }
    var end = 0
    for entry in file.entries {
      #expect(entry.bytes.lowerBound == end)
      end = entry.bytes.upperBound
      guard let tensor = try? file.tensor(entry.name) else { continue }
      #expect(tensor.type.byteCount == entry.bytes.count)
      #expect(tensor.withBytes { $0.count } == entry.bytes.count)
    }
    #expect(end <= bytes.count)
    return true
  }

  @Test func everyByteOfASmallFile() {
    var accepted = 0
    for position in Self.sound.indices {
      for value in [
        0, 1, 9, 0x20, 0x22, 0x2C, 0x30, 0x39, 0x7B, 0x7D, 0x7F, 0x80, 0xFF, Self.sound[position] ^ 1,
      ] {
        var damaged = Self.sound
        damaged[position] = UInt8(value)
        if check(damaged) { accepted += 1 }
      }
    }
    #expect(accepted > 0)
  }

  @Test func everyTruncation() {
    for count in Self.sound.indices { #expect(!check(Array(Self.sound[..<count]))) }
    #expect(check(Self.sound))
  }

  @Test func randomDamage() {
    var random = SeededRandom(seed: .random(in: .min ... .max))
    print("seed of the damage to safetensors: \(random.seed)")
    for _ in 0..<3000 {
      var damaged = Self.sound
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = check(damaged)
    }
  }

  @Test func aHugeHeaderOfNothingIsReadInProportion() {
    // The limit is on the header's own bytes, which the file must have: a length alone allocates nothing.
    for claimed in [1 << 20, 99_999_999, 100_000_000, 100_000_001] as [UInt64] {
      let prefix = (0..<8).map { UInt8(truncatingIfNeeded: claimed >> (8 * UInt64($0))) }
      #expect(!check(prefix + Array("{}".utf8)))
    }
  }
}
