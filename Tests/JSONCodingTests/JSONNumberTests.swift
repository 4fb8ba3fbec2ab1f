import JSONCoding
import TensorCore
import TestSupport
import Testing

@Suite struct JSONNumberTests {
  private static func double(_ text: String) throws(ApusError) -> Double {
    var reader = JSONReader(Array(text.utf8)[...])
    let number = try reader.double()
    try reader.end()
    return number
  }

  private static func integer<Number: FixedWidthInteger>(_ text: String) throws(ApusError) -> Number? {
    var reader = JSONReader(Array(text.utf8)[...])
    let number = try reader.integer(Number.self)
    try reader.end()
    return number
  }

  /// Swift's own reading is the measure, of what is read and of the text of a value.
  @Test(arguments: [
    "0", "-0", "1", "0.1", "123456789.123456789", "123456789.125", "1e22", "1e23", "1E-22", "1e+2",
    "9007199254740992",
    "9007199254740993", "12345678901234567890", "4.9e-324", "5e-324", "2.2250738585072011e-308",
    "1.7976931348623157e308", "1e400", "-1e-400", "0.000001", "0.30000000000000004",
    "0.000000000000000000000000000001", "12345678901234567890123", "1e0000000000000000000000005",
    "1e99999999999999999999", "0e99999999999999999999", "3.4028234e38", "3.4028235e38",
    "123456789012345678e-20",
    "100000000000000000000000000000000000000e-38",
  ])
  func textsMeanWhatTheyMeanElsewhere(text: String) throws {
    let expected = try #require(Double(text))
    #expect(try Self.double(text).bitPattern == expected.bitPattern)
    #expect(JSONValue.number(text).double?.bitPattern == (expected.isFinite ? expected.bitPattern : nil))
  }

  @Test func shortestTextsComeBackAsTheyWere() throws {
    var random = SeededRandom()
    for _ in 0..<20_000 {
      let float = Float(bitPattern: .random(in: 0...(.max), using: &random))
      guard float.isFinite else { continue }
      #expect(Float(try Self.double("\(float)")).bitPattern == float.bitPattern, "\(float)")
      let double = Double(bitPattern: .random(in: 0...(.max), using: &random))
      guard double.isFinite else { continue }
      #expect(try Self.double("\(double)").bitPattern == double.bitPattern, "\(double)")
      #expect(JSONValue.number("\(double)").double?.bitPattern == double.bitPattern, "\(double)")
    }
  }

  @Test func wholeNumbersKeepEveryDigit() throws {
    #expect(try Self.integer("18446744073709551615") == UInt64.max)
    #expect(try Self.integer("18446744073709551616") == UInt64?.none)
    #expect(try Self.integer("-9223372036854775808") == Int64.min)
    #expect(try Self.integer("-9223372036854775809") == Int64?.none)
    #expect(try Self.integer("-0") == 0 as UInt8)
    #expect(try Self.integer("-128") == -128 as Int8)
    #expect(try Self.integer("128") == Int8?.none)
    #expect(try Self.integer("-1") == UInt8?.none)
    for text in ["1.0", "1e0", "0.5"] { #expect(try Self.integer(text) == Int?.none) }
  }

  /// Of a value that a program made.
  @Test(arguments: ["", "x", "nan", "inf", "1 ", "1x"])
  func whatIsNoNumberHasNoValue(text: String) { #expect(JSONValue.number(text).double == nil) }

  @Test(arguments: ["", "-", "+1", ".5", "1.", "1e", "1e+", "01", "-01", "0x1", "1_0", "Infinity", "--1"])
  func whatIsNoNumberIsRefused(text: String) {
    #expect(throws: ApusError.self) { try Self.double(text) }
    #expect(throws: ApusError.self) { () throws(ApusError) -> Int? in try Self.integer(text) }
  }
}
