import Apus
import TensorCore

extension PhotoModel {
  /// The treatment of transparent pixels in a new or existing index. If the caller names neither it nor a model, that is the
  /// treatment of the model used last, so that its vectors are extended.
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
