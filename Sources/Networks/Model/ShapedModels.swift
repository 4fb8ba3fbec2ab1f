import Graph
import Kernels
import TensorCore

/// One model for the shapes that come: its graph is built and compiled when a shape is first asked for, and
/// the weights, packed once, and the memory for runs are shared between them.
final class ShapedModels<ModelShape: Hashable & Sendable>: NetworkMemory {
  private struct Entry {
    let shape: ModelShape
    let model: Model
  }

  private let path: String
  private let options: ModelOptions
  /// Whether the graph for a shape has the weights of those for others.
  private let hasCommonWeights: @Sendable (ModelShape) -> Bool
  private let build: @Sendable (ModelShape) throws(ApusError) -> Graph
  /// The most recently used come last.
  private let entries = Lock<[Entry]>([])

  /// Shapes kept ready, those used last.
  private let capacity: Int

  /// Memory for runs of all of them.
  private let workspaces = WorkspacePool()

  /// - Parameters:
  ///   - path: the model's name in errors.
  ///   - capacity: shapes that are kept ready, those used last.
  ///   - hasCommonWeights: whether the graph for a shape has the weights of those for others. Any that it has alone go with it.
  ///   - build: the graph for a shape.
  init(
    path: String, options: ModelOptions, capacity: Int = 8,
    hasCommonWeights: @escaping @Sendable (ModelShape) -> Bool = { _ in true },
    build: @escaping @Sendable (ModelShape) throws(ApusError) -> Graph
  ) {
    self.path = path
    self.options = options
    self.capacity = capacity
    self.hasCommonWeights = hasCommonWeights
    self.build = build
  }

  /// The model for `shape`.
  /// - Throws: ``ApusError`` with the model's name, when it cannot be built or compiled.
  func model(_ shape: ModelShape) throws(ApusError) -> Model {
    if let ready = take(shape) { return ready }
    let graph = try naming(path) { () throws(ApusError) in try build(shape) }
    var options = options
    if !hasCommonWeights(shape) { options.packedWeights = nil }
    let model = try Model(path: path, graph: graph, options: options, workspaces: workspaces)
    entries.withLock { entries in
      if entries.count >= capacity { entries.removeFirst() }
      entries.append(Entry(shape: shape, model: model))
    }
    return model
  }

  var memory: ModelMemory { entries.withLock { $0.map(\.model) }.reduce(ModelMemory()) { $0 + $1.memory } }

  func releaseIdleMemory() { workspaces.releaseIdle() }

  func takeRunTimes() -> [Duration] { workspaces.runTimes.take() }

  private func take(_ shape: ModelShape) -> Model? {
    entries.withLock { entries in
      guard let index = entries.firstIndex(where: { $0.shape == shape }) else { return nil }
      let entry = entries.remove(at: index)
      entries.append(entry)
      return entry.model
    }
  }
}
