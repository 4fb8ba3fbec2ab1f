import TensorCore

extension Operands {
  /// The one element of an integer operand that must be known.
  func requireInteger(_ index: Int, _ role: String) throws(ApusError) -> Int {
    let elements = try requireIntegers(index, role)
    guard elements.count == 1, let element = elements.first else {
      throw ApusError(
        .malformedModel, "\(role) (input \(index)) has \(elements.count) elements", expected: "1")
    }
    return element
  }

  /// The elements of an integer operand that must be known and have `count` of them.
  func requireIntegers(_ index: Int, _ role: String, count: Int) throws(ApusError) -> [Int] {
    let elements = try requireIntegers(index, role)
    guard elements.count == count else {
      throw ApusError(
        .malformedModel, "\(role) (input \(index)) has \(elements.count) elements", expected: "\(count)")
    }
    return elements
  }

  /// Pairs of non-negative integers, one for each of `count` axes, from an operand of shape [count, 2].
  func requirePairs(_ index: Int, _ role: String, count: Int) throws(ApusError) -> [(before: Int, after: Int)]
  {
    let elements = try requireIntegers(index, role, count: 2 * count)
    // Sums of two such numbers and a dimension cannot overflow.
    if let bad = elements.first(where: { $0 < 0 || $0 > ResultLimit.byteCount }) {
      throw ApusError(
        .malformedModel, "\(role) (input \(index)) has the element \(bad)",
        expected: "0 to \(ResultLimit.byteCount)")
    }
    return (0..<count).map { (elements[2 * $0], elements[2 * $0 + 1]) }
  }

  /// The type of an operand that must have elements of one of `types`.
  func input(_ index: Int, _ role: String, of types: [DataType]) throws(ApusError) -> TensorType {
    let type = try input(index)
    guard types.contains(type.dataType) else {
      throw ApusError(
        .unsupportedModel, "\(role) (input \(index)) is \(type.dataType.rawValue)",
        expected: types.map(\.rawValue).joined(separator: ", "))
    }
    return type
  }

  /// The type of an operand that must have rank `rank`.
  func input(_ index: Int, rank: Int) throws(ApusError) -> TensorType {
    let type = try input(index)
    guard type.shape.rank == rank else {
      throw ApusError(.malformedModel, "input \(index) has shape \(type.shape)", expected: "rank \(rank)")
    }
    return type
  }

  /// Refuses operands `indices` whose element types are not all the same.
  func requireSameType(_ indices: some Sequence<Int>) throws(ApusError) {
    var first: DataType?
    for index in indices {
      let type = try input(index).dataType
      guard first == nil || first == type else {
        throw ApusError(
          .malformedModel, "input \(index) is \(type.rawValue)", expected: first?.rawValue ?? type.rawValue)
      }
      first = type
    }
  }
}
