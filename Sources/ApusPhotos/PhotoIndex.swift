import Apus
import TensorCore

/// An index of photographs on this computer, which finds them by a sentence, by another picture, or by what their files
/// say of them. Nothing leaves the computer.
///
///     let index = try PhotoIndex(at: "photos.index", creating: true)
///     let model = try await PhotoModel.load("openai/clip-vit-base-patch32")
///     try await index.update(["Pictures"], with: model)
///     let searcher = try await PhotoSearcher.load(index)
///     for match in try await searcher.search("kids building a sandcastle") { print(match.score, match.paths[0]) }
///
/// One process at a time may change an index; any number may search it meanwhile.
public final class PhotoIndex: Sendable {
  /// Where it is kept.
  public let folder: String
  let store: PhotoStore

  /// Opens an index.
  /// - Parameters:
  ///   - folder: where it is kept; ``defaultFolder`` is what `apus photos` takes.
  ///   - creating: whether an index is made where there is none.
  /// - Throws: ``ApusError`` of kind `file` when there is none, it is damaged, or by a newer Apus.
  public init(at folder: String = PhotoIndex.defaultFolder, creating: Bool = false) throws(ApusError) {
    self.folder = folder
    store = creating ? try PhotoStore(creatingAt: folder) : try PhotoStore(openingAt: folder)
  }

  /// `apus/photos` in `$XDG_DATA_HOME`, else in `~/.local/share`.
  public static var defaultFolder: String {
    let home = EnvironmentVariable.dataHome.value().flatMap { $0.hasPrefix("/") ? $0 : nil }
    return (home ?? "\(ProcessEnvironment.home() ?? "")/.local/share") + "/apus/photos"
  }
}
