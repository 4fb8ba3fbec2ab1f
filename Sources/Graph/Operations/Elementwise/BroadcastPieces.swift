/// The pieces of a run of a binary element-wise operation, in each of which both operands advance with the result: an operand
/// that stands still along a row is repeated in memory beside.
///
/// Compiled once for elements of all sizes.
struct BroadcastPieces {
  static var repeatedBytes: Int { 1024 }

  /// Where the operands' numbers and the results of the piece are.
  private(set) var first: UnsafeRawPointer
  private(set) var second: UnsafeRawPointer
  private(set) var result: UnsafeMutableRawPointer
  /// Results in the piece.
  private(set) var count = 0

  private let plan: BroadcastPlan
  private let firstOrigin: UnsafeRawPointer
  private let secondOrigin: UnsafeRawPointer
  private let resultOrigin: UnsafeMutableRawPointer
  private let firstBytes: Int
  private let secondBytes: Int
  private let resultBytes: Int
  private let repeated: UnsafeMutableRawPointer
  private let endRow: Int
  private let rowStart: Int
  private let rowEnd: Int
  private let most: Int
  /// The first row of the piece.
  private var row: Int
  /// Rows in the piece: several short ones, when their results and one operand's numbers follow one another.
  private var rows = 1
  private var position: Int

  /// - Parameters:
  ///   - range: results when there is one row only, else rows.
  ///   - firstBytes: of an element, at most 8; so are the others.
  ///   - repeated: room for ``repeatedBytes``.
  @inline(never)
  init(
    _ plan: BroadcastPlan, _ range: Range<Int>, first: UnsafeRawPointer, _ firstBytes: Int,
    second: UnsafeRawPointer, _ secondBytes: Int, result: UnsafeMutableRawPointer, _ resultBytes: Int,
    repeated: UnsafeMutableRawPointer
  ) {
    self.plan = plan
    (firstOrigin, secondOrigin, resultOrigin) = (first, second, result)
    (self.first, self.second, self.result) = (first, second, result)
    (self.firstBytes, self.secondBytes, self.resultBytes) = (firstBytes, secondBytes, resultBytes)
    self.repeated = repeated
    let isOneRow = plan.rowCount == 1
    (row, endRow) = isOneRow ? (-1, 1) : (range.lowerBound &- 1, range.upperBound)
    (rowStart, rowEnd) = isOneRow ? (range.lowerBound, range.upperBound) : (0, plan.rowLength)
    position = rowEnd
    let standing = plan.firstAdvances ? secondBytes : firstBytes
    most = plan.firstAdvances && plan.secondAdvances ? rowEnd : Self.repeatedBytes / standing
  }

  /// Goes to the next piece; false when there is none.
  @inline(never)
  mutating func advance() -> Bool {
    if position < rowEnd {
      if plan.firstAdvances { first += count &* firstBytes }
      if plan.secondAdvances { second += count &* secondBytes }
      result += count &* resultBytes
    } else {
      row &+= rows
      guard row < endRow, rowStart < rowEnd else { return false }
      let along = rowStart == 0 && rowEnd <= most ? plan.rowsAlong(from: row) : (count: 1, step: 0)
      rows = max(1, min(along.count, min(endRow &- row, most / rowEnd)))
      position = rowStart
      let origins = plan.origins(ofRow: row)
      first = start(firstOrigin + origins.first &* firstBytes, plan.firstAdvances, firstBytes, along.step)
      second = start(
        secondOrigin + origins.second &* secondBytes, plan.secondAdvances, secondBytes, along.step)
      result = resultOrigin + (row &* plan.rowLength &+ rowStart) &* resultBytes
    }
    let length = min(most, rowEnd &- position)
    position &+= length
    count = rows &* length
    return true
  }

  /// Where the numbers of an operand begin in a row.
  /// - Parameter step: how far an operand that stands still goes from one row to the next, in elements.
  private func start(
    _ origin: UnsafeRawPointer, _ advances: Bool, _ bytes: Int, _ step: Int
  ) -> UnsafeRawPointer {
    if advances { return origin + rowStart &* bytes }
    switch bytes {
    case 1: fill(UInt8.self, origin, step)
    case 2: fill(UInt16.self, origin, step)
    case 4: fill(UInt32.self, origin, step)
    default: fill(UInt64.self, origin, step)
    }
    return UnsafeRawPointer(repeated)
  }

  private func fill<Element: FixedWidthInteger>(_: Element.Type, _ origin: UnsafeRawPointer, _ step: Int) {
    let numbers = origin.assumingMemoryBound(to: Element.self)
    var target = repeated.assumingMemoryBound(to: Element.self)
    let length = min(most, rowEnd &- rowStart)
    for row in 0..<rows {
      let number = numbers[row &* step]
      for index in 0..<length { target[index] = number }
      target += length
    }
  }
}
