@testable import InferenceProtocol
import Testing

@Suite struct JSONNumberTests {
  private static func number(_ text: String) throws -> JSONNumber {
    var reader = JSONReader(Array(text.utf8)[...])
    let number = try reader.number()
    try reader.end()
    return number
  }

  /// Swift's own reading is the measure.
  @Test(arguments: [
    "0", "-0", "1", "0.1", "123456789.123456789", "1e22", "1e23", "9007199254740993", "4.9e-324",
    "2.2250738585072011e-308",
    "1.7976931348623157e308", "1e400", "-1e-400", "0.000000000000000000000000000001",
    "12345678901234567890123",
    "1e0000000000000000000000005", "1e99999999999999999999", "0e99999999999999999999", "3.4028235e38",
    "100000000000000000000000000000000000000e-38",
  ])
  func textsMeanWhatTheyMeanElsewhere(text: String) throws {
    #expect(try Self.number(text).double.bitPattern == Double(text)?.bitPattern)
  }

  @Test func shortestTextsComeBackAsTheyWere() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let float = Float(bitPattern: .random(in: 0...(.max), using: &generator))
      guard float.isFinite else { continue }
      #expect(Float(try Self.number("\(float)").double).bitPattern == float.bitPattern, "\(float)")
      let double = Double(bitPattern: .random(in: 0...(.max), using: &generator))
      guard double.isFinite else { continue }
      #expect(try Self.number("\(double)").double.bitPattern == double.bitPattern, "\(double)")
    }
  }

  @Test(arguments: ["", "-", "+1", ".5", "1.", "1e", "1e+", "01", "-01", "0x1", "1_0", "Infinity", "--1"])
  func whatIsNoNumberIsRefused(text: String) {
    #expect(throws: InferenceProtocolError.self) { try Self.number(text) }
  }
}
