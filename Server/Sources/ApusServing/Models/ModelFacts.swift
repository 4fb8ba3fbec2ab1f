import Apus

/// What is known of a model that is open.
public struct ModelFacts: Sendable, Hashable {
  /// Tokens of a text at most, special ones included; nil for a model without texts.
  public internal(set) var maximumTokens: Int?
  /// Values of a vector; nil for a model that gives none.
  public internal(set) var embeddingWidth: Int?
  /// Whether its vectors have length 1 when nobody asks for something else.
  public internal(set) var normalizesEmbeddings = false
  /// The names of a classifier's classes, or the labels that the server was started with.
  public internal(set) var labels: [String]?
  /// What it is computed with, in words: the precision and the kernels.
  public internal(set) var computation: String?
}

extension ServedModel {
  /// What is known of it. It is opened for that.
  /// - Throws: ``ServingError`` when it cannot be opened.
  public func facts() async throws(ServingError) -> ModelFacts {
    var facts = ModelFacts()
    if tasks.contains(.textEmbedding) {
      let model = try await opened(forms.textEmbedder)
      facts.maximumTokens = model.maximumTokens
      facts.embeddingWidth = model.width
      facts.normalizesEmbeddings = model.normalizes
      facts.computation = model.computation.description
    }
    if tasks.contains(.imageEmbedding) {
      let model = try await opened(forms.imageEmbedder)
      facts.embeddingWidth = model.width
      facts.normalizesEmbeddings = model.normalizes
      facts.computation = facts.computation ?? model.computation.description
    }
    if tasks.contains(.textClassification) {
      let model = try await opened(forms.textClassifier)
      facts.maximumTokens = model.maximumTokens
      facts.labels = model.labels
      facts.computation = model.computation.description
    }
    if tasks.contains(.imageClassification) {
      let model = try await opened(forms.imageClassifier)
      facts.labels = model.labels
      facts.computation = model.computation.description
    }
    if tasks.contains(.zeroShot) { facts.labels = try await opened(forms.zeroShotClassifier).labels }
    return facts
  }
}
