import Apus
import ApusService

extension ServedModel {
  /// Runs one of its networks on tensors.
  /// - Parameters:
  ///   - inputs: by their names.
  ///   - network: one of ``networks()``; nil for the only one, or the main one of a file.
  /// - Throws: ``ServingError``.
  public func run(
    _ inputs: [String: Tensor], network: String?
  ) async throws(ServingError) -> NamedTensors {
    try require(.tensors)
    let cost = inputs.values.reduce(0) { $0 + $1.type.byteCount }
    let item = ModelQueues.TensorRun(inputs: inputs, network: network)
    let found = try await recorded { () async throws(ServingError) -> RequestOutcomes<NamedTensors> in
      try await outcomes(of: [(input: item, cost: cost)], in: queues.tensors)
    }
    return try found[0].get()
  }

  /// Its networks: the names, types and extents of what they take and give, which all its forms have. It is looked at for
  /// that, but not opened.
  /// - Throws: ``ServingError`` when its files cannot be read, or `unavailable` when it was taken out.
  public func networks() async throws(ServingError) -> [ModelInterface.Network] {
    try require(.tensors)
    let path = path
    return try await interface.value { () async throws(ServingError) -> ModelInterface in
      do throws(ApusError) {
        return try await WorkerThreads.run { (_) throws(ApusError) in try ModelInterface(of: path) }
      } catch {
        throw ServingError(error)
      }
    }.networks
  }
}
