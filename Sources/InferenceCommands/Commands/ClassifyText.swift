import Apus
import ArgumentParser
import CLibrary
import CommandSupport
import TensorCore

struct ClassifyText: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "classify-text",
    abstract: "Tells what kind of text a text is, its sentiment for example, or how well it answers a query.",
    discussion: """
      Example: apus classify-text "A joy from start to finish." --model distilbert-sst2
      Example: apus classify-text "A swift sleeps on the wing." --query "Where do swifts sleep?" --model ms-marco-MiniLM

      The model is a BERT, DistilBERT, RoBERTa, XLM-RoBERTa, MPNet, ELECTRA, ALBERT, ModernBERT or DeBERTa folder with \
      a classification head, or the name of a repository in the local Hugging Face cache; nothing is downloaded. Or it is \
      a .tflite file whose metadata name a RegexTokenizer and its vocabulary.

      Of a model that knows negative and positive texts only, an uncertain answer is what SentimentClassifierKit calls \
      neutral. Where neither the model nor --threshold states a threshold, no answer is uncertain.

      With --query, or --pairs, a model of BERT's family reads two texts together, as re-rankers and models of entailment \
      are trained to.
      """)

  @Argument(help: "Texts, or - for one on each line of standard input.")
  var texts: [String] = ["-"]

  @Option(help: "The model's folder, its name in the local Hugging Face cache, or a .tflite file.")
  var model: String

  @Option(
    help:
      """
      The labels: a line for each class, or JSON. Default: those in the model, else labels.json or labels.txt \
      beside it, else numbers.
      """)
  var labels: String?

  @Option(help: "A text that the model reads before each of the texts, as a pair with it.")
  var query: String?

  @Flag(help: "Each text is two, with a tab between them, which the model reads as a pair.")
  var pairs = false

  @Option(help: "How many classes to show. Default: all.")
  var topK: Int?

  @Option(
    help: """
      The score below which a text is uncertain, 0 to 1. Default: that of meta.json, else the \
      global_score_threshold of a .tflite file, else 0.
      """)
  var threshold: Float?

  @OptionGroup var list: ListArguments

  @OptionGroup var inference: InferenceArguments

  @Flag(help: "Print one JSON object per line for each text.")
  var json = false

  func validate() throws {
    if let topK, topK < 1 { throw ValidationError("--top-k \(topK): at least 1.") }
    if let threshold, !(0...1).contains(threshold) {
      throw ValidationError("--threshold \(threshold): a number from 0 to 1.")
    }
    if pairs, query != nil { throw ValidationError("--query and --pairs: choose one.") }
  }

  func run() async throws {
    var options = TextClassifier.Options()
    options.inference = inference.options()
    options.threshold = threshold
    options.labels = labels
    // Classes have an order, which names in a list would only seem to have.
    if let labels, labels.contains(","), !FileSystem.exists(labels) { _ = try GivenLabels(labels).file() }
    let classifier = try TextClassifier(model, options: options)
    StandardStreams.report(notes: classifier.notes)
    var report = TextReport(
      isJSON: json, areShares: classifier.meaning.givesProbabilities, classifier.computation)
    var groups = InputGroups(texts, list, size: TextReport.groupSize)
    while let group = try groups.nextTexts() {
      let inputs = group.map(input)
      var results = try await classify(inputs.compactMap { try? $0.get() }, with: classifier).makeIterator()
      for (text, input) in zip(group, inputs) {
        switch input {
        case .failure(let error):
          report.add(.init(query: query.map(FileName.readable), text: text), .failure(error))
        case .success(let input): if let result = results.next() { report.add(input, result) }
        }
      }
    }
    if let status = report.finish(footer: classifier.loadTimes.line) { throw status.code }
  }

  /// A text, or a pair of texts, as a line or an argument has it.
  private func input(_ text: String) -> Result<TextReport.Input, ApusError> {
    guard !text.isBlank else { return .failure(ApusError(.argument, "an empty text", expected: "words")) }
    guard pairs else { return .success(.init(query: query.map(FileName.readable), text: text)) }
    let parts = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else {
      return .failure(
        ApusError(.argument, "\(parts.count - 1) tabs", expected: "one, between two texts"))
    }
    return .success(.init(query: parts[0], text: parts[1]))
  }

  private func classify(
    _ inputs: [TextReport.Input], with classifier: TextClassifier
  ) async throws(ApusError) -> [Result<TextClassification, ApusError>] {
    let read = inputs.compactMap { input in input.query.map { TextPair($0, input.text) } }
    return read.count == inputs.count && !inputs.isEmpty
      ? try await classifier.results(for: read, topK: topK)
      : try await classifier.results(for: inputs.map(\.text), topK: topK)
  }
}

/// Prints the classes of texts as they come, and keeps count.
private struct TextReport {
  /// Texts that run together.
  static let groupSize = 64

  struct Input {
    /// What is read before the text; nil for a text by itself.
    let query: String?
    let text: String

    /// The members that say which input is meant.
    var members: [JSON.Member] {
      (query.map { [("query", JSON.string($0))] } ?? []) + [("text", .string(text))]
    }
  }

  let isJSON: Bool
  private let areShares: Bool
  private let computation: Computation
  private var succeeded = 0
  private var failed = 0
  /// The codes of the errors of those that failed.
  private var causes: Set<ExitStatus> = []

  /// - Parameter areShares: whether scores are shares of 1.
  init(isJSON: Bool, areShares: Bool, _ computation: Computation) {
    self.isJSON = isJSON
    self.areShares = areShares
    self.computation = computation
  }

  mutating func add(_ input: Input, _ result: Result<TextClassification, ApusError>) {
    switch result {
    case .success(let result): add(input, result)
    case .failure(let error): failure(input, error)
    }
  }

  private mutating func add(_ input: Input, _ result: TextClassification) {
    if isJSON {
      let members: [JSON.Member] =
        input.members + [
          ("predictions", PredictionTable.json(result.predictions)),
          ("uncertain", .bool(result.isUncertain)), ("tokens", .integer(result.tokenCount)),
          ("truncated", .bool(result.wasTruncated)),
          ("milliseconds", PredictionTable.milliseconds(result.times.total.milliseconds)),
          ("stages", PredictionTable.stages(result.times, ofText: true)), computation.member,
          JSON.madeBy,
        ]
      StandardStreams.print(JSON.object(members))
    } else {
      if succeeded > 0 { StandardStreams.printLine("") }
      let cut = result.wasTruncated ? ", cut to \(result.tokenCount) tokens" : ""
      let note = cut + (result.isUncertain ? ", uncertain" : "")
      let milliseconds = Format.decimal(result.times.total.milliseconds, 1)
      let texts = [input.query, input.text].compactMap { $0?.shortened(to: 80) }
      StandardStreams.printLine("\(texts.joined(separator: " | ")) (\(milliseconds) ms\(note))")
      let lines = PredictionTable.lines(
        result.predictions.map(\.named), isUncertain: result.isUncertain, areShares: areShares)
      for line in lines { StandardStreams.printLine(line) }
    }
    succeeded += 1
  }

  private mutating func failure(_ input: Input, _ error: ApusError) {
    failed += 1
    causes.insert(ExitStatus(error) ?? .badInputFile)
    if isJSON {
      StandardStreams.print(
        JSON.object(input.members + [("error", .string("\(error)")), JSON.madeBy]))
    }
    StandardStreams.report("apus: text \(succeeded + failed): \(error)")
  }

  func finish(footer: String) -> ExitStatus? {
    if !isJSON, succeeded > 0 { StandardStreams.printLine("\n\(footer)") }
    guard failed > 0 else { return nil }
    return ExitStatus(causes: causes, othersSucceeded: succeeded > 0)
  }
}
