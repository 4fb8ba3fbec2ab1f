import Apus
import ApusServing
import ArgumentParser
import CLibrary

extension ZeroShotScoring: @retroactive ExpressibleByArgument {}

extension ImageOptions.Transparency: @retroactive ExpressibleByArgument {}

/// The models that are served.
struct ModelArguments: ParsableArguments {
  /// What a model is given as.
  static let form = "[NAME=]MODEL[@PRECISION]"

  @Option(
    name: [.customShort("m"), .long],
    help: ArgumentHelp(
      "A model: a .tflite file, a folder, or the name of a repository in the local Hugging Face cache; @int8, @bf16 or "
        + "@f32 appended for the precision. Repeatable; requests that name no model get the first one that can do "
        + "the task. Not needed with --photos.", valueName: ModelArguments.form))
  var model: [String] = []

  @Option(
    help: ArgumentHelp(
      "The text tower (a folder, or a name in the local Hugging Face cache) if the only --model is a CLIP or SigLIP "
        + "picture tower alone. For several models use 'text_model' in the --models file.",
      valueName: "folder"))
  var textModel: String?

  @Option(
    help: ArgumentHelp(
      "A JSON file with more models, each with settings of its own: {\"models\": [{\"path\": \"leaf.tflite\", \"threshold\": "
        + "0.8}]}. Options given here are the defaults of its entries.", valueName: "file"))
  var models: [String] = []

  @Option(
    help: ArgumentHelp("Threads per run. Default: one per processor.", valueName: "n"))
  var threads: Int?

  @Option(
    help: ArgumentHelp(
      "File of labels, one per line, for zero-shot requests that bring none.",
      valueName: "file"))
  var zeroShotLabels: String?

  @Option(
    help: ArgumentHelp(
      "A sentence with {} where a zero-shot label goes; repeatable, to average over several.",
      valueName: "text"))
  var template: [String] = []

  @Option(
    help:
      "How zero-shot logits become scores: softmax or sigmoid. Default: as the model was trained.")
  var score: ZeroShotScoring?

  @Option(help: "Factor applied to zero-shot cosines. Default: the model's own.")
  var logitScale: Float?

  @Option(help: "Bias added to the scaled cosines, such as --logit-bias=-10. Default: the model's own.")
  var logitBias: Float?

  @Flag(
    help: ArgumentHelp(
      "Mask padding in SigLIP's text tower, as if it were given an attention mask. For several models use "
        + "'mask_padding' in the --models file. Default: padding is attended, as in training."))
  var maskPadding = false

  @Option(
    help: ArgumentHelp(
      "Scores below this count as uncertain. Default: each model's own.",
      valueName: "0…1"))
  var threshold: Float?

  @Option(
    help: ArgumentHelp(
      "How transparent pixels are shown to models.",
      discussion: """
        ignored keeps their stored colour; white, black or a colour such as 80a0ff blends them over it. The image processors \
        of transformers blend over white.
        """,
      valueName: "colour"))
  var transparency = ImageOptions.Transparency.ignored

  @Option(
    help: ArgumentHelp(
      "Latency target per request, in milliseconds; misses are counted and logged.", valueName: "ms"))
  var target: Double?

  @Option(help: ArgumentHelp("Seconds a model stays in memory after its last use.", valueName: "s"))
  var keepAlive: Double?

  @Flag(help: "Open models when they are first asked for.")
  var lazy = false

  func validate() throws {
    guard models.count <= 1 else {
      throw ValidationError("--models \(models[1]): there is one file of models, and it is \(models[0]).")
    }
    if let threads, threads < 1 {
      throw ValidationError("--threads \(threads): it takes at least 1 thread.")
    }
    if let threshold, !(0...1).contains(threshold) {
      throw ValidationError("--threshold \(threshold): a number from 0 to 1.")
    }
    for (name, number) in [("--logit-scale", logitScale), ("--logit-bias", logitBias)] {
      if let number, !number.isFinite { throw ValidationError("\(name) \(number): a finite number.") }
    }
    if let textModel, model.count != 1 {
      throw ValidationError(
        "--text-model \(textModel): it belongs to one --model, and there are \(model.count). Of several, 'text_model' in the "
          + "file of --models says it.")
    }
    if maskPadding, model.count != 1 {
      throw ValidationError(
        "--mask-padding: it is for one --model, and there are \(model.count). Of several, 'mask_padding' in the file of "
          + "--models says it.")
    }
    if let text = template.first(where: { !$0.contains("{}") }) {
      throw ValidationError("--template \(text): {} is missing, where the label goes.")
    }
    // What is no such number, NaN among it, is no duration either.
    let times = [("--target", target), ("--keep-alive", keepAlive)]
    for (name, time) in times {
      if let time, !(time >= 0 && time < 1e9) {
        throw ValidationError("\(name) \(time): a number from 0, below 1e9.")
      }
    }
  }

  /// The models of the command line, then those of the file.
  func options() throws -> [ServedModelOptions] {
    let labels = try zeroShotLabels.map(Self.labels) ?? []
    let given = try model.map { text in
      var options = try Self.options(of: text)
      apply(to: &options, labels)
      options.textModel = textModel
      options.masksPadding = maskPadding
      return options
    }
    guard let models = models.first else { return given }
    let others = try ModelsFile.models(in: models, beside: given.map(\.name)) { apply(to: &$0, labels) }
    return given + others
  }

  /// What holds for every model.
  /// - Parameter labels: those of ``zeroShotLabels``.
  private func apply(to options: inout ServedModelOptions, _ labels: [String]) {
    options.inference.threads = threads
    options.zeroShotLabels = labels
    options.threshold = threshold
    options.transparency = transparency
    if !template.isEmpty { options.templates = template }
    (options.scoring, options.logitScale, options.logitBias) = (score, logitScale, logitBias)
    options.latencyTarget = target.map { .seconds($0 / 1000) }
    options.keepAlive = keepAlive.map { .seconds($0) }
  }

  /// The labels of a file.
  /// - Throws: ``ApusError``: as ``LabelLines``, and of kind `configuration` for one that comes again, which every request
  ///   would be refused for.
  static func labels(in path: String) throws(ApusError) -> [String] {
    let labels = try LabelLines.read(path, "labels")
    var known: Set<[UInt8]> = []
    if let label = labels.first(where: { !known.insert(Array($0.utf8)).inserted }) {
      throw ApusError(
        .configuration, "label '\(label.clipped)' appears twice", expected: "each label once", file: path)
    }
    return labels
  }

  /// `NAME=MODEL@PRECISION`, of which name and precision may be left out.
  static func options(of text: String) throws -> ServedModelOptions {
    var path = Substring(text), name: String?, precision: Precision?
    if let equals = path.firstIndex(of: "=") {
      name = String(path[..<equals])
      path = path[path.index(after: equals)...]
    }
    if let at = path.lastIndex(of: "@"), !isThere(path) {
      let suffix = path[path.index(after: at)...]
      precision = Precision(rawValue: String(suffix))
      if precision != nil {
        path = path[..<at]
      } else if isThere(path[..<at]) {
        // Behind the name of a repository it may be a revision.
        throw ValidationError(
          "--model \(text): there is no precision '\(suffix)', expected @f32, @bf16 or @int8.")
      }
    }
    guard name != "", !path.isEmpty else {
      throw ValidationError("--model \(text): expected [NAME=]MODEL[@PRECISION].")
    }
    var options = ServedModelOptions(String(path), name: name)
    try ModelName.require(options.name)
    options.inference.precision = precision
    return options
  }

  /// Whether a file or folder is called so.
  static func isThere(_ path: Substring) -> Bool { access(String(path), F_OK) == 0 }
}
