import Apus
import ArgumentParser
import CLibrary
import CommandSupport
import TensorCore

struct ZeroShot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "zero-shot",
    abstract: "Scores pictures against labels that you write.",
    discussion: """
      Example: apus zero-shot scans/*.png --model google/medsiglip-448 \
      --labels "pneumonia, pleural effusion, normal chest x-ray"

      The model is a CLIP or SigLIP folder, or the name of a repository in the local Hugging Face cache; nothing \
      is downloaded. Its towers may be in two folders, that for pictures as --model and that for texts as --text-model. Then \
      a SigLIP needs --logit-scale and --logit-bias, which only the whole model has, and a CLIP's cosines are multiplied by \
      100 where nobody says another number.
      """)

  @Argument(help: "Files of pictures, folders, patterns such as '*.jpg', or - for a list on standard input.")
  var images: [String]

  @Option(help: "The model's folder, or its name in the local Hugging Face cache.")
  var model: String

  @Option(
    help: ArgumentHelp(
      """
      The folder of the tower for texts, or its name in the local Hugging Face cache, where --model is one for pictures alone. \
      That both belong together is not checked, but for their kind and width. calibrate and compare take no two folders.
      """, valueName: "folder"))
  var textModel: String?

  @OptionGroup var labels: LabelArguments

  @Option(help: "A sentence with the label in place of each {}; may be given again to average over several.")
  var template: [String] = []

  @Option(help: "How logits are read: softmax or sigmoid. Default: what the model was trained for.")
  var score: ZeroShotScoring?

  @Option(
    help: """
      The number that cosines are multiplied by. Another than the model's own sets aside a temperature in meta.json. Default: \
      the model's own.
      """)
  var logitScale: Float?

  @Option(help: "What is added to the products, such as --logit-bias=-10. Default: the model's own.")
  var logitBias: Float?

  @Option(
    help:
      "The score below which a picture is uncertain, 0 to 1. Default: that of meta.json in the folder, or 0.")
  var threshold: Float?

  @Flag(help: "Do not call pictures foreign, whatever meta.json in the folder says of them.")
  var acceptForeign = false

  @Flag(
    help:
      "Embed labels as a SigLIP does that is given an attention mask: padding is not attended. Default: it is."
  )
  var maskPadding = false

  @Option(help: "How many labels to show. Default: all.")
  var topK: Int?

  @Option(
    help: ArgumentHelp("How pictures are prepared. Default: what the folder says.", valueName: "profile"))
  var preprocess: String?

  @OptionGroup var list: ListArguments

  @OptionGroup var decoding: PictureArguments

  @OptionGroup var inference: InferenceArguments

  @Option(help: ArgumentHelp("Write a page with the pictures, labels and bars, too.", valueName: "file"))
  var html: String?

  @Flag(help: "Print one JSON object per line for each picture.")
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
