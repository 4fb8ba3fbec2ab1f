import Apus
import ApusServing
import InferenceProtocol

extension InferenceCall {
  /// Has the model do it. One tensor has room for results only, so that one item's error is the request's.
  /// - Throws: ``ServingError``: that of the first item that failed, or of all.
  func results(
    _ request: InferenceRequest, on model: ServedModel
  ) async throws(ServingError) -> InferenceResults {
    let topK = try wellFormed { () throws(ApusError) in try request.parameters.integer("top_k") }
    switch self {
    case .classifyPictures:
      let outcomes = try await model.classify(pictures: try request.pictures(), topK: topK)
      return .classes(try outcomes.all().map { $0.predictions.map(ScoredClass.init) })
    case .scoreLabels:
      let labels = try request[input: Names.labels]?.texts()
      let outcomes = try await model.zeroShot(
        try request.pictures(), labels: labels, topK: topK,
        reading: ZeroShotReading(masksPadding: try request.masksPadding()))
      return .classes(try outcomes.all().map { $0.predictions.map(ScoredClass.init) })
    case .classifyTexts:
      let outcomes = try await model.classify(
        try request.texts(), topK: topK, truncates: try request.truncates())
      return .classes(try outcomes.all().map { $0.predictions.map(ScoredClass.init) })
    case .embedTexts:
      let outcomes = try await model.embed(
        try request.texts(), truncates: try request.truncates(), masksPadding: try request.masksPadding())
      return .vectors(try outcomes.all().map(\.values))
    case .embedPictures:
      return .vectors(try await model.embed(pictures: try request.pictures()).all().map(\.values))
    }
  }
}

extension InferenceRequest {
  fileprivate func pictures() throws(ServingError) -> [Picture] {
    try self[input: InferenceCall.Names.image]?.pictures() ?? []
  }

  fileprivate func texts() throws(ServingError) -> [TextInput] {
    try self[input: InferenceCall.Names.text]?.texts().map(TextInput.text) ?? []
  }

  /// Whether a text that is longer than the model takes is cut, as is usual.
  fileprivate func truncates() throws(ServingError) -> Bool {
    try wellFormed { () throws(ApusError) in try parameters.bool("truncate") } ?? true
  }
}

extension InferenceRequest {
  /// Whether padding of texts and labels is masked; nil for as the server was started.
  fileprivate func masksPadding() throws(ServingError) -> Bool? {
    try wellFormed { () throws(ApusError) in try parameters.bool("mask_padding") }
  }
}

extension ScoredClass {
  fileprivate init(_ prediction: Prediction) {
    self.init(label: prediction.label, index: prediction.index, score: prediction.score)
  }

  fileprivate init(_ label: LabelScore) {
    self.init(label: label.label, index: label.index, score: label.score)
  }
}
