import TensorCore

/// Reads the arithmetic of a graph as polynomials in some of its values.
///
/// Values are rows of `columns` elements, or one number for each row, or constants: one number, or one for each
/// column. How they broadcast is checked where they meet; a shape is followed as long as it keeps the order.
struct PolynomialReader {
  private let matcher: GraphMatcher
  private let rows: Int
  private let columns: Int
  /// The values that polynomials are made of.
  private let letters: Set<Value>
  /// Those of them that stand for one over the value.
  private let reciprocals: Set<Value>
  private var known: [Value: Polynomial?] = [:]
  /// How many nodes lie between what is read and what was asked for.
  private var depth = 0

  init(
    _ matcher: GraphMatcher, _ letters: Set<Value>, reciprocals: Set<Value> = [], rows: Int, columns: Int = 1
  ) {
    self.matcher = matcher
    self.letters = letters
    self.reciprocals = reciprocals
    self.rows = rows
    self.columns = columns
  }

  /// The polynomial that `value` is; nil when it is none of these letters.
  /// - Parameter beforeActivation: whether the function that its node applies last is left out.
  mutating func polynomial(_ value: Value, beforeActivation: Bool) -> Polynomial? {
    beforeActivation ? computed(value, anyActivation: true)?.limited : polynomial(value)
  }

  /// The polynomial that `value` is; nil when it is none of these letters.
  mutating func polynomial(_ value: Value) -> Polynomial? {
    if letters.contains(value) { return reciprocals.contains(value) ? nil : Polynomial(value) }
    if let known = known[value] { return known }
    known[value] = .some(nil)
    guard depth < GraphMatcher.depth else { return nil }
    depth += 1
    defer { depth -= 1 }
    let polynomial = constant(value) ?? computed(value, anyActivation: false)?.limited
    known[value] = .some(polynomial)
    return polynomial
  }

  private func constant(_ value: Value) -> Polynomial? {
    let shape = matcher.shape(of: value)
    guard shape.elementCount == 1 || shape.elementCount == columns && shape.dimensions.last == columns else {
      return nil
    }
    return matcher.constant(value).map(Polynomial.init(constant:))
  }

  private mutating func computed(_ value: Value, anyActivation: Bool) -> Polynomial? {
    guard matcher.isVariable(value), let node = matcher.writer(of: value) else { return nil }
    if let operand = matcher.unshaped(value) { return polynomial(operand) }
    let inputs = node.inputs.compactMap(\.self)
    guard inputs.count == node.inputs.count, inputs.allSatisfy({ isAligned($0, value) }) else { return nil }
    switch (node.operation, inputs.count) {
    case (let operation as any BinaryMath, 2) where anyActivation || operation.activation == .none:
      return binary(operation, inputs[0], inputs[1])
    case (let operation as UnaryMath, 1): return unary(operation.function, inputs[0])
    default: return nil
    }
  }

  /// Whether each element of `result` is made from the element, row or column of `operand` that it belongs to.
  private func isAligned(_ operand: Value, _ result: Value) -> Bool {
    let (shape, result) = (matcher.shape(of: operand), matcher.shape(of: result))
    if shape.elementCount == 1, matcher.constant(operand) != nil { return true }
    guard shape.rank <= result.rank else { return false }
    let padded = [Int](repeating: 1, count: result.rank - shape.rank) + shape.dimensions
    if padded == result.dimensions { return true }
    guard result.elementCount == rows * columns, result.dimensions.last == columns else { return false }
    if matcher.constant(operand) != nil { return padded.last == columns && shape.elementCount == columns }
    return padded == Array(result.dimensions.dropLast()) + [1]
  }

  private mutating func unary(_ function: UnaryMath.Function, _ operand: Value) -> Polynomial? {
    guard let x = polynomial(operand) else { return nil }
    switch function {
    case .negate: return x * Polynomial(constant: [-1])
    case .square: return x * x
    default: return nil
    }
  }

  private mutating func binary(
    _ operation: any BinaryMath, _ first: Value, _ second: Value
  ) -> Polynomial? {
    switch operation {
    case is Add: return both(first, second).map { $0 + $1 }
    case is Subtract: return both(first, second).map { $0 - $1 }
    case is Multiply: return both(first, second).map { $0 * $1 }
    case is SquaredDifference: return both(first, second).map { ($0 - $1) * ($0 - $1) }
    case is Divide: return quotient(first, second)
    case is Power:
      guard let exponent = matcher.scalar(second), exponent == 2 || exponent == 3 else { return nil }
      return polynomial(first).map { exponent == 2 ? $0 * $0 : $0 * $0 * $0 }
    default: return nil
    }
  }

  private mutating func both(_ first: Value, _ second: Value) -> (Polynomial, Polynomial)? {
    guard let a = polynomial(first), let b = polynomial(second) else { return nil }
    return (a, b)
  }

  /// A quotient by a number, or by a letter that stands for one over its value.
  private mutating func quotient(_ first: Value, _ second: Value) -> Polynomial? {
    if let divisor = matcher.scalar(second), divisor != 0 {
      return polynomial(first).map { $0 * Polynomial(constant: [1 / divisor]) }
    }
    var divisor = second
    while !reciprocals.contains(divisor), let operand = matcher.unshaped(divisor) { divisor = operand }
    guard reciprocals.contains(divisor) else { return nil }
    return polynomial(first).map { $0 * Polynomial(divisor) }
  }
}
