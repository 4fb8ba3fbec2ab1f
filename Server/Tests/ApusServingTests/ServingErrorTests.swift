import ApusServing
import Testing

@Suite struct ServingErrorTests {
  @Test func kindsWithTimesDiffer() {
    #expect(ServingError.Kind.overloaded(retryAfter: .seconds(1)) != .overloaded(retryAfter: .seconds(2)))
  }
}
