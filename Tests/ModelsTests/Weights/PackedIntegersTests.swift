import TestSupport
import Testing

@testable import Models

/// Rounding by integer operations is the processor's.
struct PackedIntegersTests {
  /// Every number of 16 bits, and those around it and around the middle to the next.
  private func numbers(_ widened: (UInt16) -> UInt32, half: UInt32) -> [Float] {
    (0...UInt16.max).flatMap { bits in
      let number = widened(bits)
      return [number, number &+ half, number &+ half &- 1, number &+ half &+ 1, number &- 1]
        .map { Float(bitPattern: $0) }
    }
  }

  private func rounded(
    _ numbers: [Float], _ round: (UnsafeBufferPointer<Float>, UnsafeMutablePointer<UInt16>) -> Void
  ) -> [UInt16] {
    [UInt16](unsafeUninitializedCapacity: numbers.count) { buffer, count in
      numbers.withUnsafeBufferPointer { source in
        if let target = buffer.baseAddress { round(source, target) }
      }
      count = numbers.count
    }
  }

  #if !(os(macOS) && arch(x86_64))
    @Test func halvesAreTheNearest() {
      let numbers = numbers({ Float(Float16(bitPattern: $0)).bitPattern }, half: 1 << 12)
      let found = rounded(numbers, PackedIntegers.roundToFloat16)
      let wrong = numbers.indices.filter {
        numbers[$0].isNaN
          ? !Float16(bitPattern: found[$0]).isNaN : found[$0] != Float16(numbers[$0]).bitPattern
      }
      #expect(wrong.isEmpty, "\(wrong.prefix(4).map { numbers[$0] })")
    }
  #endif

  /// Whatever the number of columns, every one is unpacked and none behind it.
  @Test(arguments: [4, 8])
  func rowsOfAnyLength(_ bits: Int) {
    var random = SeededRandom()
    let packing = PackedIntegers(bits: bits)
    for count in 0...70 {
      let row = (0..<80).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      var integers = [Int8](repeating: 99, count: count + 1)
      integers.withUnsafeMutableBufferPointer { target in
        row.withUnsafeBufferPointer { row in
          if let row = row.baseAddress {
            packing.unpack(row, UnsafeMutableBufferPointer(rebasing: target[..<count]))
          }
        }
      }
      let expected = (0..<count).map { index in
        let byte = Int(row[bits == 8 ? index : index / 2])
        return bits == 8 ? Int8(byte - 128) : Int8((byte >> (4 * (index % 2))) & 15) - 8
      }
      #expect(integers == expected + [99])
    }
  }
}
