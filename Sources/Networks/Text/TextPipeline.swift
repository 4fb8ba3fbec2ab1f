import Graph
import Models
import TensorCore
import Text

/// From texts to the outputs of a text model: tokens, batches without padding, runs.
package struct TextPipeline: NetworkMemory {
  let tokenizer: Tokenizer
  /// Entries of the tokenizer's files that have no effect.
  package var notes: [String] { tokenizer.notes }
  package private(set) var preparation: TextPreparation
  let truncation: Truncation
  let padding: Text.Padding?
  let runner: TextRunner
  /// Whether no token attends padding where a call does not say it.
  package private(set) var masksPadding: Bool
  private let paddingMask: PaddingMask

  /// - Parameters:
  ///   - network: of `model`, for texts.
  ///   - masksPadding: whether padding is left out of a model that attends it else.
  /// - Throws: ``ApusError`` of kind `configuration` when the network wants padding and the tokenizer has none, of
  ///   kind `unsupportedModel` when the tokenizer gives types to the tokens of one text, or its special tokens are cut,
  ///   and of kind `argument` when there is no padding to mask.
  package init(
    _ network: Network, of model: OpenedModel, options: ModelOptions, masksPadding: Bool = false
  ) throws(ApusError) {
    guard let tower = network.textTower else {
      throw ApusError(.unsupportedModel, "no network for texts", expected: "one", file: model.path)
    }
    if masksPadding {
      try naming(model.path) { () throws(ApusError) in try tower.paddingMask.requireChoice() }
    }
    (self.masksPadding, paddingMask) = (masksPadding, tower.paddingMask)
    preparation = model.preparation.texts
    let plain = try model.tokenizer()
    tokenizer = preparation.lowercases ? plain.lowercasing() : plain
    guard !tokenizer.hasTypesForSingleTexts else {
      throw ApusError(
        .unsupportedModel, "the tokens around one text have other types than 0", expected: "0",
        at: "post_processor", file: model.path)
    }
    let configuration = tokenizer.configuration
    guard configuration.maximumLength ?? .max >= tower.paddedLength ?? 0 else {
      throw ApusError(
        .unsupportedModel, "texts are cut to fewer tokens than the model was trained on",
        expected: "\(tower.paddedLength ?? 0)", at: "model_max_length", file: model.path)
    }
    let stated = preparation.maximumTokens ?? configuration.maximumLength ?? .max
    truncation = Truncation(
      maximumLength: min(tower.maximumTokens, stated),
      side: configuration.truncationSide)
    do throws(ApusError) {
      try tokenizer.requireSpecialTokens(fit: truncation.maximumLength)
    } catch {
      throw error.inFile(model.path)
    }
    padding = try tower.paddedLength.map { (length) throws(ApusError) in
      guard let id = configuration.paddingID else {
        throw ApusError(
          .configuration, "the tokenizer has no padding token",
          expected: "one: the model takes \(length) tokens",
          file: model.path)
      }
      return Text.Padding(length: length, id: id, side: configuration.paddingSide)
    }
    runner = TextRunner(tower, path: model.path, options: options)
  }

  /// A copy with padding masked, or not.
  /// - Parameter masks: nil for no change.
  /// - Throws: ``ApusError`` of kind `argument` if there is no padding to mask.
  package func masking(_ masks: Bool?) throws(ApusError) -> TextPipeline {
    guard let masks, masks != masksPadding else { return self }
    if masks { try naming(runner.path) { () throws(ApusError) in try paddingMask.requireChoice() } }
    var other = self
    other.masksPadding = masks
    return other
  }

  /// A copy with a prompt of the model before texts.
  /// - Parameter name: nil for no change.
  /// - Throws: ``ApusError``: kind `argument` where it has none of that name, `unsupportedModel` where it would have to leave
  ///   out its tokens.
  package func prompting(_ name: String?) throws(ApusError) -> TextPipeline {
    guard let name else { return self }
    var other = self
    try naming(runner.path) { () throws(ApusError) in other.preparation = try preparation.prompted(by: name) }
    return other
  }

  /// The tokens of a text as the model takes them: special ones included, cut to its limit, filled up where
  /// the model was trained on texts of one length.
  /// - Parameter side: the end that is cut off; nil for the one that the tokenizer's files name.
  package func encode(_ text: String, cutting side: TextSide? = nil) -> Encoding {
    tokenizer.encode(preparation(text), truncation: truncation(side), padding: padding)
  }

  func truncation(_ side: TextSide?) -> Truncation {
    var truncation = truncation
    if let side { truncation.side = side }
    return truncation
  }

  /// Encodes a text that must have words.
  /// - Throws: ``ApusError`` of kind `argument` for a text without any words.
  package func encode(words text: String, cutting side: TextSide? = nil) throws(ApusError) -> Encoding {
    guard !text.allSatisfy(\.isWhitespace) else {
      throw ApusError(.argument, "the text is empty", expected: "words")
    }
    return encode(text, cutting: side)
  }

  /// Tokens that somebody else made of a text, special ones included, as the model takes them: filled up where it was
  /// trained on texts of one length.
  /// - Throws: ``ApusError`` of kind `argument` when there are none, or more than the model takes.
  package func encode(tokens ids: [Int32]) throws(ApusError) -> Encoding {
    guard !ids.isEmpty, ids.count <= truncation.maximumLength else {
      throw ApusError(
        .argument, ids.isEmpty ? "no tokens" : "\(ids.count) tokens",
        expected: "1 to \(truncation.maximumLength)")
    }
    if let id = ids.first(where: { $0 < 0 || $0 >= runner.vocabularySize }) {
      throw ApusError(.argument, "the id \(id)", expected: "0 ..< \(runner.vocabularySize)")
    }
    return tokenizer.encoding(ofTokens: ids, padding: padding)
  }

  /// Tokens of a text, special ones included, at most.
  package var maximumTokens: Int { truncation.maximumLength }

  package var memory: ModelMemory { runner.memory }

  package func releaseIdleMemory() { runner.releaseIdleMemory() }

  package func takeRunTimes() -> [Duration] { runner.takeRunTimes() }

  /// Packs the weights, so that the first text finds them ready.
  package func prepare() throws(ApusError) -> Model {
    let least = encode("")
    if least.ids.isEmpty { return try runner.prepared([TokenRow([0])]).model }
    // Where nothing is left of no words, there is nothing but padding to make it ready with.
    let isPadding = masksPadding && least.content.isEmpty
    return try isPadding ? runner.prepared([TokenRow(least.ids)]).model : prepared(least).model
  }

  /// The model for one text or pair, and its inputs.
  package func prepared(_ encoding: Encoding) throws(ApusError) -> (model: Model, inputs: [Tensor]) {
    try runner.prepared([row(encoding)])
  }

  /// The network for as many tokens, before any pass, and how it is compiled.
  package func graph(_ encoding: Encoding) throws(ApusError) -> (graph: Graph, options: ModelOptions) {
    try runner.graph([row(encoding)])
  }

  /// The network's inputs for one text or pair.
  package func inputs(_ encoding: Encoding) throws(ApusError) -> [Tensor] {
    try runner.inputs([row(encoding)])
  }

  /// The model's output for each text or pair, or why it has none: such a text is left out, and the others are run.
  /// - Parameter refusing: what an input is called in the error where one that cannot be run keeps all from being run;
  ///   nil where the others are.
  /// - Throws: ``ApusError`` of kind `cancelled` or `resources`; with `refusing` the first that an input has before the
  ///   run.
  package func outputs(
    for encodings: [Result<Encoding, ApusError>], refusing: String?, isCancelled: () -> Bool
  ) throws(ApusError) -> [Result<[Float], ApusError>] {
    var outputs: [Result<[Float], ApusError>] = []
    var rows: [TokenRow] = []
    var places: [Int] = []
    for (place, encoding) in encodings.enumerated() {
      do throws(ApusError) {
        rows.append(try row(try encoding.get()))
        places.append(place)
        // Until it is run.
        outputs.append(.success([]))
      } catch {
        if let refusing { throw error.at(refusing, place, of: encodings.count) }
        outputs.append(.failure(error))
      }
    }
    let found = try runner.outputs(for: rows, isCancelled: isCancelled)
    for (place, output) in zip(places, found) { outputs[place] = output }
    return outputs
  }

  /// Finds out whether a text or pair can be run, before others are.
  /// - Throws: ``ApusError``: kind `argument` for a text of which no token is left, `malformedModel` for a token that the
  ///   model has no row for.
  package func check(_ encoding: Encoding) throws(ApusError) { _ = try row(encoding) }

  /// A text as the model takes it.
  /// - Throws: ``ApusError``: kind `argument` for a text of which no token is left, `malformedModel` for a token that the
  ///   model has no row for.
  private func row(_ encoding: Encoding) throws(ApusError) -> TokenRow {
    guard !encoding.ids.isEmpty, !masksPadding || !encoding.content.isEmpty else {
      throw ApusError(
        .argument, "the text has no tokens", expected: "one of which the tokenizer leaves something")
    }
    if let id = encoding.ids.first(where: { $0 >= runner.vocabularySize }) {
      throw ApusError(
        .malformedModel, "the tokenizer gives the id \(id)",
        expected: "0 ..< \(runner.vocabularySize), as the model has",
        advice: "Use the tokenizer that belongs to the model.")
    }
    return TokenRow(
      encoding.ids, marks: masksPadding ? encoding.attentionMask : nil, types: encoding.tokenTypes)
  }
}
