import TensorCore

/// For each index in operand 1 the element of operand 0 that it names along `axis`, at the index's own place along the other
/// axes: `y[i][j] = x[index[i][j]][j]` for axis 0. Negative indices count from the end. A run whose data has an index that does
/// not exist throws. Source: ONNX's GatherElements.
package struct GatherElements: Operation {
  package let axis: Int
  package var name: String { "gatherElements" }
  package var resultMeaning: ResultMeaning { .someNumbers(of: 0) }

  package init(axis: Int) { self.axis = axis }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let indices = try ElementIndices(operands, axis: axis)
    return [try operands.result(indices.shape, like: 0).limited()]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let indices = try ElementIndices(context.operands, axis: axis)
    return Lowering(
      "gather elements", moving: context.result.dataType, GatherElementsKernel(indices: indices))
  }
}

private struct GatherElementsKernel: WordKernel {
  let indices: ElementIndices

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let reader = try indices.reader(arguments)
    let source = arguments.input(0, as: Word.self)
    let target = arguments.output(0, as: Word.self)
    for position in 0..<target.count { target[position] = source[indices.element(position, reader)] }
  }
}

/// Operand 0 with the elements of operand 2 where the indices in operand 1 say, as in ``GatherElements``; of several for one
/// place the last counts. A run whose data has an index that does not exist throws. Source: ONNX's ScatterElements.
package struct ScatterElements: Operation {
  package let axis: Int
  package var name: String { "scatterElements" }

  package init(axis: Int) { self.axis = axis }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(3...3)
    try operands.requireSameType([0, 2])
    let indices = try ElementIndices(operands, axis: axis)
    let updates = try operands.input(2, "the updates").shape
    guard updates == indices.shape else {
      throw ApusError(
        .malformedModel, "updates of shape \(updates)", expected: "\(indices.shape), that of the indices")
    }
    return [try operands.result(operands.input(0).shape, like: 0)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let indices = try ElementIndices(context.operands, axis: axis)
    return Lowering(
      "scatter elements", moving: context.result.dataType, ScatterElementsKernel(indices: indices))
  }
}

private struct ScatterElementsKernel: WordKernel {
  let indices: ElementIndices

  func run<Word: FixedWidthInteger & BitwiseCopyable>(
    _ arguments: borrowing KernelArguments, _: Word.Type
  ) throws(ApusError) {
    let reader = try indices.reader(arguments)
    let updates = arguments.input(2, as: Word.self)
    let target = arguments.output(0, as: Word.self)
    _ = target.update(fromContentsOf: arguments.input(0, as: Word.self))
    for position in 0..<updates.count { target[indices.element(position, reader)] = updates[position] }
  }
}

/// Indices along one axis, each of which stands for itself along the others.
private struct ElementIndices: Sendable {
  /// Of the indices.
  let shape: Shape
  private let axis: Int
  /// Of the tensor that they name elements of.
  private let extent: Int
  private let strides: [Int]
  private let type: DataType

  /// - Parameter axis: of operand 0, which operand 1 has indices of.
  init(_ operands: Operands, axis: Int) throws(ApusError) {
    let data = try operands.input(0).shape
    let indices = try operands.input(1, "the indices", of: IndexReader.types)
    let (axis, own) = (try data.axis(axis), indices.shape)
    guard own.rank == data.rank, own.dimensions.indices.allSatisfy({ $0 == axis || own[$0] <= data[$0] })
    else {
      throw ApusError(
        .malformedModel, "indices of shape \(own) into shape \(data)",
        expected: "the same rank, and no larger extents but along axis \(axis)")
    }
    (self.axis, shape, type) = (axis, own, indices.dataType)
    (extent, strides) = (data[axis], data.strides)
  }

  /// - Throws: ``ApusError`` for an index that does not exist.
  func reader(_ arguments: borrowing KernelArguments) throws(ApusError) -> IndexReader {
    let reader = IndexReader(arguments, 1, type)
    try reader.check(from: -extent, below: extent)
    return reader
  }

  /// The place of the element that the index at a position names.
  func element(_ position: Int, _ reader: IndexReader) -> Int {
    var (rest, element) = (position, 0)
    for dimension in strides.indices.reversed() {
      let (quotient, place) = rest.quotientAndRemainder(dividingBy: shape[dimension])
      rest = quotient
      guard dimension == axis else {
        element += place * strides[dimension]
        continue
      }
      let index = reader[position]
      element += (index < 0 ? index + extent : index) * strides[dimension]
    }
    return element
  }
}
