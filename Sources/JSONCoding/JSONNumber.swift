import TensorCore

/// A number as it stands in JSON. Of whole numbers every digit counts, which `Double` would not keep.
struct JSONNumber {
  private(set) var isNegative = false
  /// All digits, without the point.
  private var digits: UInt64 = 0
  /// The power of ten to take them by.
  private var exponent = 0
  /// Whether the digits and the exponent are all that stand there.
  private var isComplete = true
  /// Whether it has neither a fraction nor an exponent.
  private var isWhole = true
  /// Whether the grammar is kept.
  private(set) var isSound = true
  /// Behind its last digit, or where one is missing.
  private(set) var end: Int

  /// Reads the number that begins at `start`.
  init(in text: Span<UInt8>, from start: Int) {
    end = start
    isNegative = take("-", in: text)
    if !take("0", in: text) { takeDigits(in: text) }
    if take(".", in: text) {
      isWhole = false
      exponent = -takeDigits(in: text)
    }
    if take("e", in: text) || take("E", in: text) {
      isWhole = false
      takeExponent(in: text)
    }
  }

  /// The magnitude of a whole number; nil for others, and beyond 64 bits.
  var magnitude: UInt64? { isWhole && isComplete ? digits : nil }

  /// The nearest `Double` where one rounding finds it; nil where the text has to be looked at again.
  var double: Double? {
    // Both are exact in Double.
    guard isComplete, digits <= 1 << 53, Self.powers.indices.contains(abs(exponent)) else { return nil }
    let power = Self.powers[abs(exponent)]
    let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
    return isNegative ? -magnitude : magnitude
  }

  /// The nearest `Double`, which is infinite beyond its range; nil for a text that is no number.
  static func double(_ text: String) -> Double? {
    let number = JSONNumber(in: text.utf8Span.span, from: 0)
    guard number.isSound, number.end == text.utf8.count, let double = number.double else {
      return Double(text)
    }
    return double
  }

  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  private mutating func take(_ character: Unicode.Scalar, in text: Span<UInt8>) -> Bool {
    guard isSound, end < text.count, text[end] == UInt8(ascii: character) else { return false }
    end += 1
    return true
  }

  /// - Returns: how many there are.
  @discardableResult private mutating func takeDigits(in text: Span<UInt8>) -> Int {
    let start = end
    while end < text.count {
      let digit = text[end] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      let (tens, overflow) = digits.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
      if overflow || carry { isComplete = false } else { digits = sum }
      end += 1
    }
    if end == start { isSound = false }
    return end - start
  }

  private mutating func takeExponent(in text: Span<UInt8>) {
    let isBelowOne = take("-", in: text)
    if !isBelowOne { _ = take("+", in: text) }
    let start = end
    var power = 0
    while end < text.count, text[end] &- UInt8(ascii: "0") <= 9 {
      // Further than any Double reaches, the text itself decides.
      power = min(10 * power + Int(text[end] &- UInt8(ascii: "0")), 10_000)
      end += 1
    }
    if end == start { isSound = false }
    if power == 10_000 { isComplete = false }
    exponent += isBelowOne ? -power : power
  }
}

extension JSONReader {
  /// Reads a number: the nearest `Double`, which is infinite beyond its range.
  public mutating func double() throws(ApusError) -> Double {
    skipSpace()
    let start = position
    return try number().double ?? Double(text(from: start)) ?? .nan
  }

  /// Reads a number; nil where it has a fraction or an exponent, or is beyond the type's range.
  @inlinable public mutating func integer<Number: FixedWidthInteger>(
    _: Number.Type = Number.self
  ) throws(ApusError) -> Number? {
    guard let (magnitude, isNegative) = try wholeNumber() else { return nil }
    guard isNegative else { return Number(exactly: magnitude) }
    return magnitude <= Int64.min.magnitude ? Number(exactly: Int64(truncatingIfNeeded: 0 &- magnitude)) : nil
  }

  @usableFromInline mutating func wholeNumber() throws(ApusError) -> (magnitude: UInt64, isNegative: Bool)? {
    skipSpace()
    let number = try number()
    return number.magnitude.map { ($0, number.isNegative) }
  }

  /// Reads a number as it is written.
  package mutating func digits() throws(ApusError) -> String {
    skipSpace()
    let start = position
    _ = try number()
    return text(from: start)
  }

  /// The text read since a position.
  public func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

  private mutating func number() throws(ApusError) -> JSONNumber {
    let number = JSONNumber(in: bytes.span, from: position - bytes.startIndex)
    let isMissing = number.end == position - bytes.startIndex
    position = bytes.startIndex + number.end
    guard number.isSound else { throw unexpected(isMissing ? "a number" : "a digit") }
    return number
  }
}
