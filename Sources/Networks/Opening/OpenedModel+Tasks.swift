import Models
import TensorCore

/// The side of a model with two towers that is meant.
package enum ModelPart: String, Sendable, CaseIterable {
  case image, text
}

/// What a caller wants of a model, or the error that says what it is instead.
extension OpenedModel {
  /// The network that gives scores of classes, and how they are read; nil when the model does not say.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` when the model is not `expected`.
  package func classifier(
    of part: ModelPart, expected: String
  ) throws(ApusError) -> (network: Network, scoring: ClassScoring?) {
    let network = try network(for: part)
    switch (task, network) {
    case (.classifier(_, let scoring), let network?): return (network, scoring)
    case (.unstated, let network?): return (network, nil)
    default: throw refusal(expected, advice: setFitAdvice)
    }
  }

  /// The network that gives embeddings, and whether they are used at length 1.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` when the model is not `expected`.
  package func encoder(
    of part: ModelPart, expected: String
  ) throws(ApusError) -> (network: Network, normalizes: Bool) {
    let network = try network(for: part)
    switch (task, network) {
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
    guard case .dualEncoder(let comparison) = task, let image = try network(for: .image),
      let text = try network(for: .text)
    else { throw refusal(expected, advice: pairAdvice) }
    return TwoTowers(image: image, text: text, comparison: comparison, ownScale: comparison.logitScale)
  }

  /// The network that takes pictures, or texts; nil when there is none. A file has one network, which takes texts when
  /// it brings a vocabulary.
  /// - Parameter output: the position of the output that a file's network for texts has first.
  package func network(
    for part: ModelPart, readingFirst output: Int = 0
  ) throws(ApusError) -> Network? {
    guard case .file(let file) = source else { return networks.first { $0.name == part.rawValue } }
    let texts = try file.textTower(readingFirst: output).map {
      Network(.text, TextNetwork(tower: $0), path: path)
    }
    return part == .text ? texts : texts == nil ? networks[0] : nil
  }

  /// The network of that name: `image` or `text` of a folder, a signature or subgraph of a file. Nil means the only
  /// one of a folder, and the main one of a file.
  /// - Throws: ``ApusError`` of kind `argument` when there is no such one, or none is named of several.
  package func network(named name: String?) throws(ApusError) -> Network {
    switch (source, name) {
    case (.file, nil): return networks[0]
    case (.file(let file), let name?): return try Network(file, called: name)
    case (.folder, nil) where networks.count == 1: return networks[0]
    case (.folder, nil):
      throw ApusError(
        .argument, "the model has two towers", expected: "a choice of one", file: path,
        advice: "Name one: image or text (\(Setting.network)).")
    case (.folder, let name?):
      if let network = networks.first(where: { ExactText($0.name) == ExactText(name) }) { return network }
      throw ApusError(.argument, "the model has no \(name) tower", file: path)
    }
  }

  /// That the model is something else than what is wanted.
  func refusal(_ expected: String, advice: String? = nil) -> ApusError {
    ApusError(
      .unsupportedModel, "the model is \(kind)", expected: expected, file: path, advice: advice ?? use)
  }

  /// What to do with a folder of SetFit, whose classes are told by something beside the network; nil of another.
  private var setFitAdvice: String? {
    guard case .encoder = task, case .folder(let folder, _) = source,
      let file = ["model_head.pkl", "config_setfit.json"].first(where: { folder.outer.file($0) != nil })
    else { return nil }
    return
      "SetFit saves what tells the classes as a pickle (\(file) is there), which would run code when loaded and is not "
      + "read. The encoder is one for \(Doing.embedText): train another head on its vectors."
  }

  /// What takes such a model: a class of the library, and a command.
  private var use: String? {
    switch (task, takesPictures) {
    case (.classifier, true): "It is one for \(Doing.classify)."
    case (.classifier, false): "It is one for \(Doing.classifyText)."
    case (.encoder, true): "It is one for \(Doing.embedImage)."
    case (.encoder, false): "It is one for \(Doing.embedText)."
    case (.dualEncoder, _): "It is one for \(Doing.zeroShot), \(Doing.embedImage) and \(Doing.embedText)."
    case (.unstated, _): nil
    }
  }

  /// Whether a folder has a network for pictures.
  var takesPictures: Bool { networks.contains { $0.name == ModelPart.image.rawValue } }

  /// Whether the outputs are known to be scores of classes.
  package var isClassifier: Bool {
    if case .classifier = task { true } else { false }
  }

  /// What the model is, in a few words.
  package var kind: String {
    switch task {
    case .classifier: return takesPictures ? "an image classifier" : "a text classifier"
    case .encoder: return takesPictures ? "an image encoder" : "a text encoder"
    case .dualEncoder: return "an image and a text tower"
    case .unstated:
      let takesTexts = (try? network(for: .text)) != nil
      return takesTexts ? "a file for texts" : "a file without a vocabulary"
    }
  }
}
