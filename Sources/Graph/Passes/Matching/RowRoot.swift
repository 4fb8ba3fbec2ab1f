import TensorCore

/// One over the root of the mean of some numbers of each row, plus ε: what rows are multiplied by to normalise them.
struct RowRoot {
  /// The numbers whose mean it is, float32 [..., columns].
  let numbers: Value
  let epsilon: Float
  let rows: Int
  let columns: Int
  /// The root, or one over it: the result of the node that was found.
  private let root: Value
  private let isReciprocal: Bool
  private let matcher: GraphMatcher

  /// - Parameter root: the result of `rsqrt`, or of `sqrt`, by which something is divided.
  init?(_ matcher: GraphMatcher, _ root: Value) {
    guard let node = matcher.writer(of: root), case let sum?? = node.inputs.first,
      let function = (node.operation as? UnaryMath)?.function
    else { return nil }
    for mean in matcher.sources(of: sum) {
      guard let row = matcher.rowMean(mean) else { continue }
      var reader = PolynomialReader(matcher, [mean], rows: row.rows)
      guard let polynomial = reader.polynomial(sum) else { continue }
      let epsilon = polynomial.factor([:])[0]
      guard epsilon >= 0, polynomial.isClose(to: Polynomial(mean) + Polynomial(constant: [epsilon])) else {
        return nil
      }
      (numbers, rows, columns) = (row.numbers, row.rows, row.columns)
      (self.epsilon, self.root, self.matcher) = (epsilon, root, matcher)
      isReciprocal = function == .rsqrt
      return
    }
    return nil
  }

  static func isRoot(_ operation: any Operation) -> Bool {
    guard let function = (operation as? UnaryMath)?.function else { return false }
    return function == .rsqrt || function == .sqrt
  }

  /// Reads rows as polynomials in `letters`.
  func reader(_ letters: Set<Value>) -> PolynomialReader {
    PolynomialReader(matcher, letters, rows: rows, columns: columns)
  }

  /// The values that `spelling` makes of rows and the root, and that are read by more than the making of others; nil
  /// when there is none, or when something on the way to them from `leaves` is read too.
  /// - Parameters:
  ///   - leaves: the values that polynomials are made of besides the root.
  ///   - spelling: what a value's polynomial must be to be one of them, given that polynomial and the root.
  func results(
    _ leaves: Set<Value>, from x: Value, _ spelling: (Polynomial, _ root: Value) -> Polynomial
  ) -> [(value: Value, polynomial: Polynomial, root: Value)]? {
    var reader = PolynomialReader(
      matcher, leaves.union([root]), reciprocals: isReciprocal ? [] : [root], rows: rows, columns: columns)
    var found: [Value: Polynomial] = [:]
    let near = matcher.results(of: root)
    for value in near where matcher.shape(of: value).elementCount == rows * columns {
      if let polynomial = reader.polynomial(value), polynomial.isClose(to: spelling(polynomial, root)) {
        found[value] = polynomial
      }
    }
    let needed = near.filter { value in
      found[value] != nil
        && (matcher.isOutput(value)
          || matcher.readers(of: value).contains { $0.outputs.contains { found[$0] == nil } })
    }
    guard !needed.isEmpty, matcher.isPrivate(from: [x], to: Set(needed)) else { return nil }
    return needed.compactMap { value in found[value].map { (value, $0, root) } }
  }
}

extension GraphMatcher {
  /// Columns that have a number of their own, at most: no layer has so many.
  private static let columnLimit = 1 << 20

  /// The rows whose means are `value`, one number for each: a mean over the last axis, and over axes of extent 1.
  func rowMean(_ value: Value) -> (numbers: Value, rows: Int, columns: Int)? {
    guard isVariable(value), let node = writer(of: value), let mean = node.operation as? Reduce,
      mean.kind == .mean,
      case let numbers?? = node.inputs.first, isVariable(numbers)
    else { return nil }
    let shape = shape(of: numbers)
    let listed =
      mean.axes ?? node.inputs.last.flatMap { $0 }.flatMap { try? graph[$0].constant?.integers() } ?? []
    let axes = listed.compactMap { try? shape.axis($0) }
    guard let columns = shape.dimensions.last, (2...Self.columnLimit).contains(columns),
      axes.contains(shape.rank - 1),
      axes.allSatisfy({ $0 == shape.rank - 1 || shape[$0] == 1 })
    else { return nil }
    return (numbers, shape.elementCount / columns, columns)
  }
}
