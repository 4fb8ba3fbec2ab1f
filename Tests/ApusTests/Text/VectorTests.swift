import TensorCore
import Testing

@testable import Apus

/// Lengths, means and cosines of embeddings.
@Suite struct VectorTests {
  @Test func aUnitVectorHasLengthOne() {
    #expect(Vectors.unit([3, 4]) == [0.6, 0.8])
    let tiny = Vectors.unit([1e-30, 0])
    #expect(tiny == [1, 0])
  }

  @Test func aVectorWithoutDirectionStaysAsItIs() {
    #expect(Vectors.unit([0, 0]) == [0, 0])
    let zero = Embedding([0, 0], wasTruncated: false)
    #expect(zero.cosine(Embedding([1, 0], wasTruncated: false)) == 0)
  }

  @Test func theMeanIsTakenElementByElement() {
    #expect(Vectors.mean([[1, 2], [3, 6]]) == [2, 4])
  }

  @Test(arguments: [Float.nan, .infinity])
  func numbersThatAreNoneAreRefused(_ bad: Float) {
    #expect {
      try EmbeddingLength.unit.apply([1, bad], normalizes: true, of: "a text", model: "m")
    } throws: {
      let error = $0 as? ApusError
      return error?.kind == .malformedModel && error?.description.contains("element 1") == true
    }
  }
}
