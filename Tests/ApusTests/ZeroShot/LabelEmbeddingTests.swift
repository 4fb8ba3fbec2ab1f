import TensorCore
import Testing

@testable import Apus

/// Embeddings of labels are computed once for each label.
@Suite struct LabelEmbeddingTests {
  @Test func eachLabelIsComputedOnce() throws {
    let cache = LabelEmbeddings()
    var asked: [[String]] = []
    func compute(_ labels: [String]) -> [[Float]] {
      asked.append(labels)
      return labels.map { [Float($0.count)] }
    }
    #expect(try cache.embeddings(["a", "bb", "a"], compute: compute) == [[1], [2], [1]])
    #expect(try cache.embeddings(["bb", "ccc"], compute: compute) == [[2], [3]])
    #expect(try cache.embeddings(["ccc"], compute: compute) == [[3]])
    #expect(asked == [["a", "bb"], ["ccc"]])
  }

  /// Swift takes both for equal; a tokenizer that does not compose characters gives them other tokens.
  @Test func labelsAreToldApartByTheirBytes() throws {
    let labels = ["caf\u{E9}", "cafe\u{301}"]
    let cache = LabelEmbeddings()
    let found = try cache.embeddings(labels) { labels in labels.map { [Float($0.utf8.count)] } }
    #expect(found == [[5], [6]])
  }

  @Test func aFailureIsNotRemembered() throws {
    let cache = LabelEmbeddings()
    #expect(throws: ApusError.self) {
      try cache.embeddings(["a"]) { _ throws(ApusError) in throw ApusError(.cancelled, "stopped") }
    }
    #expect(try cache.embeddings(["a"]) { _ throws(ApusError) in [[7]] } == [[7]])
  }
}
