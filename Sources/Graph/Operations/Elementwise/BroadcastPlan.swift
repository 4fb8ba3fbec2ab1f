import TensorCore

/// The order in which a binary element-wise operation visits its operands: rows of neighbouring results,
/// along which each operand either advances with the result or stands still.
struct BroadcastPlan: Sendable {
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

extension KernelArguments {
  /// Elements that are worth a chunk of their own in an element-wise operation.
  static let elementwiseGrain = 1 << 15

  /// `result[i] = function(first[i], second[i])` over operands 0 and 1, broadcast as planned.
  @inline(__always)
  func broadcast<First: BitwiseCopyable, Second: BitwiseCopyable, Result: BitwiseCopyable>(
    _ plan: BroadcastPlan, _ function: (First, Second) -> Result
  ) {
    let first = input(0, as: First.self)
    let second = input(1, as: Second.self)
    let result = output(0, as: Result.self)
    if plan.rowCount == 1 {
      parallel(plan.rowLength, grain: Self.elementwiseGrain) { range in
        let steps = (first: plan.firstAdvances ? 1 : 0, second: plan.secondAdvances ? 1 : 0)
        combineRow(
          plan, first, range.lowerBound * steps.first, second, range.lowerBound * steps.second,
          UnsafeMutableBufferPointer(rebasing: result[range]), function)
      }
      return
    }
    parallel(plan.rowCount, grain: max(1, Self.elementwiseGrain / plan.rowLength)) { rows in
      for row in rows {
        let origins = plan.origins(ofRow: row)
        let start = row * plan.rowLength
        combineRow(
          plan, first, origins.first, second, origins.second,
          UnsafeMutableBufferPointer(rebasing: result[start..<start + plan.rowLength]), function)
      }
    }
  }

  /// `result[i] = function(operand[i])` over operand 0.
  @inline(__always)
  func map<Operand: BitwiseCopyable, Result: BitwiseCopyable>(_ function: (Operand) -> Result) {
    let operand = input(0, as: Operand.self)
    let result = output(0, as: Result.self)
    parallel(result.count, grain: Self.elementwiseGrain) { range in
      let source = UnsafeBufferPointer(rebasing: operand[range])
      let target = UnsafeMutableBufferPointer(rebasing: result[range])
      for index in 0..<target.count { target[index] = function(source[index]) }
    }
  }
}

/// One row of a broadcast operation; the loops are apart so that each can be vectorised.
@inline(__always)
private func combineRow<First, Second, Result>(
  _ plan: BroadcastPlan, _ first: UnsafeBufferPointer<First>, _ firstOrigin: Int,
  _ second: UnsafeBufferPointer<Second>, _ secondOrigin: Int, _ result: UnsafeMutableBufferPointer<Result>,
  _ function: (First, Second) -> Result
) {
  let count = result.count
  let a = UnsafeBufferPointer(
    rebasing: first[firstOrigin..<firstOrigin + (plan.firstAdvances ? count : min(count, 1))])
  let b = UnsafeBufferPointer(
    rebasing: second[secondOrigin..<secondOrigin + (plan.secondAdvances ? count : min(count, 1))])
  guard count > 0 else { return }
  switch (plan.firstAdvances, plan.secondAdvances) {
  case (true, true):
    for index in 0..<count { result[index] = function(a[index], b[index]) }
  case (true, false):
    let fixed = b[0]
    for index in 0..<count { result[index] = function(a[index], fixed) }
  case (false, true):
    let fixed = a[0]
    for index in 0..<count { result[index] = function(fixed, b[index]) }
  case (false, false):
    result[0] = function(a[0], b[0])
  }
}
