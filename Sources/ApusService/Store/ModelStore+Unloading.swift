import Apus
import TensorCore

extension ModelStore {
  /// Opens models, one after the other, so that the first who ask find them. One that fails does not keep the others from
  /// being opened.
  /// - Returns: the errors of those that failed, by their names; empty when all are there.
  @discardableResult
  public func preload(_ types: [any AnyServiceModel]) async -> [String: ApusError] {
    var errors: [String: ApusError] = [:]
    for type in types {
      if let (name, error) = await failure(of: type) { errors[name] = error }
    }
    return errors
  }

  private func failure(of type: some AnyServiceModel) async -> (String, ApusError)? {
    do throws(ApusError) {
      _ = try await model(for: type.serviceModel)
      return nil
    } catch {
      return (type.serviceModel.name, error)
    }
  }

  /// Lets go of a model, and gives its memory back to the system before it returns. One that is in use is let go of too:
  /// its memory comes back when its last user lets go of it.
  /// - Returns: what came back, and who is still in use.
  @discardableResult
  public func unload<Model>(_ type: ServiceModel<Model>) async -> MemoryReturn { await unload([type.name]) }

  /// Lets go of all models, pinned ones too.
  @discardableResult
  public func unloadAll() async -> MemoryReturn {
    await unload(state.withLock { $0.entries.keys.sorted().map(\.text) })
  }

  private func unload(_ names: [String]) async -> MemoryReturn {
    let (departures, inUse, place) = state.withLock { state in
      for name in names { state.entries[ExactText(name)]?.load?.isKept = false }
      let loaded = names.filter { state.entries[ExactText($0)]?.isLoaded == true }
      let departures = state.letGo(loaded)
      let inUse = loaded.filter { !departures.names.contains($0) }
      return (departures, inUse, loaded.isEmpty ? nil : broadcast.reserve())
    }
    return await release(departures, inUse: inUse, .asked, at: place)
  }
}
