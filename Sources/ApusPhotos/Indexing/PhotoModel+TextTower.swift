import Apus
import Networks
import TensorCore

extension PhotoModel {
  /// Whether the model has a tower for texts. Where it has none, an index of its vectors is searched by pictures and
  /// vectors; by sentences only with ``PhotoSearcher/textModel``.
  public var hasTextTower: Bool { (try? Self.hasTextTower(at: pictures.outerPath)) ?? true }

  /// - Throws: ``ApusError`` when there is no model, or it cannot be used.
  static func hasTextTower(at path: String) throws(ApusError) -> Bool {
    let opened = try OpenedModel(path)
    return try opened.network(for: .text) != nil
  }
}
