import Apus
import ApusServing

/// What came of an item, so that two are equal only where every bit is.
enum ItemOutcome: Equatable {
  /// The bit patterns of its numbers, and what is said besides: labels, indices, flags.
  case result([UInt32], [String])
  case refused(ServingError.Kind)

  init<Value>(_ result: Result<Value, ServingError>, _ make: (Value) -> ItemOutcome) {
    switch result {
    case .success(let value): self = make(value)
    case .failure(let error): self = .refused(error.kind)
    }
  }

  var isResult: Bool { if case .result = self { true } else { false } }

  /// What the library does with an item alone.
  static func of(_ body: () async throws(ApusError) -> ItemOutcome) async -> ItemOutcome {
    do throws(ApusError) { return try await body() } catch { return .refused(ServingError(error).kind) }
  }
}

extension ItemOutcome {
  init(_ embedding: TextEmbedding) {
    self.init(embedding.values, "\(embedding.tokenCount) tokens", "cut: \(embedding.wasTruncated)")
  }

  init(_ embedding: Embedding, _ encoding: Encoding, isCut: Bool = false) {
    let wasTruncated = isCut || embedding.wasTruncated
    self.init(embedding.values, "\(encoding.content.count) tokens", "cut: \(wasTruncated)")
  }

  init(_ embedding: Embedding) { self.init(embedding.values, "\(embedding.damage ?? "whole")") }

  init(_ classification: TextClassification) {
    self.init(
      classification.predictions, classification.isUncertain,
      "\(classification.tokenCount) tokens, cut: \(classification.wasTruncated)")
  }

  init(_ classification: Classification) {
    self.init(
      classification.predictions, classification.isUncertain,
      "\(classification.damage ?? "whole"), \(classification.preprocessing)")
  }

  init(_ classification: ZeroShotClassification) {
    let predictions = classification.predictions
    self = .result(
      predictions.flatMap { [$0.score, $0.logit, $0.softmax, $0.sigmoid].map(\.bitPattern) },
      predictions.map { "\($0.index) \($0.label), uncertain: \($0.isUncertain), cut: \($0.wasTruncated)" } + [
        "uncertain: \(classification.isUncertain), \(classification.scoring), \(classification.damage ?? "whole")",
        classification.preprocessing ?? "none",
      ])
  }

  private init(_ values: [Float], _ words: String...) { self = .result(values.map(\.bitPattern), words) }

  private init(_ predictions: [Prediction], _ isUncertain: Bool, _ words: String) {
    self = .result(
      predictions.map(\.score.bitPattern),
      predictions.map { "\($0.index) \($0.label), uncertain: \($0.isUncertain)" } + [
        "uncertain: \(isUncertain), \(words)"
      ])
  }
}
