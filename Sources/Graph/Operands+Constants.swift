import TensorCore

extension Operands {
  /// The elements of an operand that must be known before the model runs.
  /// - Parameter role: what it is to the operation, for errors: `the shape`.
  package func requireConstant(_ index: Int, _ role: String) throws(ApusError) -> Tensor {
    guard let tensor = constant(index) else {
      throw ApusError(
        .unsupportedModel, "\(Self.place(index, role)) is computed while the model runs",
        expected: "a value known when it is loaded")
    }
    return tensor
  }

  /// The elements of an integer operand, of any width, that must be known.
  /// - Parameter count: how many there must be; any number when nil.
  package func requireIntegers(
    _ index: Int, _ role: String, count: Int? = nil
  ) throws(ApusError) -> [Int] {
    let elements = try requireConstant(index, role).integers()
    guard count == nil || elements.count == count else {
      throw ApusError(
        .malformedModel, "\(Self.place(index, role)) has \(elements.count) elements",
        expected: "\(count ?? 0)")
    }
    return elements
  }

  /// The one element of an integer operand that must be known.
  func requireInteger(_ index: Int, _ role: String) throws(ApusError) -> Int {
    try requireIntegers(index, role, count: 1)[0]
  }

  /// Pairs of non-negative integers, one for each of `count` axes, from an operand of shape [count, 2].
  func requirePairs(
    _ index: Int, _ role: String, count: Int
  ) throws(ApusError) -> [(before: Int, after: Int)] {
    let elements = try requireIntegers(index, role, count: 2 * count)
    // Sums of two such numbers and a dimension cannot overflow.
    if let bad = elements.first(where: { $0 < 0 || $0 > ResultLimit.byteCount }) {
      throw ApusError(
        .malformedModel, "\(Self.place(index, role)) has the element \(bad)",
        expected: "0 to \(ResultLimit.byteCount)")
    }
    return (0..<count).map { (elements[2 * $0], elements[2 * $0 + 1]) }
  }
}

extension Tensor {
  /// The elements of a tensor of any integer type.
  package func integers() throws(ApusError) -> [Int] {
    switch dataType {
    case .int8: try elements(of: Int8.self).map(Int.init)
    case .uint8: try elements(of: UInt8.self).map(Int.init)
    case .int16: try elements(of: Int16.self).map(Int.init)
    case .uint16: try elements(of: UInt16.self).map(Int.init)
    case .int32: try elements(of: Int32.self).map(Int.init)
    case .uint32: try elements(of: UInt32.self).map(Int.init)
    case .int64: try elements(of: Int64.self).map(Int.init)
    case .uint64: try elements(of: UInt64.self).map { Int(clamping: $0) }
    default:
      throw ApusError(.malformedModel, "a tensor of \(dataType.rawValue)", expected: "integers")
    }
  }
}
