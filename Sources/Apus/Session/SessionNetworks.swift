import Networks
import TensorCore

/// The networks of an opened model that runs have asked for, and what is known of all.
final class SessionNetworks: NetworkMemory {
  let model: OpenedModel
  private let inference: InferenceOptions
  /// The network that is meant when none is named.
  private let usual: String?
  /// The network's prepared shapes.
  private let shapes: [String: [Int]]
  private let runners = Lock<[ExactText: NetworkRunner]>([:])
  private let described = Lock<[NetworkDescription]?>(nil)

  /// - Throws: ``ApusError`` of kind `argument` for an option, or when the model has no such network.
  init(_ model: OpenedModel, _ options: InferenceSession.Options) throws(ApusError) {
    try options.inference.validate()
    // A name that is not there is refused now, and not by the first run.
    if let name = options.network { _ = try model.network(named: name) }
    self.model = model
    usual = options.network
    shapes = options.shapes
    inference = options.inference
  }

  /// - Throws: ``ApusError`` of kind `argument` when there is no network of that name, or none is named of several.
  func runner(_ name: String?) throws(ApusError) -> NetworkRunner {
    let name = name ?? usual
    // No name of a network is empty.
    let key = ExactText(name ?? "")
    if let ready = runners.withLock({ $0[key] }) { return ready }
    let network = try model.network(named: name)
    let made = network.runner(model.options(inference, for: network))
    return runners.withLock { runners in
      if let ready = runners[key] { return ready }
      runners[key] = made
      return made
    }
  }

  /// Makes the network that is meant when none is named ready for what is asked for, or what it states.
  /// - Returns: nil when several may be meant, or only the elements of inputs say what is to be compiled.
  func prepareUsual() throws(ApusError) -> Computation? {
    guard usual != nil || (try? model.network(named: nil)) != nil else { return nil }
    let runner = try runner(nil)
    return try runner.prepare(try given(shapes, for: runner)).model.map {
      Computation($0.compiled, part: runner.network.name)
    }
  }

  /// Shapes in the order of a network's inputs; nil for those that are not named.
  func given(_ shapes: [String: [Int]], for runner: NetworkRunner) throws(ApusError) -> [Shape?] {
    let arranged = try naming(model.path) { () throws(ApusError) in
      try runner.network.inputs().arranged(shapes)
    }
    var given: [Shape?] = []
    for dimensions in arranged { given.append(try dimensions.map(Shape.init(given:))) }
    return given
  }

  var memory: ModelMemory { used.reduce(ModelMemory()) { $0 + $1.memory } }

  func releaseIdleMemory() { for runner in used { runner.releaseIdleMemory() } }

  func takeRunTimes() -> [Duration] { used.flatMap { $0.takeRunTimes() } }

  private var used: [NetworkRunner] { runners.withLock { Array($0.values) } }

  /// The computation so far, or none.
  func computation(_ known: Computation?) -> Computation {
    known ?? Computation([], on: ModelOptions(inference).compile.kernels.choice)
  }

  /// The inputs and outputs of each network that can be run.
  var descriptions: [NetworkDescription] {
    if let known = described.withLock({ $0 }) { return known }
    let made = NetworkDescription.all(of: model)
    described.withLock { $0 = made }
    return made
  }
}
