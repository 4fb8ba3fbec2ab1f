import Apus
import ArgumentParser
import CLibrary
import CommandSupport
import Evaluation

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract:
      "Compares models on the same samples: accuracy, whether a difference is significant, and likely causes.",
    discussion: """
      Example: apus compare float.tflite int8.tflite --data photos --labels labels.txt
      Example: apus compare sentiment sentiment@int8 --data dev.tsv

      The first model is the baseline. Append @f32, @bf16 or @int8 to a name to choose the precision, @ with an \
      instruction set, such as @avx2, to choose the kernels, and @variant=quantized to choose among a folder's ONNX files.

      Data: a folder with a folder for each class; a CSV or TSV file of path and label, or of text and label, with or \
      without names of columns, and with semicolons for commas as some spreadsheets write it; pictures named by \
      synset (n01440764_tench.jpg) with a file of classes; or any of these without labels, which gives agreement only.
      """)

  @Argument(help: "Two or more models: .tflite or .onnx files, folders, or names in the Hugging Face cache.")
  var models: [String]

  @Option(help: ArgumentHelp("The samples: a folder, or a CSV or TSV file.", valueName: "folder-or-file"))
  var data: String

  @Option(
    help: """
      Class names: a file with one per line, or JSON. For two-tower models, the labels separated by commas. Default: \
      from the models, else from the data.
      """)
  var labels: String?

  @Option(
    help:
      "A file that names the data's classes: index, synset and name. Default: a classes.tsv beside pictures.")
  var classes: String?

  @Option(help: "A sentence with {} where the label goes, for two-tower models; repeatable.")
  var template: [String] = []

  @Option(
    help: ArgumentHelp(
      "Preprocessing profile for all models. Default: each model's own.", valueName: "profile"))
  var preprocess: String?

  @Option(
    help:
      "Override how pixels are normalised: bytes, zero-to-one, minus-one-to-one or imagenet."
  )
  var normalize: NormalizationRule?

  @OptionGroup var decoding: TransparencyArguments

  @Option(help: "Maximum number of samples, drawn at random by --seed. Default: all.")
  var limit: Int?

  @Option(help: "Seed for drawing samples and for the bootstrap.")
  var seed = 1

  @Option(
    help: ArgumentHelp(
      "Test whether each model loses at most this many points of accuracy to the first, at 95 % confidence.",
      valueName: "points"))
  var margin: Double?

  @Flag(help: "Fail unless every model is within --margin of the first.")
  var assert = false

  @Option(
    help: ArgumentHelp(
      """
      Samples that are not independent, such as crops of one photograph: a CSV or TSV file of sample and group, or one \
      group per line in the order of the samples; 'copies' groups near-duplicates. Default: all independent.
      """, valueName: "file"))
  var groups: String?

  @OptionGroup var threads: Threads

  @Flag(inversion: .prefixedNo, help: "Look for common causes of bad results.")
  var culprits = true

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(
    help: ArgumentHelp("Also compare the output of each layer, on this many samples.", valueName: "samples"))
  var layers: Int?

  @Flag(
    help: """
      Report the first operator whose signal-to-error ratio falls below a bound: 60 dB if both compute in float32, 30 dB \
      if one uses bfloat16, 10 dB if one uses int8.
      """
  )
  var firstDivergence = false

  @Option(help: ArgumentHelp("Write the report as an HTML page.", valueName: "file"))
  var html: String?

  /// Samples for `--first-divergence` alone.
  private static let usualLayerSamples = 4

  func validate() throws {
    if models.count < 2 { throw ValidationError("At least two models are needed.") }
    if seed < 0 { throw ValidationError("--seed \(seed): at least 0.") }
    if let margin, !(margin > 0 && margin < 100) {
      throw ValidationError("--margin \(margin): more than 0 points, less than 100.")
    }
    if assert, margin == nil { throw ValidationError("--assert needs --margin.") }
    if let layers, layers < 1 { throw ValidationError("--layers \(layers): at least 1.") }
    if let limit, limit < 1 { throw ValidationError("--limit \(limit): at least 1.") }
  }

  func run() throws {
    try OutputFile.check(html)
    let comparison = try Comparison(options())
    StandardStreams.report(notes: comparison.notes)
    var progress = Progress(total: comparison.sampleCount, unit: "samples")
    let report = try comparison.run { _, _ in progress.advance() }
    progress.clear()
    for skipped in report.data.skipped { StandardStreams.report("apus: \(skipped.reason)") }
    let failures = try assert ? failures(report) : []
    if json {
      StandardStreams.print(report.json(failure: failures.first), withFormerKeys: true)
    } else {
      for line in ComparisonText(report).lines { StandardStreams.printLine(line.printableLines) }
    }
    if let html {
      try OutputFile.write(Array(FileName.readable(ComparisonPage(report).html()).utf8), to: html)
    }
    if !report.data.skipped.isEmpty {
      let count = report.data.skipped.count
      StandardStreams.report("apus: \(count.counted("sample")) \(count == 1 ? "was" : "were") left out")
      throw ExitStatus.someFailed.code
    }
    for failure in failures { StandardStreams.report("apus: \(failure)") }
    if !failures.isEmpty { throw ExitStatus.someFailed.code }
  }

  /// Messages for models that are not within the margin.
  private func failures(_ report: ComparisonReport) throws(ApusError) -> [String] {
    guard report.data.isLabelled else {
      throw ApusError(
        .argument, "--assert without labels", expected: "samples whose classes are known", file: data)
    }
    return report.pairs.filter { $0.margin?.outcome != .within }.map {
      "\(report.models[$0.other].name): \($0.marginSentence ?? "")"
    }
  }

  private func options() throws(ApusError) -> Comparison.Options {
    var options = Comparison.Options(models: models, data: data)
    options.classes = classes
    options.labels = labels.map(GivenLabels.init)
    options.templates = template.map(FileName.readable)
    if let preprocess { options.profile = try PreprocessingProfile.named(preprocess) }
    options.normalization = normalize?.normalization
    options.transparency = decoding.transparency
    options.limit = limit
    options.margin = margin.map { $0 / 100 }
    options.groups = groups.map { $0 == "copies" && !FileSystem.isFile($0) ? .copies : .file($0) }
    options.seed = UInt64(clamping: seed)
    options.threads = threads.resolve()
    options.looksForCulprits = culprits
    options.layerSamples = layers ?? (firstDivergence ? Self.usualLayerSamples : nil)
    options.findsDivergence = firstDivergence
    options.arguments = Arguments.all
    return options
  }
}

extension NormalizationRule: ExpressibleByArgument {}
