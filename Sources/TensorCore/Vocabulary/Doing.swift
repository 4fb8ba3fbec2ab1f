/// What can be done with Apus, in the words of the ``Door`` that the process is: a command, or a type or method of the
/// library.
package enum Doing: String, Sendable, CaseIterable {
  case calibrate, classify, classifyText, embedImage, embedText, indexPhotos, listKernels, listModels,
    openPhotos, quantize, runModel
  case zeroShot

  /// The words behind `apus`, with the flags that make the difference.
  var command: String {
    switch self {
    case .calibrate: "calibrate"
    case .classify: "classify"
    case .classifyText: "classify-text"
    case .embedImage: "embed --image"
    case .embedText: "embed --text"
    case .indexPhotos: "photos index"
    case .listKernels: "doctor --kernels"
    case .listModels: "list models"
    case .openPhotos: "photos status"
    case .quantize: "quantize"
    case .runModel: "run"
    case .zeroShot: "zero-shot"
    }
  }
}

extension Doing {
  /// The type of the library that does it; nil for what a command alone does.
  var type: String? {
    switch self {
    case .classify: "ImageClassifier"
    case .classifyText: "TextClassifier"
    case .embedImage: "ImageEmbedder"
    case .embedText: "TextEmbedder"
    case .indexPhotos, .openPhotos: "PhotoIndex"
    case .quantize: "ModelQuantizer"
    case .runModel: "InferenceSession"
    case .zeroShot: "ZeroShotClassifier"
    case .calibrate, .listKernels, .listModels: nil
    }
  }
}

extension Doing {
  /// What a model is opened for that does it; nil for what is done otherwise.
  var task: ModelTask? {
    switch self {
    case .classify: .imageClassification
    case .classifyText: .textClassification
    case .embedImage: .imageEmbedding
    case .embedText: .textEmbedding
    case .runModel: .tensors
    case .zeroShot: .zeroShot
    case .calibrate, .indexPhotos, .listKernels, .listModels, .openPhotos, .quantize: nil
    }
  }
}

extension Doing: CustomStringConvertible {
  /// As the people at the process's door say it: `'apus classify'`, `ImageClassifier`, `the task 'image-classification'`.
  package var description: String { spelled(for: .current) }

  package func spelled(for door: Door) -> String {
    if door == .library, let type { return type }
    if door == .binding, let task { return "the task '\(task.rawValue)'" }
    return "'apus \(command)'"
  }
}
