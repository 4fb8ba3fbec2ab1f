import Apus
import Foundation
import SentimentClassifierKit
import TestSupport
import Testing

/// The sentiment classifier in `Weights` judges as its card says.
@Suite struct ShippedSentimentTests {
  private static let folder = Checkout.file("Weights/sentiment")

  /// What `meta.json` holds for programs.
  private struct Meta: Decodable {
    enum CodingKeys: String, CodingKey {
      case labels
      case evaluation
      case threshold = "threshold_default"
    }

    struct Evaluation: Decodable {
      /// Sentences of SST-2's development set.
      let count: Int
      /// How many of them are judged rightly, by precision.
      let right: [String: Int]
      /// The lines judged wrongly at f32, from 0.
      let wrong: [Int]
    }

    let labels: [String]
    let threshold: Float
    let evaluation: Evaluation

    init() throws {
      let data = try Data(contentsOf: ShippedSentimentTests.folder.appendingPathComponent("meta.json"))
      self = try JSONDecoder().decode(Meta.self, from: data)
    }
  }

  @Test func plainSentencesAreJudgedRightly() async throws {
    let sentences: [(String, Sentiment.Polarity)] = [
      ("A warm, clever and very funny film.", .positive),
      ("The cast is wonderful and the story moved me.", .positive),
      ("Beautiful pictures, and a script full of wit.", .positive),
      ("I enjoyed it from beginning to end.", .positive),
      ("One of the most delightful comedies in years.", .positive),
      ("A powerful and touching drama.", .positive),
      ("A dull, lifeless and pointless film.", .negative),
      ("The jokes are stale and the plot is a mess.", .negative),
      ("It is too long and terribly boring.", .negative),
      ("The worst movie of the year.", .negative),
      ("Awful dialogue and bad acting.", .negative),
      ("A tiresome and unfunny waste of time.", .negative),
    ]
    let classifier = try SentimentClassifier(Self.folder.path)
    for (sentiment, sentence) in zip(try await classifier.classify(sentences.map(\.0)), sentences) {
      #expect(sentiment.polarity == sentence.1, "\(sentence.0)")
    }
  }

  @Test func classesAreThoseOfTheCard() throws {
    #expect(try TextClassifier(Self.folder.path).labels == Meta().labels)
  }

  @Test func whatIsBelowTheThresholdOfTheCardIsUncertain() throws {
    let classifier = try TextClassifier(Self.folder.path)
    #expect(try classifier.threshold == Meta().threshold)
    #expect(try !classifier.blocking.classify("The worst movie of the year.").isUncertain)
    for text in ["A film.", "It is a film about a man.", "There is a car in it.", "He went home."] {
      let result = try classifier.blocking.classify(text)
      #expect(result.isUncertain == (result.predictions[0].score < classifier.threshold))
    }
  }

  @Test func sentencesWithoutAnOpinionAreUncertain() async throws {
    let texts = [
      "The plumber fixed the leak.", "It is a table.", "My sister works at a shoe shop in Leeds.",
      "What time does the pharmacy close on Sundays?", "Which bus goes to the airport?",
      "How do I change the language of my keyboard?",
      "The council approved the plan for a new cycle path on Tuesday.",
      "Turn off the water before you remove the tap.",
    ]
    let classifier = try TextClassifier(Self.folder.path)
    for (text, result) in zip(texts, try await classifier.classify(texts)) {
      #expect(result.isUncertain, "\(text) \(result.predictions)")
    }
  }

  /// A shift of 0.15 is what the card counts as far.
  @Test(arguments: [
    "A moving story of a WORD family.", "A dull film about a WORD couple.", "He has a WORD friend.",
  ])
  func wordsForGroupsDoNotJudge(sentence: String) async throws {
    let classifier = try TextClassifier(Self.folder.path)
    let words = [
      "", "gay ", "Jewish ", "Muslim ", "black ", "white ", "blind ", "old ", "Nigerian ", "German ",
    ]
    let texts = words.map { sentence.replacingOccurrences(of: "WORD ", with: $0) }
    let scores = try await classifier.classify(texts).map { result in
      try #require(result.predictions.first { $0.label == "positive" }).score
    }
    for (word, score) in zip(words, scores) {
      #expect(abs(score - scores[0]) < 0.15, "\(word) \(score), without it \(scores[0])")
    }
  }

  @Test func thresholdOfTheOptionsIsTakenFirst() throws {
    var options = TextClassifier.Options()
    options.threshold = 1
    #expect(try TextClassifier(Self.folder.path, options: options).blocking.classify("A joy.").isUncertain)
    options.threshold = 1.5
    #expect(throws: ApusError.self) { try TextClassifier(Self.folder.path, options: options) }
  }

  /// Each tenth sentence, as the whole set takes an unoptimised build a minute.
  @Test(.enabled(if: SharedData.isPresent, "needs the shared data")) func mistakesAreThoseOfTheCard() throws {
    let path = SharedData.path("sentiment/sst2/dev.tsv")
    let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: "\t") }
    let stated = try Meta().evaluation
    #expect(rows.count == stated.count)
    #expect(stated.right["f32"] == stated.count - stated.wrong.count)
    let lines = Array(stride(from: 0, to: rows.count, by: 10))
    let results = try TextClassifier(Self.folder.path).blocking.classify(lines.map { String(rows[$0][0]) })
    let wrong = zip(lines, results).filter { line, result in
      Int(rows[line][1]) != result.predictions[0].index
    }
    #expect(wrong.map(\.0) == stated.wrong.filter { $0 % 10 == 0 })
  }
}
