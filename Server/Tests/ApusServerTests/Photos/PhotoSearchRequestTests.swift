import ApusPhotos
import Testing

@testable import ApusServer

@Suite struct PhotoSearchRequestTests {
  private func read(_ json: String) throws(RequestFault) -> PhotoSearchRequest {
    try PhotoSearchRequest(Array(json.utf8))
  }

  @Test func bodies() throws {
    let request = try read(
      #"{"query":["a dog","-people"],"like":["7"],"image":"aGVsbG8=","top":3,"min_score":0.25}"#)
    #expect(request.query == ["a dog", "-people"] && request.like == ["7"] && request.top == 3)
    #expect(request.minimum == .cosine(0.25))
    #expect(request.picture == Array("hello".utf8))
    #expect(try read(#"{"query":"a dog"}"#).query == ["a dog"])
    #expect(try read(#"{"query":"a dog","min_score":"auto"}"#).minimum == .automatic)
    #expect(try read(#"{"query":"a dog","min_score":null}"#).minimum == .none)
    #expect(try read(#"{"like":"12"}"#).top == 20)
  }

  @Test func addresses() throws {
    let request = try PhotoSearchRequest(
      address: "query=a+dog&query=%2Bin%20caf%C3%A9s&query=-people&top=5&min_score=auto")
    #expect(
      request.query == ["a dog", "+in cafés", "-people"] && request.top == 5 && request.minimum == .automatic)
  }

  @Test(arguments: [
    "", "[]", "{", "{}", #"{"query":[]}"#, #"{"query":7}"#, #"{"query":[7]}"#, #"{"query":"a","top":0}"#,
    #"{"query":"a","top":1001}"#, #"{"query":"a","top":1.5}"#, #"{"query":"a","top":1e99}"#,
    #"{"query":"a","min_score":"much"}"#, #"{"query":"a","min_score":"nan"}"#,
    #"{"query":"a","min_score":1e999}"#, #"{"query":"a","min_score":[]}"#, #"{"image":7}"#, #"{"image":"?"}"#,
    #"{"query":"a","tops":3}"#,
  ]) func whatMakesNoSense(_ json: String) {
    let error = #expect(throws: RequestFault.self) { try read(json) }
    #expect(error?.kind != .tooLarge && error?.message.isEmpty == false)
  }

  @Test func limits() throws {
    let many = [String](repeating: "\"a\"", count: 65).joined(separator: ",")
    let error = #expect(throws: RequestFault.self) { try read("{\"query\":[\(many)]}") }
    #expect(error?.kind == .tooLarge)
  }

  @Test(arguments: [
    "", "query=a&top=many", "query=a&top=0", "query=a&top=1&top=3", "query=a&min_score=0.1&min_score=auto",
    "query=a&min_score=much", "query=a&q=b", "query=%f",
  ])
  func addressesThatMakeNoSense(_ address: String) {
    #expect(throws: RequestFault.self) { try PhotoSearchRequest(address: address) }
  }
}
