import Apus
import ArgumentParser
import CLibrary
import CommandSupport
import TensorCore

struct ClassifyText: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "classify-text",
    abstract: "Classifies texts (sentiment, topic), or scores how well they answer a query.",
    discussion: """
      Example: apus classify-text "A joy from start to finish." --model distilbert-sst2
      Example: apus classify-text "A swift sleeps on the wing." --query "Where do swifts sleep?" --model ms-marco-MiniLM

      The model is a folder with a classification head (BERT and its relatives, ModernBERT, DeBERTa, GTE, Qwen3) or a \
      Qwen3 re-ranker, the name of one in the local Hugging Face cache (nothing is downloaded), or a .tflite file whose \
      metadata name a RegexTokenizer and its vocabulary.

      If a model knows only negative and positive, an uncertain result is what SentimentClassifierKit calls neutral. \
      Without a threshold in the model or --threshold, no result is uncertain.

      --query and --pairs give a model two texts at once, as re-rankers and entailment models expect.
      """)

  @Argument(help: "Texts, or - to read one per line from standard input.")
  var texts: [String] = ["-"]

  @Option(help: "A model folder, its name in the local Hugging Face cache, or a .tflite file.")
  var model: String

  @Option(
    help:
      """
      Labels: a file with one line per class, or JSON. Default: from the model, else labels.json or labels.txt next to \
      it, else numbers.
      """)
  var labels: String?

  @Option(help: "A query, paired with each text for models that read two texts.")
  var query: String?

  @Flag(help: "Read each text as a pair: two texts separated by a tab.")
  var pairs = false

  @Option(help: "Number of classes to show. Default: all.")
  var topK: Int?

  @Option(
    help: """
      Scores below this count as uncertain, 0 to 1. Default: from meta.json, else global_score_threshold of the .tflite \
      file, else 0.
      """)
  var threshold: Float?

  @OptionGroup var list: ListArguments

  @OptionGroup var inference: InferenceArguments

  @Flag(help: "Print one JSON object per text, one per line.")
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
