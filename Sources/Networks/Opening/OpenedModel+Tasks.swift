import Models
import TensorCore

/// The side of a model with two towers that is meant.
package enum ModelPart: String, Sendable, CaseIterable {
  case image, text
}

/// The parts of a model for a task, or an error that says what the model is instead.
extension OpenedModel {
  /// The network that gives scores of classes, and how they are read; nil when the model does not say.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` when the model is not `expected`.
  package func classifier(
    of part: ModelPart, expected: String
  ) throws(ApusError) -> (network: Network, scoring: ClassScoring?) {
    let network = try network(for: part)
    switch (outputs, network) {
    case (.classifier(_, let scoring), let network?): return (network, scoring)
    case (.unstated, let network?): return (network, nil)
    default: throw refusal(expected, advice: classAdvice)
    }
  }

  /// The network that gives embeddings, and whether they are used at length 1.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` when the model is not `expected`.
  package func encoder(
    of part: ModelPart, expected: String
  ) throws(ApusError) -> (network: Network, normalizes: Bool) {
    let network = try network(for: part)
    switch (outputs, network) {
    case (.dualEncoder(let comparison), let network?): return (network, comparison.normalizes)
    case (.encoder(let normalizes), let network?): return (network, normalizes)
    case (.unstated, let network?): return (network, false)
    default: throw refusal(expected)
    }
  }

  /// Both towers, and how their embeddings are compared.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` when the model is not `expected`.
  package func dualEncoder(
    expected: String
  ) throws(ApusError) -> TwoTowers {
    guard case .dualEncoder(let comparison) = outputs, let image = try network(for: .image),
      let text = try network(for: .text)
    else { throw refusal(expected, advice: pairAdvice) }
    return TwoTowers(image: image, text: text, comparison: comparison, ownScale: comparison.scale)
  }

  /// The network that takes pictures, or texts; nil when there is none.
  /// - Parameter output: the position of the output that a network for texts has first.
  package func network(
    for part: ModelPart, readingFirst output: Int = 0
  ) throws(ApusError) -> Network? {
    try form.network(for: part, readingFirst: output)
  }

  /// That the model is something else than what is wanted.
  func refusal(_ expected: String, advice: String? = nil) -> ApusError {
    ApusError(
      .unsupportedModel, "the model is \(kind)", expected: expected, file: path, advice: advice ?? use)
  }

  /// Advice for an encoder whose classes are not in the network; nil for others.
  private var classAdvice: String? {
    guard case .encoder = outputs, let unread = form.unreadClasses else { return nil }
    return "\(unread) The encoder is one for \(Doing.embedText): train another head on its vectors."
  }

  /// The class of the library and the command for such a model.
  private var use: String? {
    switch (outputs, takesPictures) {
    case (.classifier, true): "It is one for \(Doing.classify)."
    case (.classifier, false): "It is one for \(Doing.classifyText)."
    case (.encoder, true): "It is one for \(Doing.embedImage)."
    case (.encoder, false): "It is one for \(Doing.embedText)."
    case (.dualEncoder, _): "It is one for \(Doing.zeroShot), \(Doing.embedImage) and \(Doing.embedText)."
    case (.unstated, _): nil
    }
  }
}

extension ModelForm {
  /// Whether a folder has a network for pictures.
  var takesPictures: Bool { networks.contains { $0.name == ModelPart.image.rawValue } }

  /// Whether the outputs are known to be scores of classes.
  package var isClassifier: Bool {
    if case .classifier = outputs { true } else { false }
  }

  /// The kind of model, in a few words.
  package var kind: String {
    switch outputs {
    case .classifier: return takesPictures ? "an image classifier" : "a text classifier"
    case .encoder: return takesPictures ? "an image encoder" : "a text encoder"
    case .dualEncoder: return "an image and a text tower"
    case .unstated:
      let takesTexts = (try? network(for: .text, readingFirst: 0)) != nil
      return takesTexts ? "a file for texts" : "a file without a vocabulary"
    }
  }
}
