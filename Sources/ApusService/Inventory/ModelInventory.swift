import Formats
import TensorCore

/// The models that lie on this machine: in folders, and in the local Hugging Face cache. Nothing is downloaded.
public struct ModelInventory: Sendable {
  /// Those found, first in the order of the folders, then those of the cache.
  public let models: [FoundModel]
  /// The folders that are not there.
  public let missing: [String]

  /// How far below a folder models are looked for.
  private static let depth = 6

  /// Looks for models. A file that ends in `.tflite` is one, and a folder with weights in safetensors form; folders
  /// that begin with a dot are passed over.
  /// - Parameters:
  ///   - folders: where to look, and in the folders below; a model itself counts, too.
  ///   - includesHuggingFace: whether the cache is looked through.
  public init(in folders: [String], includesHuggingFace: Bool = true) {
    var models: [FoundModel] = [], known: Set<String> = []
    func add(_ name: String, _ place: String) {
      guard known.insert(FileSystem.resolved(place) ?? place).inserted else { return }
      models.append(FoundModel(name, at: place))
    }
    var visited: Set<String> = []
    for folder in folders {
      for place in Self.places(in: folder, depth: Self.depth, &visited) { add(place, place) }
    }
    if includesHuggingFace {
      let cache = HuggingFaceCache()
      for name in cache.repositories {
        guard let repository = RepositoryName(name) else { continue }
        add(name, (try? cache.folder(of: repository)) ?? name)
      }
    }
    self.models = models
    missing = folders.filter { !FileSystem.exists($0) }
  }

  /// - Parameter visited: folders that need no second look, without links.
  private static func places(in path: String, depth: Int, _ visited: inout Set<String>) -> [String] {
    guard FileSystem.isFolder(path) else { return FileSystem.isFile(path) ? [path] : [] }
    guard visited.insert(FileSystem.resolved(path) ?? path).inserted else { return [] }
    let names = FileSystem.names(in: path) ?? []
    if names.contains("modules.json") || names.contains(where: isWeights) { return [path] }
    var places: [String] = []
    for name in names {
      let place = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      if name.hasSuffix(".tflite"), FileSystem.isFile(place) {
        places.append(place)
      } else if depth > 0, !name.hasPrefix("."), FileSystem.isFolder(place) {
        places += self.places(in: place, depth: depth - 1, &visited)
      }
    }
    return places
  }

  private static func isWeights(_ name: String) -> Bool {
    name.hasSuffix(".safetensors") || name.hasSuffix(".safetensors.index.json")
  }
}
