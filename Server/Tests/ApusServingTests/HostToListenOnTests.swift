import Testing

@testable import ApusServing

@Suite struct HostToListenOnTests {
  @Test func localhostNeedsNoResolver() {
    #expect("localhost".hostToListenOn == "127.0.0.1" && "LocalHost".hostToListenOn == "127.0.0.1")
    #expect("::1".hostToListenOn == "::1" && "localhost.example".hostToListenOn == "localhost.example")
  }
}
