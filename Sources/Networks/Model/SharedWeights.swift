import Formats
import Graph
import Kernels
import TensorCore

/// The packed weights in use in this process: a network of a folder or file that is opened again, by another classifier,
/// embedder or session, finds those that are there. They go with their last user, whatever becomes of the folder's other
/// network.
enum SharedWeights {
  /// The key of packed weights.
  private struct Key: Hashable {
    let files: [FileVersion]
    /// The network of a folder; empty for a file's networks, which may share weights.
    let network: ExactText
    let precision: Precision
    let kernels: ExactText
  }

  private struct Entry {
    weak var store: PackedWeightStore?
  }

  private static let entries = Lock<[Key: Entry]>([:])

  /// The store for the weights of a folder's network as they are compiled so.
  static func store(
    of network: String, in folder: ModelFolder, _ weights: SafetensorsCollection, _ options: CompileOptions
  ) -> PackedWeightStore {
    let key = Key(
      files: weights.fileVersions, network: ExactText(network), precision: options.linearPrecision,
      kernels: ExactText(options.kernels.name))
    return store(key) {
      let cache = PackedWeightCache(model: folder.path, network: network, options: options)
      let store = PackedWeightStore(cache: cache)
      CacheWriting.schedule(store)
      return store
    }
  }

  /// The store for the weights of a mapped file that states its numbers, in memory alone.
  static func store(ofFile file: MappedFile, _ options: CompileOptions) -> PackedWeightStore {
    let key = Key(
      files: [file.version], network: "", precision: .float32, kernels: ExactText(options.kernels.name))
    return store(key) { PackedWeightStore() }
  }

  private static func store(_ key: Key, make: () -> PackedWeightStore) -> PackedWeightStore {
    entries.withLock { entries in
      if let known = entries[key]?.store { return known }
      let store = make()
      entries = entries.filter { $0.value.store != nil }
      entries[key] = Entry(store: store)
      return store
    }
  }
}
