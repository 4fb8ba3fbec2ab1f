/// The number that the `tokenizers` library reads from a decimal in a file. Its reader rounds twice, the digits
/// to a Double and then the quotient by a power of ten, so the last bit can differ from the nearest Double;
/// that decides between cuts of equal score.
enum DecimalScore {
  private static let powersOfTen: [Double] = (0...308).map { Double("1e\($0)") ?? .infinity }

  /// - Parameter text: a number as JSON has it.
  /// - Returns: nil when it is out of range.
  static func value(_ text: String) -> Double? {
    var digits: UInt64 = 0
    var exponent = 0
    var isFull = false
    var isFraction = false
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    while let byte = rest.first, byte | 0x20 != UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      let (tens, tensOverflow) = digits.multipliedReportingOverflow(by: 10)
      let (sum, overflow) = tens.addingReportingOverflow(UInt64(byte &- UInt8(ascii: "0")))
      // The first digit that does not fit ends the reading of digits.
      isFull = isFull || tensOverflow || overflow
      if !isFull { digits = sum }
      if isFull != isFraction { exponent += isFull ? 1 : -1 }
    }
    if !rest.isEmpty {
      let limit = 1 << 30
      guard let written = Int(String(decoding: rest.dropFirst(), as: UTF8.self)),
        -limit..<limit ~= written
      else { return digits == 0 ? 0 : nil }
      exponent += written
    }
    return scaled(Double(digits), by: exponent).map { isNegative ? -$0 : $0 }
  }

  private static func scaled(_ digits: Double, by exponent: Int) -> Double? {
    var (value, exponent) = (digits, exponent)
    while exponent < -308, value != 0 {
      value /= powersOfTen[308]
      exponent += 308
    }
    guard value != 0 else { return 0 }
    guard exponent <= 308 else { return nil }
    let result = exponent >= 0 ? value * powersOfTen[exponent] : value / powersOfTen[-exponent]
    return result.isFinite ? result : nil
  }
}
