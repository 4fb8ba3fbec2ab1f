import Apus
import TensorCore

extension PhotoModel {
  /// What transparent pixels become in an index that is made or goes on: where nobody says, and asks for no model either,
  /// what they became with the model used last, so that its vectors are added to.
  /// - Parameters:
  ///   - asked: what the caller says.
  ///   - model: the model that the caller asks for.
  /// - Throws: ``ApusError`` of kind `file` when the index cannot be read.
  package static func transparency(
    _ asked: ImageOptions.Transparency?, with model: String?, in index: PhotoIndex
  ) throws(ApusError) -> ImageOptions.Transparency {
    if let asked { return asked }
    guard model == nil, let last = try index.models().last else { return .ignored }
    return ImageOptions.Transparency(last.transparency) ?? .ignored
  }
}
