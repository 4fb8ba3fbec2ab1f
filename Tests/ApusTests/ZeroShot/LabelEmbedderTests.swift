import FoundationEssentials
import Synchronization
import TensorCore
import Testing

@testable import Apus

/// Embeddings of labels are computed once for each label.
@Suite struct LabelEmbedderTests {
  private func values(
    _ embedder: LabelEmbedder, _ labels: [String], in templates: [String] = ["{}"]
  ) throws -> [[Float]] {
    try embedder.embed(labels, in: PromptTemplates(templates)) { false }.embeddings.map(\.values)
  }

  @Test func eachLabelIsComputedOnce() throws {
    let asked = Mutex<[[String]]>([])
    let embedder = LabelEmbedder { labels, _, _ in
      asked.withLock { $0.append(labels) }
      return LabelEmbedder.Computed(embeddings: labels.map { Embedding([Float($0.count)]) })
    }
    #expect(try values(embedder, ["a", "bb"]) == [[1], [2]])
    #expect(try values(embedder, ["bb", "ccc"]) == [[2], [3]])
    #expect(try values(embedder, ["ccc", "a"]) == [[3], [1]])
    #expect(asked.withLock { $0 } == [["a", "bb"], ["ccc"]])
  }

  /// Swift takes both for equal; a tokenizer that does not compose characters gives them other tokens.
  @Test func labelsAreToldApartByTheirBytes() throws {
    let embedder = LabelEmbedder { labels, _, _ in
      LabelEmbedder.Computed(embeddings: labels.map { Embedding([Float($0.utf8.count)]) })
    }
    #expect(try values(embedder, ["caf\u{E9}", "cafe\u{301}"]) == [[5], [6]])
  }

  /// Templates too are told apart by their bytes.
  @Test func eachTemplateHasItsOwn() throws {
    let embedder = LabelEmbedder { labels, templates, _ in
      LabelEmbedder.Computed(
        embeddings: labels.map { Embedding([Float(templates.prompts($0)[0].utf8.count)]) })
    }
    let templates = ["{}", "caf\u{E9} {}", "cafe\u{301} {}"]
    for _ in 0..<2 {
      for (template, count) in zip(templates, [1, 7, 8] as [Float]) {
        #expect(try values(embedder, ["a"], in: [template]) == [[count]])
      }
    }
  }

  /// Beyond its bound it begins anew, with what was asked for last.
  @Test func noMoreIsKeptThanThereIsRoomFor() throws {
    let asked = Mutex<[[String]]>([])
    let embedder = LabelEmbedder(capacity: 3) { labels, _, _ in
      asked.withLock { $0.append(labels) }
      return LabelEmbedder.Computed(embeddings: labels.map { _ in Embedding([1]) })
    }
    for (labels, templates) in [(["a", "b"], "{}"), (["c"], "a {}"), (["d"], "{}"), (["a", "d"], "{}")] {
      #expect(try values(embedder, labels, in: [templates]).count == labels.count)
    }
    #expect(asked.withLock { $0 } == [["a", "b"], ["c"], ["d"], ["a"]])
  }

  /// What is known already takes no more room when it is asked for again, beside others.
  @Test func eachLabelTakesRoomOnce() throws {
    let asked = Mutex<[[String]]>([])
    let embedder = LabelEmbedder(capacity: 4) { labels, _, _ in
      asked.withLock { $0.append(labels) }
      return LabelEmbedder.Computed(embeddings: labels.map { _ in Embedding([1]) })
    }
    for (labels, templates) in [
      (["a"], "a {}"), (["a", "b"], "{}"), (["a", "b", "c"], "{}"), (["a"], "a {}"),
      // No room for this one: what the call asked for is left.
      (["a", "d"], "{}"), (["d", "a"], "{}"), (["b"], "{}"),
    ] {
      #expect(try values(embedder, labels, in: [templates]).count == labels.count)
    }
    #expect(asked.withLock { $0 } == [["a"], ["a", "b"], ["c"], ["d"], ["b"]])
  }

  /// Clients of a server send what they like: what is longer than any tokenizer reads is computed anew.
  @Test func longTextsAreNotKept() throws {
    let asked = Mutex(0)
    let embedder = LabelEmbedder { labels, _, _ in
      asked.withLock { $0 += labels.count }
      return LabelEmbedder.Computed(embeddings: labels.map { _ in Embedding([1]) })
    }
    func computed(_ label: Int, _ templates: [Int]) throws -> Int {
      let before = asked.withLock { $0 }
      let templates = templates.map { "{}" + String(repeating: "t", count: $0 - 2) }
      for _ in 0..<2 { _ = try values(embedder, [String(repeating: "l", count: label)], in: templates) }
      return asked.withLock { $0 } - before
    }
    #expect(try computed(4096, [2]) == 1)
    #expect(try computed(4097, [2]) == 2)
    #expect(try computed(1, [4096]) == 1)
    #expect(try computed(1, [4097]) == 2)
    #expect(try computed(1, [2048, 2047]) == 1)
    #expect(try computed(1, [2048, 2049]) == 2)
  }

  /// As a server does with those that clients send.
  @Test func anEmbedderOfTextsKeepsLabels() throws {
    let model = try TextEmbedder(FolderFixture("clip-text-projection").path)
    let templates = ["a photo of {}", "{}"]
    let first = try model.blocking.embed(labels: ["a cat", "a dog"], templates: templates)
    let again = try model.blocking.embed(labels: ["a bird", "a cat"], templates: templates)
    #expect(first.embeddings[0] == again.embeddings[1])
    let plain = try model.blocking.embed(labels: ["a cat"])
    #expect(plain.embeddings[0] != first.embeddings[0])
    let whole = try TextEmbedder(FolderFixture("clip-text-projection").path)
      .blocking.embed(labels: ["a cat"], templates: templates)
    expectClose(whole.embeddings[0].values, first.embeddings[0].values, tolerance: 1e-6)
  }

  @Test func aFailureIsNotRemembered() throws {
    let isDown = Mutex(true)
    let embedder = LabelEmbedder { _, _, _ throws(ApusError) in
      if isDown.withLock({ $0 }) { throw ApusError(.cancelled, "stopped") }
      return LabelEmbedder.Computed(embeddings: [Embedding([7])])
    }
    #expect(throws: ApusError.self) { try values(embedder, ["a"]) }
    isDown.withLock { $0 = false }
    #expect(try values(embedder, ["a"]) == [[7]])
  }

  @Test(arguments: [[], ["a", " "], ["a", "b", "a"]])
  func labelsThatSayNothingOrTwiceTheSameAreRefused(_ labels: [String]) {
    let embedder = LabelEmbedder { labels, _, _ in
      LabelEmbedder.Computed(embeddings: labels.map { _ in Embedding([1]) })
    }
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
