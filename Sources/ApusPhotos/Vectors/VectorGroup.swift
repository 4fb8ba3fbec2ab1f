import Kernels
import TensorCore

/// Rows of one group in memory, on their way into a vector file.
struct VectorGroup {
  private let layout: VectorFileLayout
  private(set) var count = 0
  private(set) var numbers: [Int8]
  private(set) var scales: [Float] = []
  private(set) var checks: [UInt32] = []
  private(set) var ids: [Int64] = []

  init(_ layout: VectorFileLayout) {
    self.layout = layout
    numbers = []
  }

  var isFull: Bool { count == VectorFileLayout.rowsPerGroup }

  /// - Throws: ``ApusError`` of kind `argument` for a vector of another width, or with numbers that are not finite.
  mutating func add(_ row: VectorRow) throws(ApusError) {
    guard row.contentID >= 0 else {
      throw ApusError(.argument, "the content \(row.contentID)", expected: "0 or more")
    }
    guard row.numbers.count == layout.width else {
      throw Self.refusal(row, "a vector of \(row.numbers.count) numbers", expected: "\(layout.width)")
    }
    let start = numbers.count
    numbers.append(contentsOf: repeatElement(0, count: layout.stride))
    guard let scale = write(row.numbers, at: start) else {
      numbers.removeLast(layout.stride)
      throw Self.refusal(row, "a vector with numbers that are not finite", expected: nil)
    }
    scales.append(scale)
    ids.append(row.contentID)
    checks.append(
      numbers.withUnsafeBytes {
        QuantizedRow.check(
          UnsafeRawBufferPointer(rebasing: $0[start...]), scale: scale, contentID: row.contentID)
      })
    count += 1
  }

  private mutating func write(_ vector: [Float], at start: Int) -> Float? {
    vector.withUnsafeBufferPointer { vector in
      numbers.withUnsafeMutableBufferPointer { numbers in
        numbers.baseAddress.flatMap { QuantizedRow.write(vector, to: $0 + start) }
      }
    }
  }

  mutating func removeAll() {
    count = 0
    numbers.removeAll(keepingCapacity: true)
    scales.removeAll(keepingCapacity: true)
    checks.removeAll(keepingCapacity: true)
    ids.removeAll(keepingCapacity: true)
  }

  /// The whole group as it lies in a file, with zeros for rows that are not there.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(layout.groupByteCount)
    func add<Number: BitwiseCopyable>(_ numbers: [Number], upTo end: Int) {
      numbers.withUnsafeBytes { bytes += $0 }
      bytes += repeatElement(0, count: end - bytes.count)
    }
    add(numbers, upTo: layout.scales)
    add(scales, upTo: layout.checks)
    add(checks, upTo: layout.ids)
    add(ids, upTo: layout.groupByteCount)
    return bytes
  }

  private static func refusal(_ row: VectorRow, _ problem: String, expected: String?) -> ApusError {
    ApusError(.argument, problem, expected: expected, at: "content \(row.contentID)")
  }
}
