/// A sum of products of values, each with a constant factor: what arithmetic makes of them, however it is spelled.
///
/// `(x − μ)²`, `x·x − (μ + μ)·x + μ·μ` and TFLite's `SQUARED_DIFFERENCE` are the same polynomial.
struct Polynomial {
  /// The powers of a product's values.
  typealias Monomial = [Value: Int]

  /// The factor of each product, one number or one for each column; none is all zeros.
  private(set) var terms: [Monomial: [Float]] = [:]

  /// Two factors may differ by so much of the larger one: some roundings in float32.
  static let tolerance: Float = 1e-6
  /// More products than any pattern has, or a higher power, is not followed.
  private static let limit = (terms: 12, power: 6)

  init(_ terms: [Monomial: [Float]]) {
    self.terms = terms.filter { $0.value.contains { $0 != 0 } }
  }

  init(constant: [Float]) { self.init([[:]: constant]) }

  init(_ value: Value) { self.init([[value: 1]: [1]]) }

  /// The factor of a product, 0 for one that is not there.
  /// - Parameter columns: how many numbers it shall be; as many as there are when nil.
  func factor(_ monomial: Monomial, columns: Int? = nil) -> [Float] {
    let factor = terms[monomial] ?? [0]
    guard let columns, factor.count == 1 else { return factor }
    return [Float](repeating: factor[0], count: columns)
  }

  static func + (a: Self, b: Self) -> Self {
    Self(a.terms.merging(b.terms) { combined($0, $1, +) })
  }

  static func - (a: Self, b: Self) -> Self { a + b * Self(constant: [-1]) }

  static func * (a: Self, b: Self) -> Self {
    var product = Self([:])
    for (first, factor) in a.terms {
      for (second, other) in b.terms {
        product = product + Self([first.merging(second, uniquingKeysWith: +): combined(factor, other, *)])
      }
    }
    return product
  }

  /// The polynomial itself, unless it is larger than any that is looked for.
  var limited: Self? {
    let isSmall =
      terms.count <= Self.limit.terms && terms.keys.allSatisfy { $0.values.reduce(0, +) <= Self.limit.power }
    return isSmall ? self : nil
  }

  /// Whether both have the same products, with the same factors but for roundings.
  func isClose(to other: Self) -> Bool {
    terms.count == other.terms.count
      && terms.allSatisfy { monomial, factor in
        other.terms[monomial].map { Self.isClose(factor, $0) } ?? false
      }
  }

  /// Whether numbers are the same but for roundings; one number stands for as many as the other has.
  static func isClose(_ a: [Float], _ b: [Float]) -> Bool {
    combined(a, b, -).map(\.magnitude).elementsEqual(combined(a, b) { max($0.magnitude, $1.magnitude) }) {
      $0 <= tolerance * $1
    }
  }

  private static func combined(_ a: [Float], _ b: [Float], _ operation: (Float, Float) -> Float) -> [Float] {
    if a.count == 1, b.count > 1 { return b.map { operation(a[0], $0) } }
    if b.count == 1 { return a.map { operation($0, b[0]) } }
    return zip(a, b).map(operation)
  }
}
