import Apus

extension ServedModel {
  /// Whether the scores of its classes are probabilities; a regression gives quantities of any size. To be asked before a
  /// request's items are scored: an error is that of the request, and counts as its failure.
  /// - Throws: ``ServingError`` when it gives no classes, or cannot be opened.
  public func givesProbabilities() async throws(ServingError) -> Bool {
    try await failing { () async throws(ServingError) -> Bool in
      guard let areProbabilities else { return try await openedGivesProbabilities() }
      return try await areProbabilities.value { () async throws(ServingError) -> Bool in
        try await openedGivesProbabilities()
      }
    }
  }

  private func openedGivesProbabilities() async throws(ServingError) -> Bool {
    guard tasks.contains(.imageClassification) else {
      return try await opened(forms.textClassifier).givesProbabilities
    }
    return try await opened(forms.imageClassifier).givesProbabilities
  }
}
