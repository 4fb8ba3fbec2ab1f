/// A number as it stands in JSON. Of whole numbers every digit counts, which `Double` would not keep.
package struct JSONNumber {
  fileprivate(set) var isNegative = false
  /// All digits, without the point.
  fileprivate(set) var digits: UInt64 = 0
  /// The power of ten to take them by.
  fileprivate(set) var exponent = 0
  /// Whether the digits and the exponent are all that stand there.
  fileprivate(set) var isComplete = true
  /// Whether it has neither a fraction nor an exponent.
  fileprivate(set) var isWhole = true
  fileprivate(set) var text: ArraySlice<UInt8> = []

  /// The number as an integer; nil where it is none, or beyond the type's range.
  func integer<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
    guard isWhole, isComplete else { return nil }
    guard isNegative else { return Number(exactly: digits) }
    guard digits <= Int64.min.magnitude else { return nil }
    return Number(exactly: Int64(truncatingIfNeeded: 0 &- digits))
  }

  /// The nearest `Double`, which is infinite beyond its range.
  package var double: Double {
    // Both are exact in Double, so that one rounding is left.
    if isComplete, digits <= 1 << 53, Self.powers.indices.contains(abs(exponent)) {
      let power = Self.powers[abs(exponent)]
      let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
      return isNegative ? -magnitude : magnitude
    }
    return Double(String(decoding: text, as: UTF8.self)) ?? .nan
  }

  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]
}

extension JSONReader {
  /// Reads a number.
  package mutating func number() throws(InferenceProtocolError) -> JSONNumber {
    skipSpace()
    let start = position
    var number = JSONNumber()
    if peek == UInt8(ascii: "-") {
      number.isNegative = true
      advance()
    }
    if peek == UInt8(ascii: "0") { advance() } else { _ = try digits(of: &number) }
    if peek == UInt8(ascii: ".") {
      advance()
      number.isWhole = false
      number.exponent = -(try digits(of: &number))
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      advance()
      number.isWhole = false
      try exponent(of: &number)
    }
    number.text = bytes(from: start)
    return number
  }

  /// - Returns: how many there are.
  private mutating func digits(of number: inout JSONNumber) throws(InferenceProtocolError) -> Int {
    let start = position
    while let digit = peek.map({ $0 &- UInt8(ascii: "0") }), digit <= 9 {
      let (tens, overflow) = number.digits.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
      if overflow || carry { number.isComplete = false } else { number.digits = sum }
      advance()
    }
    guard position > start else { throw unexpected("a number") }
    return position - start
  }

  private mutating func exponent(of number: inout JSONNumber) throws(InferenceProtocolError) {
    var power = JSONNumber()
    if let sign = peek, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      power.isNegative = sign == UInt8(ascii: "-")
      advance()
    }
    _ = try digits(of: &power)
    // Further than any Double reaches, the text itself decides.
    guard power.isComplete, power.digits < 10_000 else {
      number.isComplete = false
      return
    }
    number.exponent += power.isNegative ? -Int(power.digits) : Int(power.digits)
  }
}
