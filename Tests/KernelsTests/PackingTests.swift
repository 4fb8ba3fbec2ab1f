import Foundation
import Kernels
import TensorCore
import TestSupport
import Testing

/// Packed weights of every instruction set, stored type and format, element by element.
@Suite struct PackingTests {
  static let sets = KernelSet.available.map(\.name)

  /// Two parts of different types side by side, at addresses that no vector would choose.
  @Test(arguments: sets)
  func everyElementIsInItsPlace(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    let types: [DataType] = [.float32, .float16, .bfloat16, .int8]
    for depth in [1, 3, 4, 15, 16, 17, 31, 64, 67, 130] {
      for (index, type) in types.enumerated() {
        let other = types[(index + 1) % types.count]
        let parts = [
          StoredPart(type, columns: 19, depth: depth, &random),
          StoredPart(other, columns: 38, depth: depth, &random),
        ]
        let stored = parts.map(\.columns)
        let values = parts.flatMap(\.values)
        for format in WeightFormat.allCases where format != .int16 {
          let matrix = try PackedMatrix.linear(
            stored, depth: depth, bias: nil, format: format, kernels: kernels, threads: 2)
          let found = UnpackedMatrix(matrix, format, kernels)
          for column in 0..<57 {
            let range = (column * depth)..<((column + 1) * depth)
            let scales = parts.flatMap(\.scales)
            let wanted = Self.expected(
              values[range], format, stored: column < 19 ? type : other, scale: scales[column])
            #expect(
              (0..<depth).map { found.element($0, column) } == wanted,
              "\(name) \(type) \(format) depth \(depth) column \(column) seed \(random.seed)")
          }
          #expect(found.paddingIsZero(depth: depth, columns: 57), "\(name) \(type) \(format) depth \(depth)")
        }
        withExtendedLifetime(parts) {}
      }
    }
  }

  /// The elements that a format makes of real numbers; for int8 those of a column whose scale is theirs.
  private static func expected(
    _ values: ArraySlice<Float>, _ format: WeightFormat, stored: DataType, scale: Float
  ) -> [Float] {
    switch format {
    case .float32: return Array(values)
    case .bfloat16: return values.map(DenseCase.rounded)
    case .int8, .int16:
      if stored == .int8 { return values.map { ($0 / scale).rounded() } }
      let inverse = 127 / (values.map(abs).max() ?? 0)
      return values.map { ($0 * inverse).rounded(.toNearestOrEven) }
    }
  }

  /// Panels of a matrix are the same, bit for bit, whether it is stored column by column or row by row, beside parts of other
  /// types that are stored in the other order.
  @Test(arguments: sets)
  func eitherOrderGivesTheSamePanels(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    var random = SeededRandom()
    let types: [DataType] = [.float32, .float16, .bfloat16, .int8]
    for depth in [1, 2, 3, 5, 15, 16, 17, 64, 67, 130] {
      for (index, type) in types.enumerated() {
        for counts in [[1], [5], [19, 38], [64], [16, 3, 45]] {
          for format in WeightFormat.allCases where format != .int16 {
            let parts = counts.enumerated().map {
              StoredPart(
                $0.offset == 1 ? types[(index + 1) % types.count] : type, columns: $0.element, depth: depth,
                isOfEveryKind: format != .int8, &random)
            }
            let turned = parts.map { StoredRows($0, depth: depth) }
            func packed(_ columns: [StoredColumns]) throws -> [UInt8] {
              let matrix = try PackedMatrix.linear(
                columns, depth: depth, bias: nil, format: format, kernels: kernels, threads: 2)
              return Array(matrix.bytes)
            }
            let wanted = try packed(parts.map(\.columns))
            let comment: Comment = "\(name) \(type) \(format) depth \(depth) \(counts) seed \(random.seed)"
            #expect(try packed(turned.map(\.columns)) == wanted, comment)
            let mixed = parts.indices.map { $0 % 2 == 0 ? turned[$0].columns : parts[$0].columns }
            #expect(try packed(mixed) == wanted, comment)
            withExtendedLifetime((parts, turned)) {}
          }
        }
      }
    }
  }

  /// All half-precision numbers become the float32 of the same value.
  @Test(arguments: sets)
  func everyFloat16(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    let bits = (0...UInt16.max).map { $0 }
    let matrix = try bits.withUnsafeBytes {
      try PackedMatrix.linear(
        [StoredColumns($0, .float16, count: 64)], depth: 1024, bias: nil, format: .float32, kernels: kernels,
        threads: 1)
    }
    let found = UnpackedMatrix(matrix, .float32, kernels)
    for bits in bits {
      let element = found.element(Int(bits) % 1024, Int(bits) / 1024)
      let wanted = Float(Float16(bitPattern: bits))
      #expect(wanted.isNaN ? element.isNaN : element.bitPattern == wanted.bitPattern, "\(name) \(bits)")
    }
  }

  /// NaN stays NaN in bfloat16, infinities stay, and what is beyond the largest number becomes infinite.
  @Test(arguments: sets)
  func bfloat16OfEveryKind(_ name: String) throws {
    let kernels = try KernelSet.named(name)
    let values: [Float] = [
      .nan, Float(bitPattern: 0x7f80_0001), .infinity, -.infinity, .greatestFiniteMagnitude, 0, -0.0, 1,
      Float(bitPattern: 0x3f80_8000), Float(bitPattern: 0x3f81_8000), Float(bitPattern: 0x3f80_8001),
    ]
    let matrix = try values.withUnsafeBytes {
      try PackedMatrix.linear(
        [StoredColumns($0, .float32, count: 1)], depth: values.count, bias: nil, format: .bfloat16,
        kernels: kernels, threads: 1)
    }
    let found = UnpackedMatrix(matrix, .bfloat16, kernels)
    for (index, value) in values.enumerated() {
      let element = found.element(index, 0)
      if value.isNaN {
        #expect(element.isNaN)
      } else {
        #expect(element.bitPattern == DenseCase.rounded(value).bitPattern, "\(name) \(value)")
      }
    }
  }

  /// A digest is that of the content, and differs when one bit does, wherever it is.
  @Test func digestsTellContentsApart() {
    var random = SeededRandom()
    for count in [0, 1, 7, 8, 63, 64, 65, 127, 1024, 1025, 5000, (1 << 20) + 3] {
      var bytes = random.bytes(count)
      let digest = bytes.withUnsafeBytes { ContentDigest($0) }
      #expect(bytes.withUnsafeBytes { ContentDigest($0, threads: 2) } == digest)
      for kernels in KernelSet.available {
        #expect(bytes.withUnsafeBytes { ContentDigest($0, kernels: kernels) } == digest, "\(kernels.name)")
      }
      #expect((bytes + [0]).withUnsafeBytes { ContentDigest($0) } != digest)
      for _ in 0..<min(count, 200) {
        let position = Int.random(in: 0..<count, using: &random)
        let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
        bytes[position] ^= bit
        #expect(bytes.withUnsafeBytes { ContentDigest($0) } != digest, "byte \(position) of \(count)")
        bytes[position] ^= bit
      }
    }
  }
}
