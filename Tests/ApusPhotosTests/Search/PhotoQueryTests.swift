import TensorCore
import Testing

@testable import ApusPhotos

@Suite struct PhotoQueryTests {
  private func terms(_ sentences: String...) throws -> [String] {
    try PhotoQuery(sentences).terms.map { term in
      guard case .sentence(let text) = term.subject else { return "picture" }
      return "\(term.weight) \(text)"
    }
  }

  @Test func signsAndWeights() throws {
    #expect(try terms("a dog") == ["1.0 a dog"])
    #expect(try terms("+a dog", "-snow", "\u{2212}ice") == ["1.0 a dog", "-1.0 snow", "-1.0 ice"])
    #expect(try terms("2:golden retriever", "-0.5: people") == ["2.0 golden retriever", "-0.5 people"])
    #expect(try terms("horse", "+", "stripes", "-", "grass") == ["1.0 horse", "1.0 stripes", "-1.0 grass"])
    #expect(try terms("-", "-grass") == ["1.0 grass"])
  }

  @Test func whatIsNoWeightIsText() throws {
    #expect(try terms("note: milk") == ["1.0 note: milk"])
    #expect(try terms("1:3:10 to Yuma") == ["1.0 3:10 to Yuma"])
    #expect(try terms("-0.5") == ["-1.0 0.5"])
  }

  /// A literal is what a list of it is; a sentence by its name is what it is.
  @Test(arguments: ["a dog", "-snow", "2:golden retriever", "-0.5:people", "3:10 to Yuma", "note: milk"])
  func aLiteralIsAListOfOne(_ sentence: String) throws {
    let literal: PhotoQuery = "\(sentence)"
    #expect("\(literal.terms)" == "\(try PhotoQuery([sentence]).terms)")
    let plain = "\([PhotoQuery.Term(.sentence(sentence))])"
    #expect("\(PhotoQuery(sentence: sentence).terms)" == plain)
    #expect("\(try PhotoQuery([], sentences: [sentence]).terms)" == plain)
  }

  @Test func literalsAreRefusedAsListsAre() throws {
    for text in ["", "  ", "2:", "-", "nan:a"] {
      let found = try #require(throws: ApusError.self) { try PhotoQuery("\(text)").validate() }
      let expected = try #require(throws: ApusError.self) { try PhotoQuery([text]) }
      #expect(found == expected, "\(text)")
    }
    #expect(throws: ApusError.self) { try PhotoQuery(sentence: " ").validate() }
    #expect(throws: ApusError.self) { try PhotoQuery([], sentences: [""]) }
  }

  @Test(arguments: [[], [""], ["  "], ["2:"], ["- "], ["a", "-"], ["nan:a"], ["inf:a"], ["--2:a"]])
  func isRefused(_ sentences: [String]) {
    // "--2:a" is a weight below 0 behind a sign.
    #expect(throws: ApusError.self) { try PhotoQuery(sentences) }
  }
}

@Suite struct PhotoDateTests {
  @Test(arguments: [
    ("1970", 0, 31_536_000), ("2020-02", 1_580_515_200, 1_583_020_800),
    ("2019-05-31", 1_559_260_800, 1_559_347_200),
    ("2019-12-31", 1_577_750_400, 1_577_836_800), ("2019-05-31T18:30", 1_559_327_400, 1_559_327_460),
    ("2019-05-31 18:30:15", 1_559_327_415, 1_559_327_416),
  ])
  func ranges(_ text: String, _ start: Int, _ end: Int) throws {
    let date = try PhotoDate(text)
    #expect(date.start == start)
    #expect(date.end == end)
  }

  @Test(arguments: [
    "", "may", "2019-13", "2019-02-29", "2019-05-31T", "2019-05T18:30", "2019-05-31T25:00", "0",
    "2019-5-31-1", "-2019",
    "20190", "2019-05-31T18", "２０１９",
  ])
  func isRefused(_ text: String) { #expect(throws: ApusError.self) { try PhotoDate(text) } }

  @Test func textOfSeconds() { #expect(PhotoDate.text(1_559_327_415) == "2019-05-31 18:30:15") }
}

@Suite struct PhotoCircleTests {
  @Test func degreesAndKilometres() throws {
    let circle = try PhotoFilter.Circle("-33.9,151.2,0.5")
    #expect(circle == PhotoFilter.Circle(latitude: -33.9, longitude: 151.2, kilometres: 0.5))
    #expect(try PhotoFilter.Circle(" -33.9, 151.2 ,0.5 ") == circle)
  }

  @Test(arguments: [
    "", "1,2", "1,2,3,4", "1,2,", "a,2,3", "91,0,1", "0,181,1", "0,0,0", "0,0,inf", "nan,0,1",
  ])
  func isRefused(_ text: String) { #expect(throws: ApusError.self) { try PhotoFilter.Circle(text) } }
}
