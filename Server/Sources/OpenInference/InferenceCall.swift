import Apus
import ApusServing
import InferenceProtocol

/// A way of asking that is the same for all models of a task: pictures and texts go in as they are, and scores with their
/// labels, or vectors, come out.
enum InferenceCall: CaseIterable {
  // In the order in which a model's description has them.
  case classifyPictures, scoreLabels, classifyTexts, embedTexts, embedPictures

  /// The task of the model.
  var task: ModelTask {
    switch self {
    case .classifyPictures: .imageClassification
    case .scoreLabels: .zeroShot
    case .classifyTexts: .textClassification
    case .embedTexts: .textEmbedding
    case .embedPictures: .imageEmbedding
    }
  }

  /// The inputs and outputs.
  var signature: ModelMetadata.Signature {
    let image = ModelMetadata.Tensor(Names.image, .bytes, [-1])
    let text = ModelMetadata.Tensor(Names.text, .bytes, [-1])
    let labels = ModelMetadata.Tensor(Names.labels, .bytes, [-1], isOptional: true)
    let classes = [
      ModelMetadata.Tensor(Names.scores, .float32, [-1, -1]),
      ModelMetadata.Tensor(Names.labels, .bytes, [-1, -1]),
    ]
    let embedding = [ModelMetadata.Tensor(Names.embedding, .float32, [-1, -1])]
    return switch self {
    case .classifyPictures: .init(task.rawValue, inputs: [image], outputs: classes)
    case .scoreLabels: .init(task.rawValue, inputs: [image, labels], outputs: classes)
    case .classifyTexts: .init(task.rawValue, inputs: [text], outputs: classes)
    case .embedTexts: .init(task.rawValue, inputs: [text], outputs: embedding)
    case .embedPictures: .init(task.rawValue, inputs: [image], outputs: embedding)
    }
  }

  /// The names of tensors.
  enum Names {
    static let image = "image"
    static let text = "text"
    static let labels = "labels"
    static let scores = "scores"
    static let embedding = "embedding"
  }

  /// What a request means, by the names of its inputs and of the outputs it asks for; nil where they are the model's own.
  /// A picture alone is scored against the labels of the server only where scores are asked for.
  init?(_ request: InferenceRequest, of tasks: Set<ModelTask>) {
    let wanted = Set(request.outputs.map { ExactText($0.name) })
    let match = Self.all(taking: request.inputs.map(\.name), of: tasks).first { call in
      wanted.isSubset(of: call.signature.outputs.map { ExactText($0.name) })
    }
    guard let match else { return nil }
    self = match
  }

  /// Those that inputs of these names are for, the likeliest first.
  static func all(taking inputs: [String], of tasks: Set<ModelTask>) -> [Self] {
    let order: [Self] = [.classifyPictures, .classifyTexts, .embedPictures, .embedTexts, .scoreLabels]
    let given = Set(inputs.map { ExactText($0) })
    return order.filter { call in
      let inputs = call.signature.inputs
      return tasks.contains(call.task)
        && given.isSuperset(of: inputs.filter { !$0.isOptional }.map { ExactText($0.name) })
        && given.isSubset(of: inputs.map { ExactText($0.name) })
    }
  }
}
