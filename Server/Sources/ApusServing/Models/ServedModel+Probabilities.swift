import Apus

extension ServedModel {
  /// Whether the scores of its classes are probabilities; a regression gives quantities of any size.
  /// - Throws: ``ServingError`` when it gives no classes, or cannot be opened.
  public func givesProbabilities() async throws(ServingError) -> Bool {
    if tasks.contains(.imageClassification) {
      return try await opened(forms.imageClassifier).givesProbabilities
    }
    return try await opened(forms.textClassifier).givesProbabilities
  }
}
