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
