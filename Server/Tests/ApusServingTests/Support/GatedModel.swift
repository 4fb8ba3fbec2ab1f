import Apus

/// A model that is opened when the test lets it.
final class GatedModel: InferenceModel {
  struct Options: Sendable {
    let gate: Gate
  }

  private let model: TextEmbedder

  init(_ model: String, options: Options) throws(ApusError) { self.model = try TextEmbedder(model) }

  static func load(
    _ model: String, options: Options, progress: (@Sendable (LoadProgress) -> Void)?
  ) async throws(ApusError) -> GatedModel {
    await options.gate.pass()
    return try GatedModel(model, options: options)
  }

  var path: String { model.path }
  var computation: Computation { model.computation }
  var loadTimes: LoadTimes { model.loadTimes }
  var memory: ModelMemory { model.memory }
}
