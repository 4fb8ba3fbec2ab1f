import Networks
import Synchronization
import TensorCore

/// The networks of an opened model that runs have asked for, and what is known of all.
final class SessionNetworks: Sendable {
  let model: OpenedModel
  private let options: ModelOptions
  /// The network that is meant when none is named.
  private let usual: String?
  private let runners = Mutex<[String: NetworkRunner]>([:])
  private let described = Mutex<[NetworkDescription]?>(nil)

  init(_ model: OpenedModel, usual: String?, _ inference: InferenceOptions) {
    self.model = model
    self.usual = usual
    options = model.options(inference)
  }

  /// Whether there is a network that is meant when none is named.
  var hasUsual: Bool { usual != nil || (try? model.network(named: nil)) != nil }

  /// - Throws: ``ApusError`` of kind `argument` when there is no network of that name, or none is named of several.
  func runner(_ name: String?) throws(ApusError) -> NetworkRunner {
    let name = name ?? usual
    // No name of a network is empty.
    if let ready = runners.withLock({ $0[name ?? ""] }) { return ready }
    let made = try model.network(named: name).runner(options)
    return runners.withLock { runners in
      if let ready = runners[name ?? ""] { return ready }
      runners[name ?? ""] = made
      return made
    }
  }

  /// What the networks are computed with that are compiled.
  var computation: Computation {
    let compiled = runners.withLock { $0.values.compactMap(\.computation) }
    let parts = compiled.flatMap(\.parts).sorted { $0.name < $1.name }
    return Computation(parts, on: options.compile.kernels.choice)
  }

  /// What each network takes and gives, but those that cannot be run.
  var descriptions: [NetworkDescription] {
    if let known = described.withLock({ $0 }) { return known }
    let made = model.networks.compactMap { network in try? NetworkDescription(network) }
    described.withLock { $0 = made }
    return made
  }
}
