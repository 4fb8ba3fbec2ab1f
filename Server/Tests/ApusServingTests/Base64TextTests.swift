import ApusServing
import Testing

@Suite struct Base64TextTests {
  @Test(arguments: [
    "+/8BAg==", "+/8BAg", "-_8BAg==", "-_8BAg", " \t+/8BAg==\r\n", "+/8B\nAg==\n", "\n+/8B\r\nAg",
  ])
  func clientsWriteItInManyWays(_ text: String) {
    #expect(Base64Text.bytes(text.utf8) == [0xFB, 0xFF, 1, 2])
  }

  @Test(arguments: ["*", "A", "AQIDA", "AQ=", "AQI D", "AQID=", "AQ\u{A0}ID", "AQ.D", "é"])
  func whatIsNoneIsRefused(_ text: String) { #expect(Base64Text.bytes(text.utf8) == nil) }

  @Test func nothingIsNothing() { #expect(Base64Text.bytes(" \n".utf8) == []) }
}
