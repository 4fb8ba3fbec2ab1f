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

  /// How often models ran, and how long it took.
  /// - Parameter name: nil for all models.
  /// - Throws: ``ServingError`` of kind `notFound`.
  public func statistics(
    of name: String?, version: String?
  ) throws(ServingError) -> ModelStatisticsList {
    let chosen: [ServedModel]
    if let name { chosen = [try model(name, version)] } else { chosen = models.models }
    let known = models.monitor.snapshot().models
    return ModelStatisticsList(
      chosen.map { model in
        ModelStatistics(model.name, known.first { $0.name == model.name }?.all)
      })
  }
}

extension ModelStatistics {
  fileprivate init(_ name: String, _ runs: RunSummary?) {
    let none = Duration()
    self.init(
      name: name, version: OpenInferenceService.modelVersion, lastInference: 0,
      inferenceCount: runs?.runs ?? 0, executionCount: runs?.runs ?? 0,
      stages: Stages(
        success: Duration(runs?.stages[.total]), failure: Duration(count: runs?.failures ?? 0),
        queue: none, input: Duration(runs?.stages[.prepare]), inference: Duration(runs?.stages[.run]),
        output: Duration(runs?.stages[.rank])))
  }
}

extension ModelStatistics.Duration {
  fileprivate init(_ summary: LatencySummary?) {
    guard let summary else {
      self.init()
      return
    }
    let nanoseconds = UInt64(exactly: (summary.averageMilliseconds * 1e6 * Double(summary.count)).rounded())
    self.init(count: summary.count, nanoseconds: nanoseconds ?? 0)
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
