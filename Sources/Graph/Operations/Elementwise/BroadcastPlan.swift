import TensorCore

/// The order in which a binary element-wise operation visits its operands: rows of neighbouring results,
/// along which each operand either advances with the result or stands still.
package struct BroadcastPlan: Sendable {
  /// Results in a row.
  private(set) var rowLength = 1
  /// Rows; 0 when there are no results.
  private(set) var rowCount = 1
  private(set) var firstAdvances = true
  private(set) var secondAdvances = true
  /// Extents of the axes outside of the row, innermost first, and what each operand skips along them.
  private var extents: [Int] = []
  private var firstStrides: [Int] = []
  private var secondStrides: [Int] = []

  /// - Throws: ``ApusError`` when the shapes do not broadcast.
  init(_ first: Shape, _ second: Shape) throws(ApusError) {
    let result = try first.broadcast(with: second)
    var groups: [(extent: Int, first: Int, second: Int)] = []
    var counts = (first: 1, second: 1)
    for axis in (0..<result.rank).reversed() where result[axis] != 1 {
      let extent = result[axis]
      let moves = (
        first: Self.extent(of: first, axis, result.rank) == extent,
        second: Self.extent(of: second, axis, result.rank) == extent
      )
      let strides = (first: moves.first ? counts.first : 0, second: moves.second ? counts.second : 0)
      if let inner = groups.last, (inner.first != 0) == moves.first, (inner.second != 0) == moves.second {
        groups[groups.count - 1].extent *= extent
      } else {
        groups.append((extent, strides.first, strides.second))
      }
      if moves.first { counts.first *= extent }
      if moves.second { counts.second *= extent }
    }
    guard result.elementCount > 0 else {
      rowCount = 0
      return
    }
    guard let row = groups.first else { return }
    rowLength = row.extent
    rowCount = result.elementCount / row.extent
    firstAdvances = row.first != 0
    secondAdvances = row.second != 0
    for group in groups.dropFirst() {
      extents.append(group.extent)
      firstStrides.append(group.first)
      secondStrides.append(group.second)
    }
  }

  /// After how many results an operand begins anew: 1 for one that stands still along rows, a row's length for one that
  /// is the same in neighbouring rows, along which the other goes on; nil for one that does neither. At most one repeats.
  struct Repetition {
    var first: Int?
    var second: Int?
  }

  /// - Parameter longest: rows that are longer are not looked at together.
  func repetition(upTo longest: Int) -> Repetition {
    guard firstAdvances, secondAdvances else {
      return firstAdvances ? Repetition(second: 1) : Repetition(first: 1)
    }
    guard rowLength <= longest, let first = firstStrides.first, let second = secondStrides.first else {
      return Repetition()
    }
    if second == 0, first == rowLength { return Repetition(second: rowLength) }
    if first == 0, second == rowLength { return Repetition(first: rowLength) }
    return Repetition()
  }

  /// How many rows from `row` on have one operand go on and the other repeat.
  func rowsInSequence(from row: Int, _ repetition: Repetition) -> Int {
    guard firstAdvances, secondAdvances, repetition.first ?? repetition.second != nil,
      let extent = extents.first
    else {
      return 1
    }
    return extent - row % extent
  }

  /// How many rows from `row` on follow one another in the operand that advances, when the other one stands still along rows,
  /// and how far that one goes from one row to the next.
  func rowsAlong(from row: Int) -> (count: Int, step: Int) {
    guard firstAdvances != secondAdvances, let extent = extents.first, let first = firstStrides.first,
      let second = secondStrides.first, (firstAdvances ? first : second) == rowLength
    else { return (1, 0) }
    return (extent - row % extent, firstAdvances ? second : first)
  }

  private static func extent(of shape: Shape, _ axis: Int, _ rank: Int) -> Int {
    let own = axis - (rank - shape.rank)
    return own >= 0 ? shape[own] : 1
  }

  /// Where row `row` starts in each operand.
  @inline(__always)
  func origins(ofRow row: Int) -> (first: Int, second: Int) {
    var rest = row
    var origins = (first: 0, second: 0)
    for axis in 0..<extents.count {
      let (quotient, index) = rest.quotientAndRemainder(dividingBy: extents[axis])
      origins.first &+= index &* firstStrides[axis]
      origins.second &+= index &* secondStrides[axis]
      rest = quotient
    }
    return origins
  }
}
