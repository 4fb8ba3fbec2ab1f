import FuzzBodies
import Models
import TestSupport
import Testing

/// Any damage to a small model ends in a result or an error: nothing crashes while it is parsed, imported,
/// compiled and run.
struct TFLiteDamageTests {
  static let models = [
    SmallModels.float, SmallModels.quantized, SmallModels.composite, SmallModels.movement, SmallModels.sparse,
  ].map { $0.build() }

  @Test(arguments: models.indices)
  func everyByteChanged(index: Int) {
    let bytes = Self.models[index]
    #expect(Fuzzing.run(tflite: bytes) == nil)
    var accepted = 0
    for position in bytes.indices {
      for value in [0, 0x7F, 0x80, 0xFF, bytes[position] ^ 1, bytes[position] &+ 4] {
        var damaged = bytes
        damaged[position] = value
        if Fuzzing.run(tflite: damaged) == nil { accepted += 1 }
      }
    }
    #expect(accepted > 0)
  }

  @Test(arguments: models.indices)
  func everyTruncation(index: Int) {
    for count in Self.models[index].indices { Fuzzing.run(tflite: Array(Self.models[index][..<count])) }
  }

  @Test(arguments: models.indices)
  func randomDamage(index: Int) {
    var random = SeededRandom(seed: UInt64.random(in: .min ... .max))
    print("seed of the random damage: \(random.seed)")
    for _ in 0..<2000 {
      var damaged = Self.models[index]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      Fuzzing.run(tflite: damaged)
    }
  }
}
