import Apus
import ArgumentParser
import CLibrary
import CommandSupport
import TensorCore

struct ZeroShot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zero-shot",
    abstract: "Scores pictures against labels of your own (CLIP, SigLIP).",
    discussion: """
      Example: apus zero-shot scans/*.png --model google/medsiglip-448 \
      --labels "pneumonia, pleural effusion, normal chest x-ray"

      The model is a CLIP or SigLIP folder, or the name of one in the local Hugging Face cache; nothing is downloaded. If \
      its towers are in two folders, give the picture tower as --model and the text tower as --text-model. A SigLIP then \
      also needs --logit-scale and --logit-bias, which only the whole model stores; for a CLIP the scale defaults to 100.
      """)

  @Argument(help: "Image files, folders, patterns such as '*.jpg', or - to read paths from standard input.")
  var images: [String]

  @Option(help: "A model folder, or its name in the local Hugging Face cache.")
  var model: String

  @Option(
    help: ArgumentHelp(
      """
      The text tower (a folder, or a name in the local Hugging Face cache) if --model is a picture tower alone. Apus checks \
      that kind and width match, not that the two were trained together.
      """, valueName: "folder"))
  var textModel: String?

  @OptionGroup var labels: LabelArguments

  @Option(help: "A sentence with {} wherever the label goes; repeatable, to average over several.")
  var template: [String] = []

  @Option(help: "How logits become scores: softmax or sigmoid. Default: as the model was trained.")
  var score: ZeroShotScoring?

  @Option(
    help: """
      Factor applied to cosines. A value other than the model's own disables the temperature of meta.json. Default: \
      the model's own.
      """)
  var logitScale: Float?

  @Option(help: "Bias added to the scaled cosines, such as --logit-bias=-10. Default: the model's own.")
  var logitBias: Float?

  @Option(
    help:
      "Scores below this count as uncertain, 0 to 1. Default: from the folder's meta.json, or 0.")
  var threshold: Float?

  @Flag(help: "Never report a picture as foreign, whatever the folder's meta.json says.")
  var acceptForeign = false

  @Flag(
    help:
      "Mask padding in SigLIP's text tower, as if given an attention mask. Default: padding is attended."
  )
  var maskPadding = false

  @Option(help: "Number of labels to show. Default: all.")
  var topK: Int?

  @Option(
    help: ArgumentHelp("Preprocessing profile. Default: from the model's folder.", valueName: "profile"))
  var preprocess: String?

  @OptionGroup var list: ListArguments

  @OptionGroup var decoding: PictureArguments

  @OptionGroup var inference: InferenceArguments

  @Option(
    help: ArgumentHelp("Also write an HTML page with the pictures and their scores.", valueName: "file"))
  var html: String?

  @Flag(help: "Print one JSON object per picture, one per line.")
  var json = false

  /// Labels of each picture on a page, where nobody says how many.
  private static let labelsOnPage = 6

  func validate() throws {
    if let topK, topK < 1 { throw ValidationError("--top-k \(topK): at least 1.") }
    if let threshold, !(0...1).contains(threshold) {
      throw ValidationError("--threshold \(threshold): a number from 0 to 1.")
    }
  }

  func run() async throws {
    try OutputFile.check(html)
    let labels = try labels.all()
    let (batches, classifier) = try PictureBatches.open(images, list, threads: inference.threads) {
      (threads) throws(ApusError) in try ZeroShotClassifier(model, options: options(labels, threads: threads))
    }
    StandardStreams.report(notes: classifier.notes)
    var report = BatchReport(isJSON: json, classifier.computation)
    var page = PicturePageFile(html, decoding)
    var cut: Set<ExactText> = []
    var failure: ApusError?
    do throws(ApusError) {
      while let pictures = try batches.next() {
        report.begin(pictures)
        let outcomes = classifier.classifications(
          of: pictures.pictures, labels: labels, topK: topK, width: pictures.width)
        try await pictures.forEach(outcomes) { outcome in
          cut.formUnion(
            (try? outcome.result.get())?.predictions.filter(\.wasTruncated).map { ExactText($0.label) } ?? [])
          report.add(outcome.path, outcome.result)
          page.add(
            outcome.path,
            outcome.result.map { ShownPicture.Answer($0, labels: topK ?? Self.labelsOnPage) })
        }
      }
    } catch {
      failure = error
    }
    for label in labels where cut.contains(ExactText(label)) {
      StandardStreams.report(
        "apus: a label is longer than the model takes, and was cut: '\(label.shortened(to: 60))'")
    }
    let footer = "prepared by \(classifier.preprocessing)\n\(classifier.loadTimes.line)"
    let status = report.finish(footer: footer)
    try page.write(
      PicturePage.Circumstances(
        model: classifier.path, textModel: textModel == nil ? nil : classifier.textPath,
        preprocessing: classifier.preprocessing, computation: classifier.computation, labels: labels,
        cutLabels: labels.filter { cut.contains(ExactText($0)) }, arguments: Arguments.all),
      listFailure: failure)
    if let status { throw status.code }
  }

  private func options(_ labels: [String], threads: Int) throws(ApusError) -> ZeroShotClassifier.Options {
    var options = ZeroShotClassifier.Options(labels: labels, threshold: threshold)
    options.inference = inference.options(threads: threads)
    options.limits = decoding.limits
    options.image = decoding.options
    if !template.isEmpty { options.templates = template.map(FileName.readable) }
    options.scoring = score
    options.rejectsForeign = !acceptForeign
    options.masksPadding = maskPadding
    options.textModel = textModel
    options.logitScale = logitScale
    options.logitBias = logitBias
    if let preprocess { options.preprocessing = try PreprocessingProfile.named(preprocess) }
    return options
  }
}

extension ZeroShotScoring: ExpressibleByArgument {}
