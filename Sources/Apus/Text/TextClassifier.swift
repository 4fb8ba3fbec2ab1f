import Formats
import Networks
import TensorCore
import Text

/// Tells what kind of text a text is: its sentiment, with most models. Or how well two texts go together, with a model
/// that was trained on pairs, such as a re-ranker.
///
///     let classifier = try await TextClassifier.load("distilbert-base-uncased-finetuned-sst-2-english")
///     let result = try await classifier.classify("A joy from start to finish.")
///     print(result.predictions[0].label, result.predictions[0].score)
///
///     let ranker = try await TextClassifier.load("cross-encoder/ms-marco-MiniLM-L6-v2")
///     let answer = TextPair("Where do swifts sleep?", "A swift sleeps on the wing.")
///     print(try await ranker.classify(answer).predictions[0].score)
public final class TextClassifier: InferenceModel {
  let texts: TextPipeline
  /// The meaning of the outputs.
  package let meaning: ScoreMeaning
  /// The calibration in the model's metadata.
  let calibration: ScoreCalibration?
  private let classes: ClassLabels
  /// The score below which a class is uncertain.
  public let threshold: Float
  /// The threshold, if the output is a probability or the caller set one; nil otherwise.
  package let lowestScore: Float?
  /// The divisor of logits before they become scores: 1 if no `meta.json` states one.
  public let temperature: Float
  /// The folder in use.
  public let path: String
  /// The arithmetic and kernels it runs on.
  public let computation: Computation
  /// Files beside the model that were ignored although their names are read, and why, such as a `labels.json` with another
  /// number of classes; and entries of the tokenizer's files that have no effect.
  public let notes: [String]
  /// The time that each part of loading took.
  public let loadTimes: LoadTimes

  /// Opens a folder with a BERT, DistilBERT, RoBERTa, XLM-RoBERTa, MPNet, ELECTRA, ALBERT, ModernBERT or DeBERTa for
  /// sequence classification; or a `.tflite` file whose metadata name a RegexTokenizer, with the vocabulary in its archive. Of
  /// several outputs of a file that one counts which has the scores, as of ``ImageClassifier/init(_:options:)``.
  /// - Throws: ``ApusError``: kind `file` when a file cannot be read, `malformedModel`, `unsupportedModel` or
  ///   `configuration` when the model cannot be used, `argument` for an option.
  public convenience init(_ model: String, options: Options = Options()) throws(ApusError) {
    var loading = Loading()
    try self.init(model, options, &loading)
  }

  /// Opens the model like the initialiser, and reports progress: a program may show it, and cancel before the next stage.
  /// - Parameters:
  ///   - model: a folder, a file, or a name in the local Hugging Face cache.
  ///   - options: the settings of the model.
  ///   - progress: told of every stage as it begins, on the calling thread, and at the end.
  ///   - isCancelled: asked before each stage.
  public convenience init(
    _ model: String, options: Options, progress: ((LoadProgress) -> Void)?,
    until isCancelled: @escaping () -> Bool
  ) throws(ApusError) {
    var loading = Loading(report: progress, isCancelled: isCancelled)
    try self.init(model, options, &loading)
    progress?(LoadProgress(stage: nil, fractionCompleted: 1))
  }

  /// Opens the model without blocking a thread of the caller's executor; see ``InferenceModel/load(_:options:progress:)``.
  public static func load(
    _ model: String, options: Options = Options(), progress: (@Sendable (LoadProgress) -> Void)? = nil
  ) async throws(ApusError) -> TextClassifier {
    try await Loading.inBackground(progress) { (loading) throws(ApusError) in
      try TextClassifier(model, options, &loading)
    }
  }

  private init(_ model: String, _ options: Options, _ loading: inout Loading) throws(ApusError) {
    try options.validate()
    let opened = try loading.open(model, options.inference, then: [.tokenizer, .text])
    let (stated, scoring) = try opened.classifier(of: .text, expected: "one for sequence classification")
    let output = try Self.scoreOutput(of: stated, opened, labels: options.labels)
    let network = try output > 0 ? opened.network(for: .text, readingFirst: output) ?? stated : stated
    let (texts, first) = try loading.texts(network, of: opened, options.inference)
    self.texts = texts
    computation = Computation(first.compiled, part: network.name)
    loadTimes = loading.times
    classes = try ClassLabels(
      path: options.labels, model: opened, ofOutput: output,
      classCount: first.outputs[0].type.shape.dimensions.last ?? 0)
    calibration = try opened.scoreCalibration(ofOutput: output, classCount: classes.names.count)
    meaning =
      scoring.map(ScoreMeaning.init)
      ?? ScoreMeaning(
        ofOutput: 0, classCount: classes.names.count, of: first.compiled.graph,
        isCalibrated: calibration != nil)
    path = opened.path
    let beside = try opened.preparation.textMetadata()
    let metadata = beside.content
    notes = texts.notes + beside.notes + classes.notes
    let shown = try opened.form.scoreThreshold(ofOutput: output)
    threshold = options.threshold ?? metadata?.threshold ?? shown ?? 0
    lowestScore = options.threshold ?? (meaning.givesProbabilities ? threshold : nil)
    temperature = metadata?.temperature ?? 1
  }

  /// The position of the output with the scores; a folder has one output, for which no graph is built.
  private static func scoreOutput(
    of network: Network, _ opened: OpenedModel, labels: String?
  ) throws(ApusError) -> Int {
    guard case .unstated = opened.outputs else { return 0 }
    return try ScoreOutput.position(in: network.graph(), of: opened, labels: labels)
  }

  /// The names of the classes, by their index; the index itself for a class without one. A name that a
  /// configuration leaves empty is empty.
  public var labels: [String] { classes.names }
  /// Whether scores are probabilities; a regression gives quantities of any size.
  public var givesProbabilities: Bool { meaning.givesProbabilities }

  /// The labels to show: the number of a class if its name is empty.
  package var shownLabels: [String] { classes.shown }

  /// Tokens of a text, special ones included, at most; what is beyond is cut.
  public var maximumTokens: Int { texts.maximumTokens }

  /// Whether it takes pairs of texts: one of BERT's family does, whatever it was trained on; a `.tflite` file does not.
  public var takesPairs: Bool { texts.takesPairs }

  /// Bytes it holds in memory now.
  public var memory: ModelMemory { texts.memory }

  /// Gives back the memory that runs left for the next ones.
  public func releaseIdleMemory() { texts.releaseIdleMemory() }

  /// How long each run of its networks took that ended since this was last asked.
  public func takeRunTimes() -> [Duration] { texts.takeRunTimes() }

  func inference(_ topK: Int?) -> Inference<[String], [TextClassification]> {
    textInference(topK, refusing: "text").allTogether(naming: "text")
  }

  func pairInference(_ topK: Int?) -> Inference<[TextPair], [TextClassification]> {
    pairInference(topK, refusing: "pair").allTogether(naming: "pair")
  }

  func encodingInference(_ topK: Int?) -> Inference<[Encoding], [TextClassification]> {
    let each: Inference<[Encoding], [Result<TextClassification, ApusError>]> = Inference {
      (texts, isCancelled) throws(ApusError) in
      try self.classify(
        texts.map { .success($0) }, topK, refusing: "text", tokenize: 0, isCancelled: isCancelled)
    }
    return each.allTogether(naming: "text")
  }

  /// The result of each text; a failing text does not stop the others.
  func eachInference(_ topK: Int?) -> Inference<[String], [Result<TextClassification, ApusError>]> {
    textInference(topK, refusing: nil)
  }

  /// The results of pairs.
  func eachPairInference(_ topK: Int?) -> Inference<[TextPair], [Result<TextClassification, ApusError>]> {
    pairInference(topK, refusing: nil)
  }

  private func textInference(
    _ topK: Int?, refusing: String?
  ) -> Inference<[String], [Result<TextClassification, ApusError>]> {
    inference(topK, refusing) { (text: String) throws(ApusError) in try self.texts.encode(words: text) }
  }

  private func pairInference(
    _ topK: Int?, refusing: String?
  ) -> Inference<[TextPair], [Result<TextClassification, ApusError>]> {
    inference(topK, refusing) { (pair: TextPair) throws(ApusError) in try self.texts.encode(pair) }
  }

  private func inference<Input: Sendable>(
    _ topK: Int?, _ refusing: String?,
    _ encode: @escaping @Sendable (Input) throws(ApusError) -> Encoding
  ) -> Inference<[Input], [Result<TextClassification, ApusError>]> {
    Inference { (inputs, isCancelled) throws(ApusError) in
      var watch = Stopwatch()
      let encodings = inputs.map { input in
        Result { () throws(ApusError) -> Encoding in try encode(input) }
      }
      return try self.classify(
        encodings, topK, refusing: refusing, tokenize: watch.lap(), isCancelled: isCancelled)
    }
  }

  /// - Parameters:
  ///   - refusing: what a text is called that keeps all from being run; nil where the others are.
  ///   - tokenize: the milliseconds that encoding all the texts took.
  /// - Throws: ``ApusError`` of kind `cancelled`, `resources`, or `argument` for `topK`; with `refusing`, the error of the
  ///   first text that cannot be run.
  private func classify(
    _ encodings: [Result<Encoding, ApusError>], _ topK: Int?, refusing: String?, tokenize: Double,
    isCancelled: () -> Bool
  ) throws(ApusError) -> [Result<TextClassification, ApusError>] {
    _ = try TopK.checked(topK)
    var watch = Stopwatch()
    let outputs = try texts.outputs(for: encodings, refusing: refusing, isCancelled: isCancelled)
    let ran = outputs.count(where: { (try? $0.get()) != nil })
    let run = watch.lap() / Double(max(ran, 1))
    let tokenize = tokenize / Double(max(encodings.count, 1))
    var results: [Result<TextClassification, ApusError>] = []
    for (encoding, output) in zip(encodings, outputs) {
      do throws(ApusError) {
        let tokens = try encoding.get()
        let values = try output.get()
        let scores = try ClassScores(
          values, meaning: meaning, temperature: temperature, calibration: calibration, model: path)
        let predictions = try classes.predictions(scores, topK, threshold: lowestScore)
        let result = TextClassification(
          predictions: predictions, outputs: values,
          isUncertain: predictions.first?.isUncertain ?? true,
          tokenCount: tokens.ids.count, wasTruncated: tokens.wasTruncated,
          times: StageTimes(tokenize: tokenize, run: run, rank: watch.lap()))
        results.append(.success(result))
      } catch {
        results.append(.failure(error))
      }
    }
    return results
  }
}
