import CLibrary
import TensorCore

/// What the vector kernels make of two rows of bytes that stand for scaled numbers.
package protocol QuantizedPairs: Sendable {
  /// Makes `count` bytes of as many of each of `a` and `b`, which may be read a vector's width past their end.
  func run(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, into c: UnsafeMutableRawPointer, count: Int)
}

/// The results of every two bytes by a reference, which a quicker way may give too: one that does is as good as it.
struct BytePairResults {
  /// Makes so many bytes of two rows.
  typealias Pairs = (
    _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ c: UnsafeMutableRawPointer, _ count: Int
  ) -> Void

  /// Offsets to try, of results: bounds between them are about 2⁻¹⁶ apart.
  static let lifts: [Double] = [0, 2e-6, -2e-6, 4e-6, -4e-6, 8e-6, -8e-6, 16e-6, -16e-6]

  private let storage: TensorStorage

  init(of reference: Pairs) throws(ApusError) {
    // Operands may be read a vector's width past their end.
    storage = try TensorStorage(byteCount: 3 * 256 + 65_536)
    for byte in 0..<256 { second.storeBytes(of: UInt8(byte), toByteOffset: byte, as: UInt8.self) }
    for byte in 0..<256 { write(to: wanted(byte), byte, reference) }
  }

  /// Whether `pairs` gives all of them.
  func equal(_ pairs: Pairs) -> Bool {
    // Most ways that are wrong are so soon.
    (0..<256).allSatisfy { byte in
      write(to: found, byte, pairs)
      return memcmp(found, wanted(byte), 256) == 0
    }
  }

  /// Has `pairs` write what it makes of `byte` and every byte to `result`.
  private func write(to result: UnsafeMutableRawPointer, _ byte: Int, _ pairs: Pairs) {
    memset(first, Int32(byte), 256)
    pairs(UnsafeRawPointer(first), UnsafeRawPointer(second), result, 256)
  }

  private var first: UnsafeMutableRawPointer { storage.base }
  private var second: UnsafeMutableRawPointer { storage.base + 256 }
  private var found: UnsafeMutableRawPointer { storage.base + 512 }
  private func wanted(_ byte: Int) -> UnsafeMutableRawPointer { storage.base + 768 + 256 * byte }
}

extension Float {
  /// The number that is so many of float32 away.
  func nudged(_ steps: Int32) -> Float {
    Float(bitPattern: bitPattern &+ UInt32(bitPattern: steps))
  }
}
