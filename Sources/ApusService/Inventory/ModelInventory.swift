import Formats
import TensorCore

/// The models that lie on this machine: in folders, and in the local Hugging Face cache. Nothing is downloaded.
public struct ModelInventory: Sendable {
  /// The models, in the order of the folders, then of the cache.
  public let models: [FoundModel]
  /// The folders that are not there.
  public let missing: [String]
  /// The folders, or folders below, that could not be read, each an error of kind `file`: models in them are not among
  /// ``models``.
  public let unreadable: [ApusError]

  /// Looks for models. A file that ends in `.tflite` is one, wherever it lies, and a folder with weights in safetensors
  /// form and the `config.json`, `open_clip_config.json` or `modules.json` that describes them; in such a folder no
  /// others are looked for. Weights that nothing describes are listed as refused. Folders that begin with a dot are
  /// passed over. What links lead to has its own name where that is found, too.
  /// - Parameters:
  ///   - folders: where to look, and in the folders below; a model itself counts, too.
  ///   - includesHuggingFace: whether the cache is looked through.
  public init(in folders: [String], includesHuggingFace: Bool = true) {
    var models: [FoundModel] = [], known: Set<ExactText> = []
    func isNew(_ place: String) -> Bool {
      known.insert(ExactText(FileSystem.resolved(place) ?? place)).inserted
    }
    let search = ModelSearch(in: folders)
    for place in search.places where isNew(place.path) {
      models.append(
        place.refusal.map { FoundModel(refused: place.path, $0) } ?? FoundModel(place.path, at: place.path))
    }
    if includesHuggingFace {
      let cache = HuggingFaceCache()
      for name in cache.repositories {
        guard let repository = RepositoryName(name) else { continue }
        let place = (try? cache.folder(of: repository)) ?? name
        if isNew(place) { models.append(FoundModel(name, at: place)) }
      }
    }
    self.models = models
    unreadable = search.failures
    missing = folders.filter { !FileSystem.exists($0) }
  }
}
