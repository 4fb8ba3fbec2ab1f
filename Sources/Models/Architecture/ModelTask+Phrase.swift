import TensorCore

extension ModelTask {
  /// What architectures are listed for.
  package static let listed: [ModelTask] = [
    .imageClassification, .textClassification, .zeroShot, .imageEmbedding, .textEmbedding,
  ]

  /// What a model of the task does.
  package var phrase: String {
    switch self {
    case .imageClassification: "classifies pictures"
    case .textClassification: "classifies texts"
    case .zeroShot: "compares pictures with texts"
    case .imageEmbedding: "embeds pictures"
    case .textEmbedding: "embeds texts"
    case .tensors: "runs"
    }
  }

  var isClassification: Bool { self == .imageClassification || self == .textClassification }
}
