import Apus

/// A picture, and what it is scored against.
struct PictureScoring: Sendable {
  /// A picture, or its vector, computed elsewhere.
  enum Subject: Sendable {
    case picture(Picture)
    case embedding([Float])
  }

  let subject: Subject
  var picture: Picture? { if case .picture(let picture) = subject { picture } else { nil } }
  let labels: [String]?
  /// Sentences with `{}` where a label goes; nil for those that the server was started with.
  var templates: [String]?
  let reading: ZeroShotReading

  /// The scores.
  func outcome(of model: ZeroShotClassifier) async throws(ApusError) -> ZeroShotClassification {
    switch subject {
    case .picture(let picture):
      guard let templates else {
        return try await model.classify(picture, labels: labels, reading: reading)
      }
      var reading = reading
      let embedded = try await model.embed(
        labels: labels ?? model.labels, templates: templates, masksPadding: reading.masksPadding)
      reading.masksPadding = nil
      return try await model.classify(picture, among: embedded, reading: reading)
    case .embedding(let values):
      return try await model.classify(embedding: Embedding(values), labels: labels, reading: reading)
    }
  }
}
