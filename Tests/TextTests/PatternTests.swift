import TensorCore
import TestSupport
import Testing

@testable import Text

@Suite("Patterns that cut text")
struct PatternTests {
  private func matches(_ pattern: TextPattern, _ text: String) -> [String] {
    let bytes = Array(text.utf8)
    var found: [String] = []
    pattern.forEachMatch(in: bytes.span, 0..<bytes.count) {
      found.append(String(decoding: bytes[$0], as: UTF8.self))
    }
    return found
  }

  private func matches(_ expression: String, _ text: String) throws -> [String] {
    matches(try TextPattern(expression: expression), text)
  }

  @Test("expressions match as those of Oniguruma")
  func expressions() throws {
    #expect(try matches(#"a|ab"#, "abab") == ["a", "a"])
    #expect(try matches(#"(?:a|ab)(?:c|bcd)"#, "abcd abc") == ["abcd", "abc"])
    #expect(try matches(#"a+?b"#, "aaab aab") == ["aaab", "aab"])
    #expect(try matches(#"x{2,3}"#, "xxxxxxx x") == ["xxx", "xxx"])
    #expect(try matches(#"ab{2}"#, "abbb ab") == ["abb"])
    #expect(try matches(#"[^\s\p{L}]+"#, "a1! b2") == ["1!", "2"])
    #expect(try matches(#"\s+(?!\S)|\s+"#, "a   b  ") == ["  ", " ", "  "])
    #expect(try matches(#"\p{L}+(?=\d)"#, "ab1 cd e2") == ["ab", "e"])
    #expect(try matches(#"(?i:'s|'ll)"#, "'S 'lL 'ſ 't") == ["'S", "'lL", "'ſ"])
    #expect(try matches(#"[a\-z]"#, "a-bz") == ["a", "-", "z"])
    #expect(try matches(#"\w"#, "²a").count == 2)
    #expect(try matches(#"[\w]"#, "²a") == ["a"])
    #expect(try matches(#"."#, "a\né") == ["a", "é"])
    #expect(try matches(#"\P{Lu}"#, "aB") == ["a"])
  }

  @Test("the word pattern of GPT-2 is the same by hand and by the machine")
  func wordPatterns() throws {
    var random = SeededRandom()
    let expressions: [(TextPattern, String)] = [
      (.gpt2, TextPattern.gpt2Expression), (.clip, TextPattern.clipExpression),
    ]
    let parts = [
      "a", "é", "東", "1", "½", " ", "  ", "\n", "\u{A0}", "'", "'s", "'ll", "'re", "!", "😀", "\u{301}", "_",
    ]
    for (byHand, source) in expressions {
      let machine = TextPattern.expression(try ExpressionProgram(try ExpressionParser.parse(source)))
      for _ in 0..<400 {
        let text = (0..<Int.random(in: 0...10, using: &random))
          .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
        #expect(
          matches(byHand, text) == matches(machine, text), "seed \(random.seed): \(text.debugDescription)")
      }
    }
  }

  @Test(
    "what is not supported is refused by name",
    arguments: [
      "a*", "(?<=a)b", "^a", "a$", #"\bа"#, "[a[b]]", "[a&&b]", "(a", "a)", "a{2", "a{3,2}", "*a", "a**",
      "a++",
      #"\1a"#, #"\p{Han}"#, #"\p{Cn}"#, "(?=ab)a", "(?i:é)", "(?i:[a-z])", "[b-a]", "[a", #"a\"#, "(?P<n>a)",
      "", "(a{100}){100}", "[]a]", "[^]",
      String(repeating: "(", count: 50) + "a" + String(repeating: ")", count: 50),
    ])
  func refused(expression: String) {
    #expect(throws: ApusError.self) { try TextPattern(expression: expression) }
  }

  @Test("an expression with many ways through it takes time that grows with the text")
  func hardExpressions() throws {
    let text = String(repeating: "a", count: 2000)
    #expect(try matches(#"(?:a|aa|aaa)+b|(?:a+a+)+c"#, text) == [])
  }

  @Test("the places to cut at go where the behavior says")
  func behaviors() {
    func cut(_ text: String, _ behavior: SplitBehavior, inverted: Bool = false) -> [String] {
      let bytes = Array(text.utf8)
      var words = PreTokenizedText(NormalizedText(bytes: bytes, startsAtOrigin: true))
      PatternSplitter(pattern: .literal([0x2D]), behavior: behavior, isInverted: inverted).apply(to: &words)
      return words.pieces.map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    #expect(cut("the-final--countdown", .removed) == ["the", "final", "countdown"])
    #expect(cut("the-final--countdown", .isolated) == ["the", "-", "final", "-", "-", "countdown"])
    #expect(cut("the-final--countdown", .mergedWithPrevious) == ["the-", "final-", "-", "countdown"])
    #expect(cut("the-final--countdown", .mergedWithNext) == ["the", "-final", "-", "-countdown"])
    #expect(cut("the-final--countdown", .contiguous) == ["the", "-", "final", "--", "countdown"])
    #expect(cut("a--", .mergedWithNext) == ["a", "-", "-"])
    #expect(cut("--a-", .contiguous) == ["--", "a", "-"])
    #expect(cut("a-b", .removed, inverted: true) == ["-"])
    #expect(cut("", .isolated) == [])
  }
}
