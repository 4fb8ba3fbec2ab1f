import TensorCore
import Testing

@testable import Evaluation

/// What is said of one tensor beside the baseline's.
struct WeightFaultTests {
  private func fault(_ baseline: [Float], _ other: [Float]) throws -> WeightFault? {
    let tensors = try [baseline, other].map { try Tensor($0, shape: .vector($0.count)) }
    return try WeightExamination(StoredNumbers(tensors[0]), StoredNumbers(tensors[1])).fault
  }

  @Test func whatIsNotFiniteIsNotZero() throws {
    #expect(try fault([1, 2], [.nan, 0]) == .notFinite(1))
    #expect(try fault([0, 0], [.infinity, .nan]) == .notFinite(2))
    #expect(try fault([1, 2], [0, 0]) == .zero)
    // Nor is the baseline's own a fault of the other.
    #expect(try fault([.nan, 2], [.nan, 2]) == nil)
    #expect(try fault([.nan, 2], [1, 2]) == nil)
    #expect(
      WeightFault.notFinite(1).statement("classifier.bias", shape: [2])
        == "1 of the 2 numbers of 'classifier.bias' is not finite")
  }
}
