import CLibrary
import Kernels
import TensorCore

/// The product and the sum of each column of bytes: as lines where there are such, else as a table.
struct ScaledColumns: Sendable {
  private let width: Int
  private let lines: ByteLines
  /// The columns without lines, with the result of each byte.
  private let tables: [(column: Int, results: [UInt8])]

  /// - Parameters:
  ///   - scales: the stored factors of the columns.
  ///   - offsets: what is added to their products, as it is stored.
  init(
    _ product: QuantizedProduct, _ sum: QuantizedAddParameters, isSigned: Bool, scales: [Int], offsets: [Int],
    kernels: KernelSet
  ) throws(ApusError) {
    width = scales.count
    let zero = -product.firstOffset
    lines = try ByteLines(width: width, bend: zero, isSigned: isSigned, kernels: kernels)
    let search = try ByteLineSearch(bend: zero, isSigned: isSigned, kernels: kernels)
    let products = try ByteFunctions(product, search, isSigned: isSigned, kernels)
    let sums = try ByteFunctions(sum, search, isSigned: isSigned, kernels)
    let firsts = Self.lines(scales) { scale in
      products.setResults(second: scale)
      return search.firstLine(product.function(second: scale), results: products.results)
    }
    let seconds = Self.lines(offsets) { offset in
      sums.setResults(second: offset)
      return search.secondLine(sum.function(second: offset), results: sums.results)
    }
    var tables: [(column: Int, results: [UInt8])] = []
    for (column, (scale, offset)) in zip(scales, offsets).enumerated() {
      if let first = firsts[scale & 255], let second = seconds[offset & 255] {
        lines.set(first, second, at: column)
      } else {
        products.setResults(second: Int32(truncatingIfNeeded: scale))
        sums.setResults(second: Int32(truncatingIfNeeded: offset))
        tables.append((column, products.followed(by: sums)))
      }
    }
    self.tables = tables
  }

  /// The lines of each of some constants, by their bits, as far as they are found.
  private static func lines(_ constants: [Int], _ find: (Int32) -> ByteLines.Line?) -> [ByteLines.Line?] {
    var lines = [ByteLines.Line?](repeating: nil, count: 256)
    var known = [Bool](repeating: false, count: 256)
    for constant in constants where !known[constant & 255] {
      known[constant & 255] = true
      lines[constant & 255] = find(Int32(truncatingIfNeeded: constant))
    }
    return lines
  }

  /// `rows` of `x`, which may be read a vector's width past their end, to as many of `y`, which is other memory.
  func run(_ x: UnsafeRawPointer, into y: UnsafeMutableRawPointer, rows: Int) {
    lines.run(x, into: y, rows: rows)
    for (column, results) in tables {
      for place in stride(from: column, to: rows * width, by: width) {
        let byte = x.load(fromByteOffset: place, as: UInt8.self)
        y.storeBytes(of: results[Int(byte)], toByteOffset: place, as: UInt8.self)
      }
    }
  }
}

/// What an operation makes of every byte and a second operand that stays the same.
private struct ByteFunctions {
  private let math: any StoredBinaryMath
  private let pairs: (any QuantizedPairs)?
  private let search: ByteLineSearch
  private let isSigned: Bool
  /// The second operand 256 times, and the results.
  private let storage: TensorStorage

  init(
    _ math: any StoredBinaryMath, _ search: ByteLineSearch, isSigned: Bool, _ kernels: KernelSet
  ) throws(ApusError) {
    self.math = math
    self.search = search
    self.isSigned = isSigned
    pairs = try math.vectorized(isSigned: isSigned, findsQuickest: false, kernels: kernels)
    storage = try TensorStorage(byteCount: 512)
  }

  /// For each byte of the search, as it is stored.
  var results: UnsafeRawPointer { UnsafeRawPointer(storage.base + 256) }

  func setResults(second: Int32) {
    if let pairs {
      memset(storage.base, second, 256)
      pairs.run(search.bytes, UnsafeRawPointer(storage.base), into: storage.base + 256, count: 256)
      return
    }
    for place in 0..<256 {
      let result = math(Int32(isSigned ? place - 128 : place), second)
      storage.base.storeBytes(
        of: UInt8(truncatingIfNeeded: result), toByteOffset: 256 + place, as: UInt8.self)
    }
  }

  /// For each byte what the other makes of its result.
  func followed(by other: Self) -> [UInt8] {
    (0..<256).map { byte in
      // Flipping the top bit of a signed byte gives its place, and the other way round.
      let place = Int(search.byte(at: byte))
      let between = results.load(fromByteOffset: place, as: UInt8.self)
      return other.results.load(fromByteOffset: Int(search.byte(at: Int(between))), as: UInt8.self)
    }
  }
}
