import Apus
import ApusService

/// A model in each of the forms in which the store opens it. Those of one folder in one precision share
/// their weights; a `.tflite` file is packed anew for each.
struct ModelForms: Sendable {
  let imageClassifier: ServiceModel<ImageClassifier>
  let zeroShotClassifier: ServiceModel<ZeroShotClassifier>
  let textClassifier: ServiceModel<TextClassifier>
  let imageEmbedder: ServiceModel<ImageEmbedder>
  let textEmbedder: ServiceModel<TextEmbedder>
  let session: ServiceModel<InferenceSession>

  /// - Parameter others: the places of fallbacks that are none for bare tensors.
  init(_ model: ServedModelOptions, images: ImageLimits, withoutTensors others: Set<Int> = []) {
    imageClassifier = Self.form(model, .imageClassification) { inference in
      ImageClassifier.Options(
        labels: model.labelFile, threshold: model.threshold, rejectsForeign: model.rejectsForeign,
        preprocessing: model.preprocessing, inference: inference, limits: images, image: model.image)
    }
    zeroShotClassifier = Self.form(model, .zeroShot) { inference in
      var options = model.options
      (options.inference, options.limits) = (inference, images)
      return options
    }
    textClassifier = Self.form(model, .textClassification) { inference in
      TextClassifier.Options(labels: model.labelFile, threshold: model.threshold, inference: inference)
    }
    imageEmbedder = Self.form(model, .imageEmbedding) { inference in
      ImageEmbedder.Options(
        length: .raw, preprocessing: model.preprocessing, inference: inference, limits: images,
        image: model.image)
    }
    textEmbedder = Self.form(model, .textEmbedding, at: model.textPath) { inference in
      TextEmbedder.Options(length: .raw, masksPadding: model.masksPadding, inference: inference)
    }
    session = Self.form(model, .tensors, without: others) { inference in
      InferenceSession.Options(inference: inference)
    }
  }

  /// - Parameters:
  ///   - path: the file or folder that does the task; nil for the model's.
  ///   - unfit: the places of fallbacks that are none for the task.
  ///   - options: those of a form that is computed so.
  private static func form<Model>(
    _ model: ServedModelOptions, _ task: ModelTask, at path: String? = nil, without unfit: Set<Int> = [],
    _ options: (InferenceOptions) -> Model.Options
  ) -> ServiceModel<Model> {
    let path = path ?? model.path
    var fallbacks: [ModelVariant<Model>] = []
    for (place, fallback) in model.fallbacks.enumerated() where !unfit.contains(place) {
      var inference = model.inference
      inference.precision = fallback.precision
      fallbacks.append(
        ModelVariant(
          place == 0 ? .medium : .low, at: model.otherPath(of: fallback) ?? path,
          options: options(inference)))
    }
    return ServiceModel(
      name(model.name, task), at: path, options: options(model.inference), timeToLive: model.keepAlive,
      fallbacks: fallbacks)
  }

  /// What the store calls a form.
  static func name(_ model: String, _ task: ModelTask) -> String { "\(model) (\(task.rawValue))" }

  /// The form that does a task.
  subscript(task: ModelTask) -> any AnyServiceModel {
    switch task {
    case .imageClassification: imageClassifier
    case .zeroShot: zeroShotClassifier
    case .textClassification: textClassifier
    case .imageEmbedding: imageEmbedder
    case .textEmbedding: textEmbedder
    case .tensors: session
    }
  }
}

extension ServedModelOptions {
  /// What the model can be asked to do. One in two folders does what both towers do; bare tensors are those of the tower for
  /// pictures.
  package func tasks() throws(ApusError) -> Set<ModelTask> {
    try ModelTask.all(of: path, options: options)
  }

  /// Refuses masked padding of a model for which it makes no difference, before it is opened.
  /// - Throws: ``ApusError``: kind `argument`; what keeps the model from being looked at.
  package func checkPadding() throws(ApusError) {
    if options.masksPadding { try ModelInterface.requireMaskedPadding(of: textPath) }
  }

  /// The folder that takes texts: where the tokenizer is.
  var textPath: String { options.textModel ?? path }
}
