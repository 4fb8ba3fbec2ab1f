import Foundation
import ImageClassifierKit
import SentimentClassifierKit
import Synchronization
import TestSupport
import Testing

/// The two kits open what comes with the package, and answer as its models do.
@Suite struct KitTests {
  @Test func aPictureIsClassifiedByTheShippedModel() async throws {
    let kit = try ImageClassifierKit()
    #expect(kit.classifier.labels == ["bacterial_leaf_blight", "rice_blast", "rice_brown_spot"])
    let found: [ImagePrediction] = try await kit.classify(FolderFixture.picture)
    #expect(found.count == 3 && found.map(\.score) == found.map(\.score).sorted(by: >))
    let model = Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite").path
    #expect(try await ImageClassifierKit(model: model).classify(FolderFixture.picture) == found)
    #expect(try await kit.classify(image: FolderFixture.picture) == found)
    let best: [ImagePrediction] = try await kit.classify(image: FolderFixture.picture, topK: 2)
    #expect(best == Array(found.prefix(2)))
    let error = await #expect(throws: ApusError.self) { try await kit.classify(image: "nowhere.jpg") }
    #expect(error?.kind == .file)
  }

  @Test func kitsOpenInTheBackground() async throws {
    let pictures = try await ImageClassifierKit.load()
    #expect(pictures.classifier.path.hasSuffix("rice_v1_int8.tflite"))
    let stages = Mutex<[LoadStage?]>([])
    let model = Checkout.file("Weights/rice-leaf/rice_v1_fp16.tflite").path
    let other = try await ImageClassifierKit.load(model: model) { step in
      stages.withLock { $0.append(step.stage) }
    }
    #expect(other.classifier.path == model && stages.withLock { $0 } == [.open, .image, nil])
    let texts = try await SentimentClassifierKit.load()
    guard case .model = texts.method else {
      Issue.record("the shipped model was refused: \(texts.method)")
      return
    }
    await #expect(throws: ApusError.self) { try await SentimentClassifierKit.load(model: "nowhere") }
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await SentimentClassifierKit.load()
    }
    let error = await #expect(throws: ApusError.self) { try await cancelled.value }
    #expect(error?.kind == .cancelled)
  }

  @Test func aTextIsJudgedByTheShippedModel() async throws {
    let kit = SentimentClassifierKit()
    guard case .model(let classifier) = kit.method else {
      Issue.record("the shipped model was refused: \(kit.method)")
      return
    }
    let love = try await kit.analyze(text: "I love this app!")
    #expect(love.sentiment == .positive)
    #expect(try await kit.analyze(text: "A dull, lifeless and pointless film.").sentiment == .negative)
    for text in ["It is a table.", "He went home.", "I love this app!", "The worst movie of the year."] {
      let (output, sentiment) = (try await kit.analyze(text: text), try await classifier.classify(text))
      #expect((output.sentiment == .neutral) == sentiment.isUncertain)
      let expected = sentiment.isUncertain ? 2 * (1 - sentiment.score) : sentiment.score
      #expect(output.confidence == expected)
    }
  }

  @Test func withoutAModelWordsMustDo() async throws {
    let kit = SentimentClassifierKit(refused: ApusError(.file, "no model"))
    #expect(try await kit.analyze(text: "I love this wonderful app!").sentiment == .positive)
    #expect(try await kit.analyze(text: "A dull, lifeless and pointless film.").sentiment == .negative)
    let table = try await kit.analyze(text: "qwertyuiop")
    #expect(table.sentiment == .neutral && table.confidence == 1)
    let error = await #expect(throws: ApusError.self) { try await kit.analyze(text: " \n") }
    #expect(error?.kind == .argument)
  }

  @Test func sentimentsOfSequencesAndStreamsAreThoseOfTheTexts() async throws {
    let classifier = try await SentimentClassifier.load(Checkout.file("Weights/sentiment").path)
    let texts = ["A joy from start to finish.", " ", "It never finds its feet.", "A film."]
    let stream = AsyncStream { continuation in
      for text in texts { continuation.yield(text) }
      continuation.finish()
    }
    var found: [[Sentiment?]] = [[], []]
    for await item in classifier.classifications(of: texts, width: 3) {
      found[0].append(try? item.result.get())
    }
    for try await item in classifier.classifications(of: stream) { found[1].append(try? item.result.get()) }
    let alone = [0, 2, 3].map { texts[$0] }
    let waited = try classifier.blocking.classify(alone)
    #expect(found[0] == found[1] && found[0][1] == nil)
    #expect(found[0].compactMap(\.?.polarity) == waited.map(\.polarity))
  }

  private struct Judged: Decodable {
    let text: String
    let positive: Double
  }

  @Test func wordsAreReadAsTheyWereTrained() throws {
    let data = try Data(contentsOf: Checkout.fixture("sentiment-lexicon.json"))
    let judged = try JSONDecoder().decode([Judged].self, from: data)
    #expect(judged.count > 10)
    for one in judged {
      #expect(abs(SentimentClassifierKit.positive(one.text) - one.positive) < 1e-9, "\(one.text)")
    }
  }
}
