import FoundationEssentials
import Synchronization
import TensorCore
import Testing

@testable import Apus

/// Embeddings of labels are computed once for each label.
@Suite struct LabelEmbedderTests {
  private func values(_ embedder: LabelEmbedder, _ labels: [String]) throws -> [[Float]] {
    try embedder.embed(labels) { false }.embeddings.map(\.values)
  }

  @Test func eachLabelIsComputedOnce() throws {
    let asked = Mutex<[[String]]>([])
    let embedder = LabelEmbedder { labels, _ in
      asked.withLock { $0.append(labels) }
      return labels.map { Embedding([Float($0.count)]) }
    }
    #expect(try values(embedder, ["a", "bb"]) == [[1], [2]])
    #expect(try values(embedder, ["bb", "ccc"]) == [[2], [3]])
    #expect(try values(embedder, ["ccc", "a"]) == [[3], [1]])
    #expect(asked.withLock { $0 } == [["a", "bb"], ["ccc"]])
  }

  /// Swift takes both for equal; a tokenizer that does not compose characters gives them other tokens.
  @Test func labelsAreToldApartByTheirBytes() throws {
    let embedder = LabelEmbedder { labels, _ in labels.map { Embedding([Float($0.utf8.count)]) } }
    #expect(try values(embedder, ["caf\u{E9}", "cafe\u{301}"]) == [[5], [6]])
  }

  @Test func aFailureIsNotRemembered() throws {
    let isDown = Mutex(true)
    let embedder = LabelEmbedder { _, _ throws(ApusError) in
      if isDown.withLock({ $0 }) { throw ApusError(.cancelled, "stopped") }
      return [Embedding([7])]
    }
    #expect(throws: ApusError.self) { try values(embedder, ["a"]) }
    isDown.withLock { $0 = false }
    #expect(try values(embedder, ["a"]) == [[7]])
  }

  @Test(arguments: [[], ["a", " "], ["a", "b", "a"]])
  func labelsThatSayNothingOrTwiceTheSameAreRefused(_ labels: [String]) {
    let embedder = LabelEmbedder { labels, _ in labels.map { _ in Embedding([1]) } }
    #expect { try values(embedder, labels) } throws: { ($0 as? ApusError)?.kind == .argument }
  }

  @Test func embeddingsThatAreKeptAreReadAgainAndChecked() throws {
    let labels = try LabelEmbeddings(["a", "b"], embeddings: [Embedding([3, 4]), Embedding([0, 2])])
    #expect(labels.embeddings.map(\.values) == [[0.6, 0.8], [0, 1]])
    let stored = try JSONEncoder().encode(labels)
    #expect(try JSONDecoder().decode(LabelEmbeddings.self, from: stored) == labels)
    let uneven = Data(#"{"labels": ["a"], "embeddings": []}"#.utf8)
    #expect(throws: ApusError.self) { try JSONDecoder().decode(LabelEmbeddings.self, from: uneven) }
    for bad in [
      [Embedding([1, 0])], [Embedding([1, 0]), Embedding([1])], [Embedding([1]), Embedding([.nan])],
    ] {
      #expect(throws: ApusError.self) { try LabelEmbeddings(["a", "b"], embeddings: bad) }
    }
  }
}
