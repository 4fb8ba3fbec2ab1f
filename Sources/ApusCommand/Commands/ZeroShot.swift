import Apus
import ArgumentParser
import Glibc
import TensorCore

struct ZeroShot: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Scores pictures against labels that you write.",
    discussion: """
      Example: apus zero-shot scans/*.png --model google/medsiglip-448 \
      --labels "pneumonia, pleural effusion, normal chest x-ray"

      The model is a CLIP or SigLIP folder, or the name of a repository in the local Hugging Face cache; nothing \
      is downloaded.
      """)

  @Argument(help: "PNG or JPEG files, folders, patterns such as '*.jpg', or - for a list on standard input.")
  var images: [String]

  @Option(help: "The model's folder, or its name in the local Hugging Face cache.")
  var model: String

  @Option(help: "The labels, divided by commas.")
  var labels: String?

  @Option(help: "One label, which may hold commas; may be given again.")
  var label: [String] = []

  @Option(help: "A sentence with {} where the label goes; may be given again to average over several.")
  var template: [String] = []

  @Option(help: "How logits are read: softmax or sigmoid. Default: what the model was trained for.")
  var score: ZeroShotScoring?

  @Option(help: "The number that cosines are multiplied by. Default: the model's own.")
  var logitScale: Float?

  @Option(help: "How many labels to show. Default: all.")
  var topK: Int?

  @Option(
    help: ArgumentHelp("How pictures are prepared. Default: what the folder says.", valueName: "profile"))
  var preprocess: String?

  @OptionGroup var list: ListArguments

  @OptionGroup var decoding: PictureArguments

  @OptionGroup var inference: InferenceArguments

  @Flag(help: "Print one JSON object per line for each picture.")
  var json = false

  func validate() throws {
    if allLabels.isEmpty { throw ValidationError("--labels: at least one label is needed.") }
    if allLabels.contains(where: \.isBlank) { throw ValidationError("--label: a label needs words.") }
    if let topK, topK < 1 { throw ValidationError("--top-k \(topK): at least 1.") }
  }

  /// Those of `--labels`, then those of `--label`.
  private var allLabels: [String] {
    let divided = (labels ?? "").split(separator: ",").map { $0.trimmed }
    return (divided.filter { !$0.isEmpty } + label).map(FileName.readable)
  }

  func run() async throws {
    let (pictures, classifier) = try PictureBatch.open(images, list, threads: inference.threads) {
      (threads) throws(ApusError) in try ZeroShotClassifier(model, options: options(threads: threads))
    }
    var report = BatchReport(isJSON: json, total: pictures.total, classifier.computation)
    for (path, error) in pictures.failures { report.failure(path, error) }
    let batch = classifier.classifications(
      of: pictures.pictures, labels: allLabels, topK: topK, width: pictures.width)
    for await item in batch { report.add(pictures.files[item.index], item.result) }
    let footer = "prepared by \(classifier.preprocessing)\n\(classifier.loadMilliseconds.line)"
    if let status = report.finish(footer: footer) { throw status.code }
  }

  private func options(threads: Int) throws(ApusError) -> ZeroShotClassifier.Options {
    var options = ZeroShotClassifier.Options()
    options.inference = inference.options(threads: threads)
    options.limits = decoding.limits
    options.image = decoding.options
    if !template.isEmpty { options.templates = template.map(FileName.readable) }
    options.scoring = score
    options.logitScale = logitScale
    if let preprocess { options.preprocessing = try PreprocessingProfile.named(preprocess) }
    return options
  }
}

extension ZeroShotScoring: ExpressibleByArgument {}
