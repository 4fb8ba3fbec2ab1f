import Formats
import Graph
import Kernels
import Synchronization
import TensorCore

/// The packed weights in use in this process: a folder that is opened again, by another classifier or embedder, finds
/// those that are there. They go with their last user.
enum SharedWeights {
  /// What packed weights depend on.
  private struct Key: Hashable {
    let files: [FileVersion]
    let precision: Precision
    let kernels: String
  }

  private struct Entry {
    weak var store: PackedWeightStore?
  }

  private static let entries = Mutex<[Key: Entry]>([:])

  /// The store for a folder's weights as they are compiled so.
  static func store(
    of folder: ModelFolder, _ weights: SafetensorsCollection, _ options: CompileOptions
  ) -> PackedWeightStore {
    let key = Key(
      files: weights.fileVersions, precision: options.linearPrecision, kernels: options.kernels.name)
    return entries.withLock { entries in
      if let known = entries[key]?.store { return known }
      let store = PackedWeightStore(cache: PackedWeightCache(model: folder.path, options: options))
      entries = entries.filter { $0.value.store != nil }
      entries[key] = Entry(store: store)
      CacheWriting.schedule(store)
      return store
    }
  }
}
