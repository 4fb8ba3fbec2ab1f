import Testing

@testable import ApusServer

@Suite struct AddressQueryTests {
  @Test func namesAndValues() throws {
    let parameters = try AddressQuery.parameters("labels=a+cat&labels=caf%C3%A9%2B&model=&flag&x=1=2&&")
    #expect(parameters.map(\.0) == ["labels", "labels", "model", "flag", "x"])
    #expect(parameters.map(\.1) == ["a cat", "café+", "", "", "1=2"])
    #expect(try AddressQuery.parameters("").isEmpty)
  }

  @Test(arguments: ["a=%", "a=%4", "a=%zz", "%ff=1", "a=%C3"])
  func brokenEscapesAreRefused(_ query: String) {
    #expect(throws: RequestFault.self) { try AddressQuery.parameters(query) }
  }
}

@Suite struct Base64Tests {
  @Test func linesAndAddressesOfData() throws {
    #expect(try Base64.bytes("AQID", "image") == [1, 2, 3])
    #expect(try Base64.bytes("AQ\nID\r\n", "image") == [1, 2, 3])
    #expect(try Base64.bytes("data:image/png;base64,AQID", "image") == [1, 2, 3])
  }

  @Test(arguments: ["", "*", "AQI", "AQID*", "data:image/png;base64,", "AQ==ID"])
  func whatIsNoneIsRefused(_ text: String) {
    #expect(throws: RequestFault.self) { try Base64.bytes(text, "image") }
  }
}
