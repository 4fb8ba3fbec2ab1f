import Apus
import TestSupport
import Testing

/// The nearest are the greatest of the cosines, however many are asked for.
@Suite struct SimilarityMatrixTests {
  private static let texts = (0..<40).map { "text \($0) of \($0 % 7) kinds" }

  private func embeddings(_ texts: [String]) throws -> [Embedding?] {
    try TextEmbedder(Checkout.modelFolder("bert-sentence")).blocking.embed(texts)
  }

  /// Some inputs have no vector, and two are the same.
  private func sample() throws -> [Embedding?] {
    var embeddings = try embeddings(Self.texts)
    embeddings[3] = nil
    embeddings[20] = embeddings[10]
    return embeddings
  }

  @Test(arguments: [1, 2, 3, 4, 5, 39, 100])
  func nearestAreTheGreatest(_ count: Int) throws {
    let vectors = try sample()
    for matrix in [SimilarityMatrix(vectors), SimilarityMatrix(vectors, with: vectors.reversed())] {
      let isSquare = matrix.nearest(100, ofRow: 0).count == vectors.count - 2
      for row in vectors.indices {
        let cosines = matrix.cosines(ofRow: row)
        let others = cosines.indices.filter { !cosines[$0].isNaN && !(isSquare && $0 == row) }
        let expected = others.sorted { (cosines[$1], $0) < (cosines[$0], $1) }.prefix(count)
        let found = matrix.nearest(count, ofRow: row)
        #expect(found.map(\.column) == Array(expected), "row \(row)")
        #expect(found.map(\.cosine) == expected.map { cosines[$0] })
      }
    }
  }

  @Test func withoutAVectorThereIsNoCosine() throws {
    let vectors = try sample()
    let matrix = SimilarityMatrix(vectors)
    #expect(matrix.cosines(ofRow: 3).allSatisfy(\.isNaN) && matrix.nearest(5, ofRow: 3).isEmpty)
    let tensor = try #require(try matrix.tensor())
    #expect(tensor.type.shape.dimensions == [40, 40])
    #expect(try tensor.elements(of: Float.self).count(where: \.isNaN) == 79)
    #expect(try SimilarityMatrix([nil, nil]).tensor() == nil)
  }
}
