import Kernels
import TensorCore

/// A tensor's scales for each slice of its first axis, and what they cost.
struct QuantizedRows: Sendable {
  let scales: [Float]
  /// Error of the weights.
  let error: SignalToNoise
  let clipping: Clipping

  private let factors: TensorFactors?

  /// - Parameters:
  ///   - factors: by which rows and columns are multiplied first.
  ///   - importance: of the elements of a row, as in ``RowScale``; nil when all count alike.
  /// - Throws: ``ApusError`` when a number is not finite, or the tensor is no float tensor with rows.
  init(
    _ tensor: Tensor, named name: String, factors: TensorFactors? = nil, importance: [Float]? = nil,
    threads: Int
  ) throws(ApusError) {
    self.factors = factors
    let rows = tensor.shape.dimensions.first ?? 1
    let length = rows == 0 ? 0 : tensor.shape.elementCount / rows
    guard rows > 0, length > 0 else {
      throw ApusError(
        .malformedModel, "has shape \(tensor.shape)", expected: "rows that are not empty",
        at: "tensor '\(name.clipped)'")
    }
    var found: [RowScale] = []
    found.reserveCapacity(rows)
    let chunks = FloatChunks(tensor, named: name, factors: factors)
    try chunks.forEach(multipleOf: length) { (_, chunk) throws(ApusError) in
      found += Self.scales(chunk, rowLength: length, importance, threads: threads)
    }
    var error = SignalToNoise()
    for row in found { error.add(row.error) }
    self.error = error
    scales = found.map(\.scale)
    clipping = Clipping(found.map(\.share))
  }

  private static func scales(
    _ chunk: UnsafeBufferPointer<Float>, rowLength: Int, _ importance: [Float]?, threads: Int
  ) -> [RowScale] {
    let rows = chunk.count / rowLength
    return [RowScale](unsafeUninitializedCapacity: rows) { results, count in
      let places = Places(results)
      ThreadPool.shared.parallel(count: rows, nanosecondsPerItem: 40 * rowLength, threads: threads) {
        range, _ in
        for row in range {
          let values = UnsafeBufferPointer(rebasing: chunk[(row * rowLength)..<((row + 1) * rowLength)])
          let found =
            importance?.withUnsafeBufferPointer { RowScale(values, importance: $0) } ?? RowScale(values)
          places.results.initializeElement(at: row, to: found)
        }
      }
      count = rows
    }
  }

  /// Results that threads write each at its own place.
  private struct Places: @unchecked Sendable {
    let results: UnsafeMutableBufferPointer<RowScale>

    init(_ results: UnsafeMutableBufferPointer<RowScale>) { self.results = results }
  }

  /// The tensor in int8 with these scales.
  func quantize(_ tensor: Tensor, named name: String) throws(ApusError) -> Tensor {
    let length = tensor.shape.elementCount / scales.count
    var stored: [Int8] = []
    stored.reserveCapacity(tensor.shape.elementCount)
    let chunks = FloatChunks(tensor, named: name, factors: factors)
    try chunks.forEach(multipleOf: length) { (start, chunk) throws(ApusError) in
      for first in stride(from: 0, to: chunk.count, by: length) {
        let inverse = 1 / scales[(start + first) / length]
        for value in chunk[first..<(first + length)] {
          stored.append(Int8(RowScale.quantum(value, inverse: inverse)))
        }
      }
    }
    return try Tensor(stored, shape: tensor.shape)
  }
}

/// The reduction of a tensor's row scales below the scales of their largest magnitudes.
public struct Clipping: Sendable, Equatable {
  /// Rows of which something is clipped.
  public let rows: Int
  /// The mean share of the largest magnitude that is kept.
  public let mean: Double
  /// The least share that is kept.
  public let least: Double

  init(_ shares: [Float]) {
    rows = shares.count { $0 < 1 }
    mean = shares.isEmpty ? 1 : shares.reduce(0) { $0 + Double($1) } / Double(shares.count)
    least = shares.min().map(Double.init) ?? 1
  }
}
