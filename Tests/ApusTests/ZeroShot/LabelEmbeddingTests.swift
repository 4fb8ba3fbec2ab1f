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

  @Test func aFailureIsNotRemembered() throws {
    let cache = LabelEmbeddings()
    #expect(throws: ApusError.self) {
      try cache.embeddings(["a"]) { _ throws(ApusError) in throw ApusError(.cancelled, "stopped") }
    }
    #expect(try cache.embeddings(["a"]) { _ throws(ApusError) in [[7]] } == [[7]])
  }
}
