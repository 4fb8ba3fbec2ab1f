import Apus
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

  /// What looks like a sign or a weight is a part of it.
  @Test func sentencesAreTakenAsTheyAre() throws {
    let body = try read(#"{"sentence":"3:10 to Yuma"}"#)
    #expect(body.sentences == ["3:10 to Yuma"] && body.query.isEmpty)
    #expect(try read(#"{"query":"a","sentence":["-b","2:c"]}"#).sentences == ["-b", "2:c"])
    #expect(try PhotoSearchRequest(address: "sentence=3:10+to+Yuma") == body)
    #expect(try PhotoSearchRequest(address: "sentence=-b&sentence=c").sentences == ["-b", "c"])
  }

  /// In both forms, as the command has them.
  @Test func filters() throws {
    let body = try read(
      #"{"query":"a","since":"2019","until":"2020-02","in":["/a","/b"],"camera":"pixel","near":"48.14,11.58,20"}"#
    )
    let address = try PhotoSearchRequest(
      address: "query=a&since=2019&until=2020-02&in=/a&in=%2Fb&camera=pixel&near=48.14,11.58,20")
    let circle = PhotoFilter.Circle(latitude: 48.14, longitude: 11.58, kilometres: 20)
    var filter = PhotoFilter(folders: ["/a", "/b"], camera: "pixel", near: circle)
    filter.since = try PhotoDate("2019")
    filter.until = try PhotoDate("2020-02")
    filter.followsLinks = false
    #expect(body.filter == filter)
    #expect(address == body)
    let folder = try read(#"{"query":"a","in":"/a","since":null}"#)
    #expect(folder.filter.folders == ["/a"] && !folder.filter.followsLinks)
    let none = try PhotoSearchRequest(address: "query=a")
    #expect(none.filter.isEmpty)
  }

  @Test(arguments: [
    ("since", "may"), ("since", "2019-02-30"), ("until", ""), ("near", "48.14,11.58"), ("near", "91,0,1"),
    ("near", "0,0,nan"), ("in", "Pictures"), ("in", ""),
  ])
  func filtersThatMakeNoSenseAreNamed(_ name: String, _ value: String) {
    let error = #expect(throws: RequestFault.self) { try read("{\"query\":\"a\",\"\(name)\":\"\(value)\"}") }
    #expect(error?.field == name && error?.kind == .field)
    #expect(error?.message.contains("'\(name)'") == true)
    let other = #expect(throws: RequestFault.self) {
      try PhotoSearchRequest(address: "query=a&\(name)=\(value)")
    }
    #expect(other == error)
  }

  @Test(arguments: [
    #""since":2019"#, #""camera":["a"]"#, #""near":[48,11,20]"#, #""in":[7]"#, #""in":"/a\u0000b""#,
  ])
  func filtersAreTexts(_ field: String) {
    #expect(throws: RequestFault.self) { try read("{\"query\":\"a\",\(field)}") }
  }

  /// Photographs are looked for by what they show; filters alone say nothing of it.
  @Test(arguments: ["since=2019", "in=/a&camera=pixel"]) func filtersAloneAreNoQuery(_ address: String) {
    let error = #expect(throws: RequestFault.self) { try PhotoSearchRequest(address: address) }
    #expect(error == .missing("query"))
  }

  @Test func whatIsTakenIsDescribed() {
    #expect(Set(PhotoSchemas.parameters.map { ExactText($0.name) }) == PhotoSearchRequest.known)
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
    let folders = [String](repeating: "\"/a\"", count: 65).joined(separator: ",")
    let other = #expect(throws: RequestFault.self) { try read("{\"query\":\"a\",\"in\":[\(folders)]}") }
    #expect(other?.kind == .tooLarge && other?.field == "in")
  }

  @Test(arguments: [
    "", "query=a&top=many", "query=a&top=0", "query=a&top=1&top=3", "query=a&min_score=0.1&min_score=auto",
    "query=a&min_score=much", "query=a&q=b", "query=%f", "query=a&since=2019&since=2020",
    "query=a&image=aGVsbG8=",
  ])
  func addressesThatMakeNoSense(_ address: String) {
    #expect(throws: RequestFault.self) { try PhotoSearchRequest(address: address) }
  }
}
