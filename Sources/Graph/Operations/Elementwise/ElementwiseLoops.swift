/// Some neighbouring results of a unary element-wise operation, and the operand's elements that they need.
struct ElementRun {
  fileprivate let operand: UnsafeRawPointer?
  fileprivate let result: UnsafeMutableRawPointer
  fileprivate let range: Range<Int>

  /// `result[i] = function(operand[i])`.
  @inline(__always)
  func apply<Operand: BitwiseCopyable, Result: BitwiseCopyable>(_ function: (Operand) -> Result) {
    guard let operand = operand?.assumingMemoryBound(to: Operand.self) else { return }
    let source = UnsafeBufferPointer(start: operand + range.lowerBound, count: range.count)
    let target = UnsafeMutableBufferPointer(
      start: result.assumingMemoryBound(to: Result.self) + range.lowerBound, count: range.count)
    for index in 0..<target.count { target[index] = function(source[index]) }
  }
}

/// Some neighbouring results of a binary element-wise operation, and the operands' elements that they need.
struct BroadcastRun {
  fileprivate let plan: BroadcastPlan
  fileprivate let first: UnsafeRawPointer?
  fileprivate let second: UnsafeRawPointer?
  fileprivate let result: UnsafeMutableRawPointer
  /// Results when there is one row only, else rows.
  fileprivate let range: Range<Int>

  /// `result[i] = function(first[i], second[i])`.
  @inline(__always)
  func combine<Result: BitwiseCopyable>(_ function: (Float, Float) -> Result) {
    guard let first = first?.assumingMemoryBound(to: Float.self),
      let second = second?.assumingMemoryBound(to: Float.self)
    else { return }
    let result = result.assumingMemoryBound(to: Result.self)
    let isOneRow = plan.rowCount == 1
    let length = isOneRow ? range.count : plan.rowLength
    // A part of the only row starts as far into the operands that advance as into the result.
    let skipped = isOneRow ? range.lowerBound : 0
    for row in isOneRow ? 0..<1 : range {
      let origins = plan.origins(ofRow: row)
      let target = UnsafeMutableBufferPointer(start: result + row * plan.rowLength + skipped, count: length)
      let a = first + origins.first + (plan.firstAdvances ? skipped : 0)
      let b = second + origins.second + (plan.secondAdvances ? skipped : 0)
      switch (plan.firstAdvances, plan.secondAdvances) {
      case (true, true):
        for index in 0..<target.count { target[index] = function(a[index], b[index]) }
      case (true, false):
        let fixed = b.pointee
        for index in 0..<target.count { target[index] = function(a[index], fixed) }
      case (false, _):
        let fixed = a.pointee
        for index in 0..<target.count { target[index] = function(fixed, b[index]) }
      }
    }
  }

  /// The same of integers, of which there are many types and seldom many numbers: compiled to one loop in place of three.
  @inline(__always)
  func combine<
    First: FixedWidthInteger & BitwiseCopyable, Second: FixedWidthInteger & BitwiseCopyable,
    Result: BitwiseCopyable
  >(_ function: (First, Second) -> Result) {
    withUnsafeTemporaryAllocation(byteCount: BroadcastPieces.repeatedBytes, alignment: 8) { memory in
      guard let first, let second, let repeated = memory.baseAddress else { return }
      var pieces = BroadcastPieces(
        plan, range, first: first, MemoryLayout<First>.stride, second: second, MemoryLayout<Second>.stride,
        result: result, MemoryLayout<Result>.stride, repeated: repeated)
      while pieces.advance() {
        let a = pieces.first.assumingMemoryBound(to: First.self)
        let b = pieces.second.assumingMemoryBound(to: Second.self)
        let target = pieces.result.assumingMemoryBound(to: Result.self)
        for index in 0..<pieces.count { target[index] = function(a[index], b[index]) }
      }
    }
  }
}

extension KernelArguments {
  /// Elements that are worth a chunk of their own in an element-wise operation.
  static let elementwiseGrain = 1 << 13

  /// Calls `body` for runs that together make up the result of operands 0 and 1, broadcast as planned.
  ///
  /// What `body` does is one call of ``BroadcastRun/combine(_:)``: there the function of two elements is known
  /// to the compiler, which can then vectorise the loops.
  @inline(__always)
  func broadcast(_ plan: BroadcastPlan, _ body: (BroadcastRun) -> Void) {
    let (first, second) = (inputAddress(0), inputAddress(1))
    let result = outputAddress(0)
    let isOneRow = plan.rowCount == 1
    let grain = isOneRow ? Self.elementwiseGrain : max(1, Self.elementwiseGrain / plan.rowLength)
    parallel(isOneRow ? plan.rowLength : plan.rowCount, grain: grain) { range in
      body(BroadcastRun(plan: plan, first: first, second: second, result: result, range: range))
    }
  }

  /// Calls `body` for runs that together make up the result of operand 0; what it does is one call of
  /// ``ElementRun/apply(_:)``.
  @inline(__always)
  func map(_ body: (ElementRun) -> Void) {
    let operand = inputAddress(0)
    let result = outputAddress(0)
    parallel(outputCounts[0], grain: Self.elementwiseGrain) { range in
      body(ElementRun(operand: operand, result: result, range: range))
    }
  }
}
