import CommandSupport
import Apus
import ArgumentParser
import Glibc

struct ClassifyText: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tells what kind of text a text is, its sentiment for example.",
    discussion: """
      Example: apus classify-text "A joy from start to finish." --model distilbert-sst2

      The model is a BERT, DistilBERT or RoBERTa folder with a classification head, or the name of a repository \
      in the local Hugging Face cache; nothing is downloaded. Or it is a .tflite file whose metadata name a \
      RegexTokenizer and its vocabulary.
      """)

  @Argument(help: "Texts, or - for one on each line of standard input.")
  var texts: [String] = ["-"]

  @Option(help: "The model's folder, its name in the local Hugging Face cache, or a .tflite file.")
  var model: String

  @Option(help: "How many classes to show. Default: all.")
  var topK: Int?

  @Option(help: "The score below which a text is uncertain, 0 to 1. Default: that of meta.json, else 0.")
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
  }

  func run() async throws {
    var options = TextClassifier.Options()
    options.inference = inference.options()
    options.threshold = threshold
    let classifier = try TextClassifier(model, options: options)
    var report = TextReport(isJSON: json, classifier.computation)
    for group in TextGroups(texts, list, size: TextReport.groupSize) {
      let words = group.filter { !$0.isBlank }
      var results = try await classifier.classify(words, topK: topK).makeIterator()
      for text in group {
        guard !text.isBlank, let result = results.next() else {
          report.failure(text, "an empty text")
          continue
        }
        report.add(text, result)
      }
    }
    if let status = report.finish(footer: classifier.loadMilliseconds.line) { throw status.code }
  }
}

/// Prints the classes of texts as they come, and keeps count.
private struct TextReport {
  /// Texts that run together.
  static let groupSize = 64

  let isJSON: Bool
  private let computation: Computation
  private var succeeded = 0
  private var failed = 0

  init(isJSON: Bool, _ computation: Computation) {
    self.isJSON = isJSON
    self.computation = computation
  }

  mutating func add(_ text: String, _ result: TextClassification) {
    if isJSON {
      let members: [(String, JSON)] = [
        ("text", .string(text)), ("predictions", PredictionTable.json(result.predictions)),
        ("uncertain", .bool(result.isUncertain)), ("tokens", .integer(result.tokenCount)),
        ("truncated", .bool(result.wasTruncated)),
        ("milliseconds", PredictionTable.milliseconds(result.milliseconds.total)),
        ("stages", PredictionTable.stages(result.milliseconds, decodes: false)), computation.member,
        JSON.madeBy,
      ]
      StandardStreams.printLine(JSON.object(members).text)
    } else {
      if succeeded > 0 { StandardStreams.printLine("") }
      let cut = result.wasTruncated ? ", cut to \(result.tokenCount) tokens" : ""
      let note = cut + (result.isUncertain ? ", uncertain" : "")
      let milliseconds = Format.decimal(result.milliseconds.total, 1)
      StandardStreams.printLine("\(text.shortened(to: 80)) (\(milliseconds) ms\(note))")
      for line in PredictionTable.lines(result.predictions, isUncertain: result.isUncertain) {
        StandardStreams.printLine(line)
      }
    }
    succeeded += 1
  }

  mutating func failure(_ text: String, _ problem: String) {
    failed += 1
    if isJSON {
      StandardStreams.printLine(JSON.object([("text", .string(text)), ("error", .string(problem))]).text)
    }
    StandardStreams.report("apus: text \(succeeded + failed): \(problem), expected words.")
  }

  func finish(footer: String) -> ExitStatus? {
    if !isJSON, succeeded > 0 { StandardStreams.printLine("\n\(footer)") }
    guard failed > 0 else { return nil }
    return succeeded > 0 ? .someFailed : .badInputFile
  }
}
