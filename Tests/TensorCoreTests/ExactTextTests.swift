import TensorCore
import Testing

/// Texts by their bytes.
@Suite struct ExactTextTests {
  private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

  @Test func textsThatSwiftTakesForEqualAreTwo() {
    let both: [ExactText] = [ExactText(Self.composed), ExactText(Self.decomposed)]
    #expect(Self.composed == Self.decomposed, "to Swift")
    #expect(both[0] != both[1] && both[0] == "caf\u{E9}")
    #expect(Set(both).count == 2)
    #expect(both.sorted() == [both[1], both[0]], "by bytes: e comes before é")
    // The Kelvin sign is a K to Swift.
    #expect(ExactText("\u{212A}") != "K" && Set<ExactText>(["K"]).contains("\u{212A}") == false)
  }

  @Test func theyPrintAsTexts() {
    let text: ExactText = "caf\u{E9} \(1)"
    #expect("\(text)" == "café 1" && text.text.unicodeScalars.count == 6)
  }

  @Test func aPathIsBelowAFolderByItsBytes() {
    let path = ExactText("/a/e\u{301}/b")
    #expect(path.below("/a/\u{E9}") == nil && path.below("/a/e") == nil)
    #expect(path.below("/a/e\u{301}") == "b" && path.below("/a/e\u{301}/b") == "")
    #expect(ExactText("/a/\u{301}b").below("/a").map { ExactText($0) } == "\u{301}b")
  }

  @Test func pathsAreDividedAtTheBytesOfSlashes() {
    let parts = FileName.parts(of: "../\u{301}x//e\u{301}/")
    #expect(parts.map { ExactText($0) } == ["..", "\u{301}x", "", "e\u{301}", ""])
  }

  /// A space and an accent behind it are one character to Swift.
  @Test(arguments: [
    (" \u{301}a ", "\u{301}a"), ("a\u{301} \n", "a\u{301}"), ("\u{A0}\r\n", ""), ("", ""), ("a b", "a b"),
  ])
  func whiteSpaceAtTheEndsGoes(text: String, trimmed: String) {
    #expect(ExactText(text.trimmed) == ExactText(trimmed))
  }
}
