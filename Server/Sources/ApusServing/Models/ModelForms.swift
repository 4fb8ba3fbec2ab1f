import Apus
import ApusService

/// A model in each of the forms in which the store opens it. They share their weights.
struct ModelForms: Sendable {
  let imageClassifier: ServiceModel<ImageClassifier>
  let zeroShotClassifier: ServiceModel<ZeroShotClassifier>
  let textClassifier: ServiceModel<TextClassifier>
  let imageEmbedder: ServiceModel<ImageEmbedder>
  let textEmbedder: ServiceModel<TextEmbedder>
  let session: ServiceModel<InferenceSession>

  init(_ model: ServedModelOptions, images: ImageLimits) {
    let (inference, image) = (model.inference, ImageOptions(transparency: model.transparency))
    imageClassifier = Self.form(
      model, .imageClassification,
      ImageClassifier.Options(
        labels: model.labelFile, threshold: model.threshold, inference: inference, limits: images,
        image: image))
    zeroShotClassifier = Self.form(
      model, .zeroShot,
      ZeroShotClassifier.Options(
        labels: model.zeroShotLabels, templates: model.templates, scoring: model.scoring,
        logitScale: model.logitScale, threshold: model.threshold, inference: inference, limits: images,
        image: image))
    textClassifier = Self.form(
      model, .textClassification,
      TextClassifier.Options(labels: model.labelFile, threshold: model.threshold, inference: inference))
    imageEmbedder = Self.form(
      model, .imageEmbedding,
      ImageEmbedder.Options(length: .raw, inference: inference, limits: images, image: image))
    textEmbedder = Self.form(model, .textEmbedding, TextEmbedder.Options(length: .raw, inference: inference))
    session = Self.form(model, .tensors, InferenceSession.Options(inference: inference))
  }

  private static func form<Model>(
    _ model: ServedModelOptions, _ task: ModelTask, _ options: Model.Options
  ) -> ServiceModel<Model> {
    ServiceModel(
      name(model.name, task), at: model.path, options: options, timeToLive: model.keepAlive)
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

extension ModelTask {
  /// What a model can be asked to do.
  static func all(of model: String) throws(ApusError) -> Set<ModelTask> {
    Set(
      try ModelClass.all(of: model).map { form in
        switch form {
        case .imageClassifier: .imageClassification
        case .zeroShotClassifier: .zeroShot
        case .textClassifier: .textClassification
        case .imageEmbedder: .imageEmbedding
        case .textEmbedder: .textEmbedding
        case .inferenceSession: .tensors
        }
      })
  }
}
