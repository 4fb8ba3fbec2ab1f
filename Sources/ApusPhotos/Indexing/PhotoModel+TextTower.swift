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

  /// Opens the model's tower for texts with its tokenizer, as the first search by a sentence would, so that one that cannot
  /// be used is found before photographs are indexed. Of a model without such a tower nothing is opened.
  /// - Throws: ``ApusError`` of the kind that the search would end with.
  public func checkTextTower() throws(ApusError) {
    let opened = try OpenedModel(pictures.outerPath)
    guard let network = try opened.network(for: .text) else { return }
    _ = try TextPipeline(network, of: opened, options: opened.options(InferenceOptions(), for: network))
    _ = try network.graph()
  }
}
