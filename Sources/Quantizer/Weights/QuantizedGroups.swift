import Kernels
import TensorCore

/// A matrix's scales for each group of columns in each row, and what they cost.
struct QuantizedGroups: Sendable {
  /// Columns of a group, of which rows have a whole number.
  let size: Int
  /// [rows, groups]
  let scales: [Float]
  /// Error of the weights.
  let error: SignalToNoise

  /// Integers in an int32.
  private static let perWord = 8

  /// - Parameters:
  ///   - tensor: [rows, columns], columns a multiple of `size`, and that of 8.
  /// - Throws: ``ApusError`` when a number is not finite, or too large for float16.
  init(_ tensor: Tensor, named name: String, size: Int, threads: Int) throws(ApusError) {
    self.size = size
    var found: [GroupScale?] = []
    found.reserveCapacity(tensor.shape.elementCount / size)
    try FloatChunks(tensor, named: name).forEach(multipleOf: size) { (_, chunk) throws(ApusError) in
      found += Self.scales(chunk, size: size, threads: threads)
    }
    let known = found.compactMap(\.self)
    guard known.count == found.count else {
      throw ApusError(
        .unsupportedModel, "has numbers that are too large for scales in float16",
        expected: "at most 57316", at: "tensor '\(name.clipped)'")
    }
    scales = known.map(\.scale)
    error = known.reduce(into: SignalToNoise()) { $0.add($1.error) }
  }

  private static func scales(
    _ chunk: UnsafeBufferPointer<Float>, size: Int, threads: Int
  ) -> [GroupScale?] {
    let groups = chunk.count / size
    return [GroupScale?](unsafeUninitializedCapacity: groups) { results, count in
      let places = Places(results)
      ThreadPool.shared.parallel(count: groups, nanosecondsPerItem: 30 * size, threads: threads) { range, _ in
        for group in range {
          let values = UnsafeBufferPointer(rebasing: chunk[(group * size)..<((group + 1) * size)])
          places.results.initializeElement(at: group, to: GroupScale(values))
        }
      }
      count = groups
    }
  }

  /// Results that threads write each at its own place.
  private struct Places: @unchecked Sendable {
    let results: UnsafeMutableBufferPointer<GroupScale?>

    init(_ results: UnsafeMutableBufferPointer<GroupScale?>) { self.results = results }
  }

  /// The shape of the packed integers of a matrix.
  static func packedShape(_ shape: Shape) throws(ApusError) -> Shape {
    try Shape([shape[0], shape[1] / perWord])
  }

  /// The matrix in integers of 4 bits, each 8 above its value, the first in the lowest bits of an int32.
  func pack(_ tensor: Tensor, named name: String) throws(ApusError) -> Tensor {
    var words: [Int32] = []
    words.reserveCapacity(tensor.shape.elementCount / Self.perWord)
    try FloatChunks(tensor, named: name).forEach(multipleOf: size) { (start, chunk) throws(ApusError) in
      for first in stride(from: 0, to: chunk.count, by: size) {
        let inverse = 1 / scales[(start + first) / size]
        for word in stride(from: first, to: first + size, by: Self.perWord) {
          var bits: UInt32 = 0
          for index in 0..<Self.perWord {
            let quantum = GroupScale.quantum(chunk[word + index], inverse: inverse)
            bits |= UInt32(quantum + 8) << UInt32(4 * index)
          }
          words.append(Int32(bitPattern: bits))
        }
      }
    }
    return try Tensor(words, shape: Self.packedShape(tensor.shape))
  }

  /// The scales in float16, [rows, groups].
  func scaleTensor(rows: Int) throws(ApusError) -> Tensor {
    let shape = try Shape([rows, scales.count / max(rows, 1)])
    let bits = scales.map { Float16($0).bitPattern }
    return try Tensor(bits, shape: shape).reinterpreted(as: TensorType(.float16, shape))
  }
}
