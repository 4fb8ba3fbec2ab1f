import TensorCore

/// Cuts operand 0 along the axis that operand 2 names into `count` parts of the sizes in operand 1, one of
/// which may be −1 and takes what the others leave.
package struct SplitV: Operation {
  package let count: Int
  package var name: String { "splitV" }
  package var resultMeaning: ResultMeaning { .someNumbers(of: 0) }

  package init(count: Int) { self.count = count }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    try ResultLimit.check(resultCount: count)
    let shape = try operands.input(0).shape
    let axis = try shape.axis(operands.requireInteger(2, "the axis"))
    var types: [TensorType] = []
    for (index, size) in try sizes(operands, of: shape[axis]).enumerated() {
      var dimensions = shape.dimensions
      dimensions[axis] = size
      types.append(try operands.result(Shape(dimensions), like: 0, at: index))
    }
    return types
  }

  private func sizes(_ operands: Operands, of extent: Int) throws(ApusError) -> [Int] {
    var sizes = try operands.requireIntegers(1, "the sizes", count: count)
    let open = sizes.firstIndex(of: -1)
    if let open { sizes[open] = 0 }
    var total = 0
    for size in sizes {
      guard size >= 0, size <= extent - total else {
        throw ApusError(.malformedModel, "parts of sizes \(sizes)", expected: "\(extent) in total")
      }
      total += size
    }
    if let open { sizes[open] = extent - total }
    guard open != nil || total == extent else {
      throw ApusError(.malformedModel, "parts of sizes \(sizes)", expected: "\(extent) in total")
    }
    return sizes
  }

  package func preparedInputs(_ operands: Operands) -> Set<Int> { [1, 2] }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    try .parts(ofInput: 0, axis: context.operands.requireInteger(2, "the axis"), context)
  }
}
