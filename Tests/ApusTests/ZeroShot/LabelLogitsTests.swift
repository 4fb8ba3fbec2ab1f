import Foundation
import Testing

@testable import Apus

/// Logits follow from cosine, scale and bias; softmax and sigmoid from logits.
@Suite struct LabelLogitsTests {
  private let picture: [Float] = [1, 0]
  private let labels = [[0, 1], [1, 0], [0.6, 0.8]].map { Embedding($0) }

  @Test func aLogitIsTheScaledCosinePlusTheBias() {
    let logits = LabelLogits(picture: picture, labels: labels, scale: 10, bias: -5)
    for (found, expected) in zip(logits.logits, [-5, 5, 1]) { #expect(abs(found - Float(expected)) < 1e-6) }
    #expect(logits.logits.count == 3)
  }

  @Test func softmaxAddsUpToOneAndSigmoidLooksAtEachAlone() {
    let logits = LabelLogits(picture: picture, labels: labels, scale: 10, bias: -5)
    #expect(abs(logits.softmax.reduce(0, +) - 1) < 1e-6)
    let sum = exp(-5.0) + exp(5.0) + exp(1.0)
    for (index, logit) in [-5.0, 5, 1].enumerated() {
      #expect(abs(Double(logits.softmax[index]) - exp(logit) / sum) < 1e-7)
      #expect(abs(Double(logits.sigmoid[index]) - 1 / (1 + exp(-logit))) < 1e-7)
    }
  }

  @Test func hugeLogitsDoNotOverflow() {
    let logits = LabelLogits(picture: [1], labels: [Embedding([1]), Embedding([-1])], scale: 1e6, bias: 0)
    #expect(logits.softmax == [1, 0])
    #expect(logits.sigmoid == [1, 0])
  }

  @Test func scoresAreRankedAndEqualOnesKeepTheirOrder() throws {
    let labels = try LabelEmbeddings(
      ["a", "b", "c"],
      embeddings: [Embedding([0, 1]), Embedding([1, 0], wasTruncated: true), Embedding([0, 1])])
    let logits = LabelLogits(picture: picture, labels: labels.embeddings, scale: 2, bias: 0)
    let ranked = logits.ranked(labels, by: .sigmoid, threshold: 0.6)
    #expect(ranked.map(\.label) == ["b", "a", "c"])
    #expect(ranked.map(\.index) == [1, 0, 2])
    #expect(ranked.map(\.isUncertain) == [false, true, true])
    #expect(ranked.map(\.wasTruncated) == [true, false, false])
    #expect(ranked[0].score == ranked[0].sigmoid)
    #expect(logits.ranked(labels, by: .softmax, threshold: 0)[0].score == logits.softmax[1])
    let foreign = logits.ranked(labels, by: .sigmoid, threshold: 0, isForeign: true)
    #expect(foreign.map(\.isUncertain) == [true, true, true])
  }
}
