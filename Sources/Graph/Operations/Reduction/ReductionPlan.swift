import TensorCore

/// The order in which a reduction visits its operand: from the first element to the last, in runs of
/// neighbours that are either all reduced to one result or all kept apart.
struct ReductionPlan: Sendable {
  /// The shape of the result.
  let shape: Shape
  /// Elements of the operand that go into one result.
  let reducedCount: Int
  let runLength: Int
  let runCount: Int
  /// Whether the elements of a run go into one result.
  let runIsReduced: Bool
  /// Extents of the axes outside of a run, innermost first, and what the result skips along them.
  private let extents: [Int]
  private let strides: [Int]

  /// - Parameter axes: those to reduce, in any order; negative ones count from the end, repetitions do not
  ///   matter.
  /// - Throws: ``ApusError`` when an axis does not exist.
  init(_ shape: Shape, axes: [Int], keepDimensions: Bool) throws(ApusError) {
    var isReduced = [Bool](repeating: false, count: shape.rank)
    // A scalar has no axis to name, and TFLite lets it name any.
    for axis in axes where shape.rank > 0 { isReduced[try shape.axis(axis)] = true }
    var dimensions: [Int] = []
    for axis in 0..<shape.rank where keepDimensions || !isReduced[axis] {
      dimensions.append(isReduced[axis] ? 1 : shape[axis])
    }
    self.shape = try Shape(dimensions)
    reducedCount = (0..<shape.rank).reduce(1) { isReduced[$1] ? $0 * shape[$1] : $0 }
    var groups: [(extent: Int, isReduced: Bool, stride: Int)] = []
    var kept = 1
    for axis in (0..<shape.rank).reversed() where shape[axis] != 1 {
      if let inner = groups.last, inner.isReduced == isReduced[axis] {
        groups[groups.count - 1].extent *= shape[axis]
      } else {
        groups.append((shape[axis], isReduced[axis], isReduced[axis] ? 0 : kept))
      }
      if !isReduced[axis] { kept *= shape[axis] }
    }
    runLength = groups.first?.extent ?? 1
    runIsReduced = groups.first?.isReduced ?? false
    runCount = shape.elementCount == 0 ? 0 : shape.elementCount / max(runLength, 1)
    extents = groups.dropFirst().map(\.extent)
    strides = groups.dropFirst().map(\.stride)
  }

  /// Where the results of run `run` start.
  @inline(__always)
  func origin(ofRun run: Int) -> Int {
    var rest = run
    var origin = 0
    for axis in 0..<extents.count {
      let (quotient, index) = rest.quotientAndRemainder(dividingBy: extents[axis])
      origin &+= index &* strides[axis]
      rest = quotient
    }
    return origin
  }

  /// `accumulators[r] = combine(accumulators[r], operand[i])` for each element `i` of the operand and the
  /// result `r` that it goes into.
  @inline(__always)
  func accumulate<Element, Accumulator>(
    _ operand: UnsafeBufferPointer<Element>, into accumulators: UnsafeMutableBufferPointer<Accumulator>,
    _ combine: (Accumulator, Element) -> Accumulator
  ) {
    for run in 0..<runCount {
      let elements = UnsafeBufferPointer(rebasing: operand[run * runLength..<(run + 1) * runLength])
      let origin = origin(ofRun: run)
      if runIsReduced {
        var accumulator = accumulators[origin]
        for index in 0..<runLength { accumulator = combine(accumulator, elements[index]) }
        accumulators[origin] = accumulator
      } else {
        let results = UnsafeMutableBufferPointer(rebasing: accumulators[origin..<origin + runLength])
        for index in 0..<runLength { results[index] = combine(results[index], elements[index]) }
      }
    }
  }
}
