import Apus
import ArgumentParser
import CLibrary
import CommandSupport
import Evaluation

struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Says how models differ on the same samples, whether it is more than chance, and why.",
    discussion: """
      Example: apus compare float.tflite int8.tflite --data photos --labels labels.txt
      Example: apus compare sentiment sentiment@int8 --data dev.tsv

      The first model is the baseline. A name may end in @f32, @bf16 or @int8 for the precision of the arithmetic, and \
      in @ and an instruction set, such as @avx2.

      Data: a folder with a folder for each class; a CSV or TSV file of path and label, or of text and label, with or \
      without names of columns, and with semicolons for commas as some spreadsheets write it; pictures named by \
      synset (n01440764_tench.jpg) with a file of classes; or any of these without labels, which gives agreement only.
      """)

  @Argument(help: "Two or more models: .tflite files, folders, or names in the Hugging Face cache.")
  var models: [String]

  @Option(help: ArgumentHelp("The samples: a folder, or a CSV or TSV file.", valueName: "folder-or-file"))
  var data: String

  @Option(
    help: """
      The names of the models' classes: a file with a line for each, or JSON. For models with two towers, the labels \
      themselves, divided by commas. Default: those in the models, or else those of the data.
      """)
  var labels: String?

  @Option(
    help:
      "A file that names the data's classes: index, synset and name. Default: a classes.tsv beside pictures.")
  var classes: String?

  @Option(help: "A sentence with {} where a label goes, for models with two towers; may be given again.")
  var template: [String] = []

  @Option(
    help: ArgumentHelp("How pictures are prepared. Default: each model's own way.", valueName: "profile"))
  var preprocess: String?

  @Option(
    help:
      "The numbers that pixels become, whatever the model says: bytes, zero-to-one, minus-one-to-one, imagenet."
  )
  var normalize: NormalizationRule?

  @OptionGroup var decoding: TransparencyArguments

  @Option(help: "Samples at most, drawn by --seed. Default: all.")
  var limit: Int?

  @Option(help: "What samples and the bootstrap are drawn from.")
  var seed = 1

  @Option(
    help: ArgumentHelp(
      "Say whether each model loses at most so many points of accuracy against the first, with 95 % confidence.",
      valueName: "points"))
  var margin: Double?

  @Flag(help: "Fail unless every model is within --margin of the first.")
  var assert = false

  @Option(
    help: ArgumentHelp(
      """
      Samples that go together, such as pictures of one photograph: a CSV or TSV file of sample and group, or a group on \
      each line for the samples of a list; 'copies' takes those that look or read alike. Default: each stands alone.
      """, valueName: "file"))
  var groups: String?

  @OptionGroup var threads: Threads

  @Flag(inversion: .prefixedNo, help: "Look for usual causes of bad figures.")
  var culprits = true

  @Flag(help: "Print one JSON object.")
  var json = false

  @Option(
    help: ArgumentHelp("Compare the results of each layer too, on so many samples.", valueName: "samples"))
  var layers: Int?

  @Flag(
    help: """
      Name the first operator whose error leaves a bound: 60 dB where both compute in float32, 30 dB where one computes \
      in bfloat16, 10 dB where one computes in int8.
      """
  )
  var firstDivergence = false

  @Option(help: ArgumentHelp("Write the report as a page that any browser shows.", valueName: "file"))
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

  /// What is said of models that are not within the margin.
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
