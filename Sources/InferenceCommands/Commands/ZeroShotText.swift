import Apus
import ArgumentParser
import CommandSupport
import TensorCore

struct ZeroShotText: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zero-shot-text",
    abstract: "Scores texts against labels of your own (models of entailment).",
    discussion: """
      Example: apus zero-shot-text "The flight left an hour late." --labels "travel, cooking, sport" \
      --model MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli

      The model is a BERT-like folder trained on natural language inference, with a class named entailment, or the name of \
      one in the local Hugging Face cache; nothing is downloaded. Each label becomes a sentence, and its score says how \
      surely the text entails that sentence.
      """)

  @Argument(help: "Texts, or - to read one per line from standard input.")
  var texts: [String] = ["-"]

  @Option(help: "A model folder, or its name in the local Hugging Face cache.")
  var model: String

  @OptionGroup var labels: LabelArguments

  @Option(help: "The sentence with {} where the label goes.")
  var template = LabelHypotheses.usualTemplate

  @Flag(help: "Score each label by itself, as several may describe a text. Default: they share 100 %.")
  var multiLabel = false

  @Option(help: "Number of labels to show. Default: all.")
  var topK: Int?

  @OptionGroup var list: ListArguments

  @OptionGroup var inference: InferenceArguments

  @Flag(help: "Print one JSON object per text, one per line.")
  var json = false

  func validate() throws {
    if let topK, topK < 1 { throw ValidationError("--top-k \(topK): at least 1.") }
  }

  func run() async throws {
    let hypotheses = try LabelHypotheses(
      labels.all(), template: FileName.readable(template), allowsSeveral: multiLabel)
    var options = TextClassifier.Options()
    options.inference = inference.options()
    let classifier = try TextClassifier(model, options: options)
    StandardStreams.report(notes: classifier.notes)
    var report = TextReport(
      isJSON: json, areShares: !multiLabel && hypotheses.labels.count > 1, classifier.computation)
    var groups = InputGroups(texts, list, size: max(1, TextReport.groupSize / hypotheses.labels.count))
    while let group = try groups.nextTexts() {
      let results = try await classifier.results(for: group, by: hypotheses)
      for (text, result) in zip(group, results) {
        report.add(.init(query: nil, text: text), result.map { $0.best(topK) })
      }
    }
    if let status = report.finish(footer: classifier.loadTimes.line) { throw status.code }
  }
}

extension TextClassification {
  /// The same with its best predictions alone; nil for all.
  fileprivate func best(_ count: Int?) -> TextClassification {
    guard let count else { return self }
    var best = self
    best.keep(count)
    return best
  }
}
