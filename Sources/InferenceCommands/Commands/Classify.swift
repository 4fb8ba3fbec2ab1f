import Apus
import ArgumentParser
import CLibrary
import CommandSupport
import Models
import TensorCore

struct Classify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "classify",
    abstract: "Classifies pictures.",
    discussion: """
      Example: apus classify holiday/*.jpg --model mobilenet.tflite --labels labels.txt --json

      A file that cannot be read is reported; the others are still classified.
      """)

  @Argument(help: "Image files, folders, patterns such as '*.jpg', or - to read paths from standard input.")
  var images: [String]

  @Option(
    help: """
      A .tflite or .onnx file, or a folder with a \(HuggingFaceArchitecture.familyNames(.imageClassification)). Repeatable: \
      the next model is tried if one is refused.
      """)
  var model: [String]

  @Option(
    help:
      """
      Labels: a file with one line per class, or JSON. Default: from the model, else labels.json or labels.txt next to \
      it, else numbers.
      """)
  var labels: String?

  @Option(
    help: """
      A meta.json with threshold_default, input_size, preprocessing and the results of 'apus calibrate'. Default: the \
      one next to the model.
      """)
  var meta: String?

  @Option(help: "Number of classes to show.")
  var topK = 3

  @Option(
    help: """
      Scores below this count as uncertain, 0 to 1. Default: from meta.json, else global_score_threshold of the .tflite \
      file, else 0.75.
      """)
  var threshold: Float?

  @Flag(help: "Never report a picture as foreign, whatever meta.json says.")
  var acceptForeign = false

  @Option(
    help: ArgumentHelp(
      "Preprocessing profile. Default: from the model's metadata, else mobilenet-v2.",
      discussion: "One of \(PreprocessingProfile.all.map(\.name).joined(separator: ", ")).",
      valueName: "profile"))
  var preprocess: String?

  @OptionGroup var advice: AdviceArguments

  @OptionGroup var list: ListArguments

  @OptionGroup var decoding: PictureArguments

  @OptionGroup var inference: InferenceArguments

  @Option(
    help: ArgumentHelp("Also write an HTML page with the pictures and their scores.", valueName: "file"))
  var html: String?

  @Flag(help: "Print one JSON object per picture, one per line.")
  var json = false

  func validate() throws {
    if topK < 1 { throw ValidationError("--top-k \(topK): at least 1.") }
    if let threshold, !(0...1).contains(threshold) {
      throw ValidationError("--threshold \(threshold): a number from 0 to 1.")
    }
  }

  func run() async throws {
    try OutputFile.check(html)
    let (batches, classifier) = try PictureBatches.open(images, list, threads: inference.threads, classifier)
    for refused in classifier.refused {
      StandardStreams.report("apus: \(refused.reason)")
    }
    if !classifier.refused.isEmpty { StandardStreams.report("apus: using \(classifier.path) instead") }
    StandardStreams.report(notes: classifier.notes)

    var report = BatchReport(isJSON: json, classifier.computation)
    var page = PicturePageFile(html, decoding)
    var failure: ApusError?
    do throws(ApusError) {
      while let pictures = try batches.next() {
        report.begin(pictures)
        let outcomes = classifier.classifications(of: pictures.pictures, topK: topK, width: pictures.width)
        try await pictures.forEach(outcomes) { outcome in
          report.add(
            outcome.path,
            outcome.result.map {
              AdvisedClassification($0, advice, areShares: classifier.meaning.givesProbabilities)
            })
          page.add(
            outcome.path, outcome.result.map { ShownPicture.Answer($0, notes: advice.texts(for: $0)) })
        }
      }
    } catch {
      failure = error
    }
    let status = report.finish(footer: "prepared by \(classifier.preprocessing)")
    try page.write(
      PicturePage.Circumstances(
        model: classifier.path, preprocessing: classifier.preprocessing, computation: classifier.computation,
        arguments: Arguments.all), listFailure: failure)
    if let status { throw status.code }
  }

  private func classifier(threads: Int) throws(ApusError) -> ImageClassifier {
    var options = ImageClassifier.Options()
    options.labels = labels
    options.fallbacks = Array(model.dropFirst())
    options.metadata = meta
    options.threshold = threshold
    options.rejectsForeign = !acceptForeign
    options.inference = inference.options(threads: threads)
    options.limits = decoding.limits
    options.image = decoding.options
    if let preprocess { options.preprocessing = try PreprocessingProfile.named(preprocess) }
    // Classes have an order, which names in a list would only seem to have.
    if let labels, labels.contains(","), !FileSystem.exists(labels) { _ = try GivenLabels(labels).file() }
    return try ImageClassifier(model[0], options: options)
  }
}
