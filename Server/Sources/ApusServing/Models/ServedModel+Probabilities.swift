import Apus
import Synchronization

extension ServedModel {
  /// Whether the scores of its classes are probabilities; a regression gives quantities of any size.
  /// - Throws: ``ServingError`` when it gives no classes, or cannot be opened.
  public func givesProbabilities() async throws(ServingError) -> Bool {
    if let known = areProbabilities.withLock({ $0 }) { return known }
    let found =
      tasks.contains(.imageClassification)
      ? try await opened(forms.imageClassifier).givesProbabilities
      : try await opened(forms.textClassifier).givesProbabilities
    areProbabilities.withLock { $0 = found }
    return found
  }
}
