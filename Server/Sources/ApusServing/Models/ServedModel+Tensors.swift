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

  /// Its networks: the names, types and extents of what they take and give, which all its forms have. They are those of the
  /// session that runs while it is in memory. It is not opened for that: else its files are looked at, each time, as they
  /// may be others by then.
  /// - Throws: ``ServingError`` when its files cannot be read, or `unavailable` when it was taken out.
  public func networks() async throws(ServingError) -> [NetworkDescription] {
    try require(.tensors)
    if let open = try await networksInMemory() { return open }
    let path = path
    return try await access.opening { () async throws(ServingError) -> [NetworkDescription] in
      do throws(ApusError) {
        return try await WorkerThreads.run { (_) throws(ApusError) in try ModelInterface(of: path).networks }
      } catch {
        throw ServingError(error)
      }
    }
  }

  private func networksInMemory() async throws(ServingError) -> [NetworkDescription]? {
    // Looked at before the session: what is kept of one that came meanwhile has a number that is no longer asked for.
    let load = store.loads(of: forms.session)
    guard store.isLoaded(forms.session) else { return nil }
    if let known = openNetworks.withLock({ $0 }), known.load == load { return known.networks }
    guard let session = try await access.loadedModel(for: forms.session) else { return nil }
    let networks = session.networks
    openNetworks.withLock { $0 = (load, networks) }
    return networks
  }
}
