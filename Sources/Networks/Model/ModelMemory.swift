import Graph
import TensorCore

/// A model's memory, in bytes. Tokenizers and class names are not counted.
public struct ModelMemory: Sendable, Hashable {
  /// Weights as kernels read them, and other constants. Those from the cache of packed weights count too, although
  /// the system may drop them from memory and read them again.
  public var weights: Int { blocks.values.reduce(0, +) }
  /// The memory of runs, in use or waiting for the next.
  public var workspaces: Int { runs.values.reduce(0, +) }
  /// Tables that runs read a few rows of, in mapped files: as much of them is in memory as the system sees fit.
  public var mapped: Int { tables.values.reduce(0, +) }

  /// Weights and the memory of runs.
  public var total: Int { weights + workspaces }

  /// Weights by what holds them, so that what several models hold is counted once.
  package private(set) var blocks: [ObjectIdentifier: Int] = [:]
  /// The memory of runs by what holds it, which models of several shapes may share.
  private var runs: [ObjectIdentifier: Int] = [:]
  /// Mapped tables by the network that reads them.
  private var tables: [ObjectIdentifier: Int] = [:]

  /// Nothing.
  public init() {}

  /// - Parameters:
  ///   - holder: the owner of the weights, unique to this count.
  ///   - weights: their bytes.
  ///   - workspaces: bytes for runs.
  public init(holder: AnyObject, weights: Int, workspaces: Int = 0) {
    blocks[ObjectIdentifier(holder)] = weights
    if workspaces > 0 { runs[ObjectIdentifier(holder)] = workspaces }
  }

  /// Of a compiled model, which `model` holds.
  init(_ compiled: CompiledModel, of model: Model, runs workspaces: WorkspacePool) {
    for storage in compiled.constantStorages { blocks[ObjectIdentifier(storage)] = storage.byteCount }
    blocks[ObjectIdentifier(model)] = compiled.weightByteCount
    if let packed = compiled.options.packedWeights { blocks[ObjectIdentifier(packed)] = packed.byteCount }
    runs[ObjectIdentifier(workspaces)] = workspaces.byteCount
    let network = compiled.options.packedWeights.map { ObjectIdentifier($0) } ?? ObjectIdentifier(model)
    if compiled.mappedByteCount > 0 { tables[network] = compiled.mappedByteCount }
  }

  /// Of both; what both hold is counted once.
  package static func + (one: Self, other: Self) -> Self {
    var sum = one
    sum.blocks.merge(other.blocks) { max($0, $1) }
    sum.runs.merge(other.runs) { max($0, $1) }
    sum.tables.merge(other.tables) { max($0, $1) }
    return sum
  }
}

extension ModelMemory: CustomStringConvertible {
  /// `13.4 MB of weights, 2.1 MB for runs`, and where there are some `, 93.8 MB in mapped files`.
  public var description: String {
    let tables = mapped > 0 ? ", \(mapped.inMegabytes) in mapped files" : ""
    return "\(weights.inMegabytes) of weights, \(workspaces.inMegabytes) for runs\(tables)"
  }
}

extension Int {
  /// `123.4 MB`, of a million bytes each.
  package var inMegabytes: String { "\((Double(self) / 1e6).printed("%.1f")) MB" }
}

/// The memory for runs of a network, and the times of finished runs.
package protocol NetworkMemory: Sendable {
  var memory: ModelMemory { get }
  /// Frees the memory that no run uses.
  func releaseIdleMemory()
  /// How long each run took that ended since this was last asked, the newest thousand at most.
  func takeRunTimes() -> [Duration]
}
