import Apus
import ApusService
import ApusServing
import InferenceProtocol

extension OpenInferenceService {
  /// What a model takes and gives: for each of its tasks by the protocol's own names, and by the names of its tensors.
  /// - Throws: ``ServingError``: `notFound`; what keeps it from being opened.
  public func metadata(
    of name: String, version: String?
  ) async throws(ServingError) -> ModelMetadata {
    let model = try model(name, version)
    let calls = InferenceCall.allCases.filter { model.tasks.contains($0.task) }.map(\.signature)
    let networks = model.tasks.contains(.tensors) ? try await model.networks() : []
    return ModelMetadata(
      name: model.name, versions: [Self.modelVersion], platform: Self.platform,
      signatures: calls + networks.map(\.signature))
  }

  /// The same, as a configuration.
  /// - Throws: ``ServingError``: `notFound`; what keeps it from being opened.
  public func configuration(
    of name: String, version: String?
  ) async throws(ServingError) -> ModelConfiguration {
    ModelConfiguration(try await metadata(of: name, version: version))
  }

  /// How often models ran, and how long it took. Requests succeed and fail; what waits and is computed are items, each by
  /// itself, where Triton's own server counts requests.
  /// - Parameter name: nil for all models.
  /// - Throws: ``ServingError`` of kind `notFound`.
  public func statistics(
    of name: String?, version: String?
  ) throws(ServingError) -> ModelStatisticsList {
    let chosen: [ServedModel]
    if let name {
      chosen = [try model(name, version)]
    } else {
      guard [nil, "", Self.modelVersion].contains(version) else {
        throw ServingError(
          .notFound, "No model has version '\(version?.clipped ?? "")', only '\(Self.modelVersion)'.")
      }
      chosen = models.models
    }
    let known = models.monitor.snapshot().models
    return ModelStatisticsList(
      chosen.map { model in
        ModelStatistics(
          model.name, known.first { ExactText($0.name) == ExactText(model.name) }?.all, model.executions)
      })
  }
}

extension ModelStatistics {
  /// - Parameters:
  ///   - runs: what became of requests, and the stages of their items; nil for none.
  ///   - executions: what was run for them.
  fileprivate init(_ name: String, _ runs: RunSummary?, _ executions: ExecutionCounts) {
    let stages = runs?.stages ?? [:]
    self.init(
      name: name, version: OpenInferenceService.modelVersion, lastInference: executions.lastMilliseconds,
      inferenceCount: executions.items, executionCount: executions.executions,
      stages: Stages(
        success: Duration(stages[.total]), failure: Duration(count: runs?.failures ?? 0),
        queue: Duration(count: executions.takenItems, nanoseconds: executions.waitingNanoseconds),
        input: Duration(stages[.decode]).followed(by: Duration(stages[.tokenize]))
          .followed(by: Duration(stages[.prepare])),
        inference: Duration(stages[.run]), output: Duration(stages[.rank])))
  }
}

extension ModelStatistics.Duration {
  fileprivate init(_ summary: LatencySummary?) {
    guard let summary else {
      self.init()
      return
    }
    let nanoseconds = UInt64(exactly: (summary.average / .nanoseconds(1) * Double(summary.count)).rounded())
    self.init(count: summary.count, nanoseconds: nanoseconds ?? 0)
  }

  /// Both, one after the other, of the same items; some have only one of them.
  fileprivate func followed(by other: Self) -> Self {
    Self(count: max(count, other.count), nanoseconds: nanoseconds &+ other.nanoseconds)
  }
}

extension NetworkDescription {
  fileprivate var signature: ModelMetadata.Signature {
    ModelMetadata.Signature(
      name, network: name, inputs: inputs.map(ModelMetadata.Tensor.init),
      outputs: outputs.map(ModelMetadata.Tensor.init))
  }
}

extension ModelMetadata.Tensor {
  fileprivate init(_ tensor: TensorDescription) {
    self.init(
      tensor.name, InferenceDatatype(tensor.dataType),
      tensor.extents.map { $0.isFree ? -1 : $0.stated }, isOptional: tensor.isOptional)
  }
}
