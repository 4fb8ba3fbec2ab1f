import Apus
import ApusServer
import ApusServing

/// A model of a ``ModelsFile``. Its keys are the options of the command line, with `_` for `-`, but for those that only a
/// single model can have.
struct ModelEntry {
  /// Keys that count for every model.
  private static let generalKeys: Set<ExactText> = [
    "path", "text_model", "name", "precision", "variant", "threads", "target", "keep_alive", "fallbacks",
  ]

  /// Keys that count for models of some tasks alone: on another they would be passed over without a word.
  private static let keysOfTasks: [ExactText: Set<ModelTask>] = {
    let pictures: Set<ModelTask> = [.imageClassification, .imageEmbedding, .zeroShot]
    let texts: Set<ModelTask> = [.textClassification, .textEmbedding]
    // A model that embeds texts alone scores labels for vectors that clients send.
    let labels: Set<ModelTask> = [.zeroShot, .textEmbedding]
    var keys: [ExactText: Set<ModelTask>] = [
      "labels": [.imageClassification, .textClassification],
      "threshold": [.imageClassification, .textClassification, .zeroShot],
      "zero_shot_labels": labels, "templates": labels,
      "transparency": pictures, "max_waiting_pixels": pictures,
      "max_waiting_tokens": texts, "batch_tokens": texts,
    ]
    for key in ZeroShotReading.settings.keys { keys[ExactText(key)] = labels }
    return keys
  }()

  /// What the library reads: the options of the model itself. Paths are the file's, which it looks for beside itself.
  static let settings: Settings<ZeroShotClassifier.Options> = {
    let keys = Array(generalKeys) + keysOfTasks.keys
    return ZeroShotClassifier.Options.settings.only(keys.map(\.text)).without(["text_model", "labels"])
  }()

  /// What it says.
  private let fields: RequestFields
  /// Where it stands in the file: `models[0]`.
  let place: String
  private var model: ServedModelOptions
  /// The file with labels for pictures.
  private let zeroShotLabels: String?

  /// - Parameters:
  ///   - place: where it stands in the file.
  ///   - folder: what relative paths begin with, with a slash at its end.
  ///   - defaults: sets what the entry does not say.
  /// - Throws: ``RequestFault`` for a key that is not known, and for a value that cannot be.
  init(
    _ fields: RequestFields, at place: String, in folder: String,
    over defaults: (inout ServedModelOptions) -> Void
  ) throws(RequestFault) {
    try fields.refuseAll(but: Self.generalKeys.union(Self.keysOfTasks.keys))
    let files = ModelPaths(folder)
    guard let path = try fields.path("path") else { throw .missing(fields.name("path")) }
    model = ServedModelOptions(files.model(path), name: try fields.words("name"))
    defaults(&model)
    model.isOfFile = true
    model.textModel = try fields.path("text_model").map(files.model)
    try fields.read(Self.settings, into: &model.options)
    zeroShotLabels = try fields.path("zero_shot_labels").map(files.file)
    model.labelFile = try fields.path("labels").map(files.file)
    if let target = try fields.time("target") { model.latencyTarget = .seconds(target / 1000) }
    if let seconds = try fields.keepAlive() { model.keepAlive = seconds < 0 ? nil : .seconds(seconds) }
    model.waitingTokens = try fields.limit("max_waiting_tokens")
    model.waitingPixels = try fields.limit("max_waiting_pixels").map { $0 * 1_000_000 }
    model.batchTokens = try fields.limit("batch_tokens")
    model.fallbacks = try fields.fallbacks(files)
    (self.fields, self.place) = (fields, place)
  }

  /// The model as it is to be served. What could not be is refused now, and not by the first request.
  /// - Throws: ``ApusError`` at the key in question: kind `configuration` for one that does not count for the model,
  ///   `argument` for a value that it cannot have, `file` for a file that cannot be read; as
  ///   ``ModelArguments/labels(in:)``; what keeps the model from being looked at.
  func options() throws(ApusError) -> ServedModelOptions {
    try at("name", else: place) { () throws(ApusError) in try ModelName.require(model.name) }
    var tasks = try at("path") { () throws(ApusError) in try ModelTask.all(of: model.path) }
    if model.textModel != nil {
      tasks = try at("text_model") { () throws(ApusError) in try model.tasks() }
    }
    try requireUse(of: tasks)
    if let precision = model.inference.precision {
      try at("precision") { () throws(ApusError) in
        try ServedModelOptions.require(precision, of: model.path)
      }
    }
    if let file = model.labelFile { try at("labels") { () throws(ApusError) in try TextFile.require(file) } }
    try at("mask_padding") { () throws(ApusError) in try model.checkPadding() }
    try model.checkFallbacks(of: tasks) { "'\(fields.name("fallbacks"))[\($0)]'" }
    var served = model
    if let zeroShotLabels {
      served.zeroShotLabels = try at("zero_shot_labels") { () throws(ApusError) in
        try ModelArguments.labels(in: zeroShotLabels)
      }
    }
    return served
  }

  /// Refuses keys that do not count for a model of these tasks.
  private func requireUse(of tasks: Set<ModelTask>) throws(ApusError) {
    for (key, able) in Self.keysOfTasks.sorted(by: { $0.key < $1.key })
    where fields[key.text] != nil && able.isDisjoint(with: tasks) {
      throw ApusError(
        .configuration,
        "'\(fields.name(key.text))' is for \(ModelTask.list(able)), and the model does \(ModelTask.list(tasks))"
      )
    }
    let hasBias = tasks.contains(.zeroShot) || model.logitBias != nil
    guard fields["score"] == nil || model.scoring != .sigmoid || hasBias else {
      throw ApusError(
        .configuration,
        "'\(fields.name("score"))' is sigmoid, of which the model has no bias, as it embeds texts alone",
        expected: "softmax, or the bias as '\(fields.name("logit_bias"))'")
    }
  }

  /// Names a key in what is thrown.
  /// - Parameter other: what is named where the key is not there; nil for the key all the same.
  private func at<Value>(
    _ key: String, else other: String? = nil, _ body: () throws(ApusError) -> Value
  ) throws(ApusError) -> Value {
    do throws(ApusError) {
      return try body()
    } catch {
      throw error.placed(at: "'\(fields[key] == nil ? other ?? fields.name(key) : fields.name(key))'")
    }
  }
}
