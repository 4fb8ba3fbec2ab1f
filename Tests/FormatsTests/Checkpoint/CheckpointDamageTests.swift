import Foundation
import FuzzBodies
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Any damage to a checkpoint gives a result or an error, never a crash; what is accepted keeps its promises.
struct CheckpointDamageTests {
  private typealias Builder = CheckpointBuilder

  private static let sound = CheckpointBuilder.file([
    ("a.weight", "F32", [2, 2], SafetensorsBuilder.bytes([1, 2, 3, 4])), ("b", "BF16", [1], [1, 2]),
    ("c", "BOOL", [3], [0, 1, 1]),
  ])

  private func isAccepted(_ bytes: [UInt8]) -> Bool { Fuzzing.checkpoint(bytes) == nil }

  @Test func everyTruncation() throws {
    #expect(isAccepted(Self.sound))
    for count in Self.sound.indices { #expect(!isAccepted(Array(Self.sound[..<count]))) }
    let zip = try FileBytes.read(Checkout.fixture("checkpoints/wrapped.pt").path)
    #expect(isAccepted(zip))
    for count in zip.indices { #expect(!isAccepted(Array(zip[..<count]))) }
  }

  @Test func everyByteOfASmallFile() {
    for position in Self.sound.indices {
      for value in [0, 1, 0x2E, 0x28, 0x51, 0x52, 0x7F, 0x80, 0xFF, Self.sound[position] ^ 1] as [UInt8] {
        var damaged = Self.sound
        damaged[position] = value
        _ = isAccepted(damaged)
      }
    }
  }

  @Test func randomDamage() throws {
    var random = SeededRandom(seed: .random(in: .min ... .max))
    print("seed of the damage to checkpoints: \(random.seed)")
    var files = [Self.sound]
    for name in ["views-older", "types-older", "network", "wrapped"] {
      files.append(try FileBytes.read(Checkout.fixture("checkpoints/\(name).pt").path))
    }
    for round in 0..<5000 {
      var damaged = files[round % files.count]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = isAccepted(damaged)
    }
  }

  /// A tensor over a storage of four floats.
  private func view(_ offset: Int, _ shape: [Int], _ strides: [Int], elements: Int = 4) -> [UInt8] {
    let storage =
      Builder.text("storage") + Builder.global("torch", "FloatStorage") + Builder.text("0")
      + Builder.text("cpu")
      + Builder.number(elements)
    let tensor =
      Builder.global("torch._utils", "_rebuild_tensor_v2") + [0x28, 0x28] + storage + [0x4E, 0x74, 0x51]
      + Builder.number(offset) + Builder.tuple(shape) + Builder.tuple(strides) + [0x89, 0x4E, 0x74, 0x52]
    let whole = Builder.file(value: [0x7D] + Builder.text("a") + tensor + [0x73])
    // The list of storages names the one.
    let data: [UInt8] = [4, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 1, count: 16)
    let storages = Builder.pickle([0x5D] + Builder.text("0") + [0x61])
    return Array(whole.dropLast(4)) + storages + data
  }

  @Test func tensorsOutsideOfTheirStorage() {
    #expect(
      isAccepted(view(0, [4], [1])) && isAccepted(view(1, [3], [1])) && isAccepted(view(3, [1, 9], [7, 0])))
    #expect(isAccepted(view(0, [0, .max / 4], [1, 1])) == false)
    let outside: [(Int, [Int], [Int])] = [
      (1, [4], [1]), (-1, [1], [1]), (0, [2], [-1]), (0, [-1], [1]), (0, [3], [2]), (0, [2, 2], [2]),
      (.max, [1], [1]), (.max, [2], [.max]), (0, [.max], [.max]), (0, [1 << 40, 1 << 40], [0, 0]),
      (0, [1 << 31], [0]),
      (0, [Int](repeating: 1, count: 65), [Int](repeating: 1, count: 65)), (4, [1], [1]),
    ]
    for (offset, shape, strides) in outside {
      #expect(!isAccepted(view(offset, shape, strides)), "\(offset) \(shape) \(strides)")
    }
    for count in [3, 5, -1, .max, 1 << 62] { #expect(!isAccepted(view(0, [1], [1], elements: count))) }
  }

  /// What nests deeply or in a circle takes neither the stack nor memory.
  @Test func deepAndCircularValues() {
    let deep = [UInt8](repeating: 0x29, count: 1) + [UInt8](repeating: 0x85, count: 1_000_000)
    #expect(!isAccepted(Builder.file(value: deep)))
    #expect(!isAccepted(Builder.file(value: [UInt8](repeating: 0x28, count: 1_000_000) + [0x7D])))
    // A list in itself, and a dictionary.
    #expect(!isAccepted(Builder.file(value: [0x5D, 0x71, 0, 0x68, 0, 0x61])))
    #expect(
      !isAccepted(Builder.file(value: [0x7D, 0x71, 0] + Builder.text("state_dict") + [0x68, 0, 0x73])))
    #expect(!isAccepted(Builder.file(value: [UInt8](repeating: 0x4E, count: 9 << 20))))
  }

  @Test(
    arguments: [
      [0x30], [0x31], [0x32], [0x74], [0x75], [0x61], [0x65], [0x52], [0x81], [0x62], [0x51], [0x68, 9],
      [0x94], [0x93],
      [0x85], [0x86], [0x87], [0x28, 0x85], [0x28, 0x30], [0x49], [0x69], [0x6F], [0x90], [0x98], [0xFF],
      [0x58, 255, 255, 255, 255],
      [0x8D, 255, 255, 255, 255, 255, 255, 255, 255], [0x8B, 255, 255, 255, 255], [0x80, 9],
    ] as [[UInt8]])
  func operationsWithoutOperands(_ operations: [UInt8]) {
    #expect(!isAccepted(Builder.file(value: operations)))
  }

  @Test(arguments: [
    ("os", "system"), ("builtins", "eval"), ("torch", "load"), ("torch._utils", "_rebuild_qtensor"), ("", ""),
    ("torch.nn.modules.linear", "Linear"), ("collections", "OrderedDict\u{301}"), ("torch", "float"),
  ])
  func otherNamesAreRefused(_ module: String, _ name: String) {
    let error = Fuzzing.checkpoint(Builder.file(value: Builder.global(module, name)))
    #expect(error?.kind == .unsupportedModel)
    #expect(error?.problem.contains("\(module).\(name)") == true)
  }
}
