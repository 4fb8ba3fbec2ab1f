import Apus
import Foundation
import TestSupport
import Testing

/// Commands read pairs of texts as the library does.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct TextPairCommandTests {
  private static let model = Checkout.modelFolder("bert-reranker")
  private static let query = "how many people live in the city?"
  private static let texts = ["a photo of a cat", "He drove to the stadium."]

  private struct Record: Decodable {
    struct Prediction: Decodable { let score: Float }
    let query: String?
    let text: String
    let predictions: [Prediction]
  }

  private struct Tokens: Decodable {
    let texts: [String]
    let ids: [Int32]
    let types: [Int32]
  }

  private func lines<Line: Decodable>(_ run: CommandRun, of _: Line.Type = Line.self) throws -> [Line] {
    try run.output.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  private func records(_ arguments: [String], input: String? = nil) throws -> [Record] {
    let run = try CommandRun(
      ["classify-text", "--model", Self.model, "--json"] + arguments, input: input ?? "")
    #expect(run.exitCode == 0, "\(run.messages)")
    return try lines(run)
  }

  @Test func aQueryStandsBeforeEachText() throws {
    let classifier = try TextClassifier(Self.model)
    let wanted = try classifier.blocking.classify(Self.texts.map { TextPair(Self.query, $0) })
    let found = try records(["--query", Self.query] + Self.texts)
    #expect(found.map(\.query) == [Self.query, Self.query] && found.map(\.text) == Self.texts)
    #expect(found.map { $0.predictions.map(\.score) } == wanted.map { $0.predictions.map(\.score) })
    let tabs = Self.texts.map { "\(Self.query)\t\($0)" }.joined(separator: "\n") + "\n"
    let pairs = try records(["-", "--pairs"], input: tabs)
    #expect(pairs.map { $0.predictions.map(\.score) } == found.map { $0.predictions.map(\.score) })
    #expect(pairs.map(\.query) == found.map(\.query))
    let alone = try records(Self.texts)
    #expect(alone.allSatisfy { $0.query == nil })
    #expect(alone.map { $0.predictions.map(\.score) } != found.map { $0.predictions.map(\.score) })
  }

  @Test func aLineThatIsNoPairFailsAlone() throws {
    let run = try CommandRun(
      ["classify-text", "-", "--pairs", "--model", Self.model], input: "one\na\tb\none\ttwo\tthree\n")
    #expect(run.exitCode == 5)
    #expect(run.messages.contains("text 1: 0 tabs, expected one, between two texts"), "\(run.messages)")
    #expect(run.messages.contains("text 3: 2 tabs"), "\(run.messages)")
    #expect(run.output.contains("a | b ("))
    let both = try CommandRun(["classify-text", "a", "--pairs", "--query", "b", "--model", Self.model])
    #expect(both.exitCode == 2 && both.messages.contains("--query and --pairs: choose one."))
  }

  @Test func tokenizeTakesPairsInJSON() throws {
    let input = #"["a small cat", "two dogs"]"# + "\n"
    let run = try CommandRun(["tokenize", "--model", Self.model, "--jsonl", "--json"], input: input)
    let record = try #require(try lines(run, of: Tokens.self).first)
    let encoding = try Tokenizer(Self.model).encode("a small cat", "two dogs")
    #expect(record.ids == encoding.ids && record.types == encoding.tokenTypes)
    #expect(record.texts == ["a small cat", "two dogs"])
    let ids = try CommandRun(["tokenize", "--model", Self.model, "--jsonl"], input: input)
    #expect(try lines(ids, of: [Int32].self) == [encoding.ids])
    let three = try CommandRun(["tokenize", "--model", Self.model, "--jsonl"], input: #"["a", "b", "c"]"#)
    #expect(three.exitCode != 0 && three.messages.contains("no list of two"), "\(three.messages)")
  }
}
