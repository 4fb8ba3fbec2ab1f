import Kernels
import TensorCore
import TestSupport
import Testing

/// Products of bytes that are packed as they are multiplied: the sums of plain loops on every instruction set.
@Suite struct ComputedByteProductTests {
  /// Every tail of rows, columns and depth, and depths of several blocks; the last with sums that 32 bits do not hold.
  static let shapes = [
    (1, 1, 1), (3, 2, 5), (5, 3, 16), (7, 5, 17), (12, 17, 33), (13, 32, 40), (25, 33, 47), (14, 66, 64),
    (2, 131, 70), (300, 9, 35), (60, 64, 197), (5, 0, 7), (3, 16_390, 18), (2, 140_000, 1),
  ]

  @Test(arguments: KernelSet.available.map(\.name))
  func everyShapeInEveryOrder(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    for (rows, depth, columns) in Self.shapes {
      for way in 0..<8 {
        let (ta, tb, areSigned) = (way & 1 != 0, way & 2 != 0, way & 4 != 0)
        let extremes = depth > 100_000
        func bytes(_ count: Int) -> [Int8] {
          (0..<count).map { _ in extremes ? -128 : Int8.random(in: -128...127, using: &random) }
        }
        let (a, b) = (bytes(2 * rows * depth), bytes(2 * depth * columns))
        let steps = (a: ta ? (1, rows) : (depth, 1), b: tb ? (depth, 1) : (1, columns))
        var wanted: [Int32] = []
        for matrix in 0..<2 {
          for row in 0..<rows {
            for column in 0..<columns {
              var sum: Int32 = 0
              for k in 0..<depth {
                let byte = a[matrix * rows * depth + row * steps.a.0 + k * steps.a.1]
                let left = areSigned ? Int32(byte) : Int32(UInt8(bitPattern: byte))
                sum &+= left &* Int32(b[matrix * depth * columns + column * steps.b.0 + k * steps.b.1])
              }
              wanted.append(sum)
            }
          }
        }
        for threads in [1, 2] {
          let product = ComputedByteProduct(
            matrices: 2, rows: rows, columns: columns, depth: depth, a: steps.a, b: steps.b,
            areSigned: areSigned, threads: threads, kernels: kernels)
          let found = try Self.run(product, a, b, count: wanted.count, threads: threads) {
            (a: $0 * rows * depth, b: $0 * depth * columns)
          }
          #expect(found == wanted, "\(name) \(rows)x\(depth)x\(columns) way \(way) seed \(random.seed)")
        }
      }
    }
  }

  private static func run(
    _ product: ComputedByteProduct, _ a: [Int8], _ b: [Int8], count: Int, threads: Int,
    _ origins: (Int) -> (a: Int, b: Int)
  ) throws -> [Int32] {
    let scratch = try GuardedScratch(byteCount: product.scratchByteCount)
    // So many bytes behind the first factor may be read, which count for nothing.
    let a = a + [Int8](repeating: 99, count: 64)
    return a.withUnsafeBufferPointer { a in
      (b + [0]).withUnsafeBufferPointer { b in
        [Int32](unsafeUninitializedCapacity: count) { result, written in
          if let a = a.baseAddress, let b = b.baseAddress, let c = result.baseAddress {
            product.multiply(
              ComputedByteProduct.Operands(a: a, b: b, c: c, scratch: scratch.base), threads: threads,
              origins: origins)
          }
          #expect(scratch.isIntact)
          written = count
        }
      }
    }
  }
}
