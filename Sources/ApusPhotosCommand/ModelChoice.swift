import Apus
import ApusPhotos
import CommandSupport
import TensorCore

/// The default model of an index.
enum ModelChoice {
  /// - Parameter asked: what the caller says.
  /// - Throws: ``ApusError`` of kind `argument` if there is none, with the command that fetches a good one; `file` if the
  ///   index's model is not where it was.
  static func name(_ asked: String?, _ index: PhotoIndex) throws(ApusError) -> String {
    if let asked { return asked }
    if let used = try index.models().last {
      try ModelPath.check(used.path)
      return ModelPath.opening(used.path, askedAs: used.name)
    }
    if let found = PhotoModel.installed.first {
      StandardStreams.report("apus: the model is \(found), of the local Hugging Face cache")
      return found
    }
    throw ApusError(
      .argument, "there is no CLIP or SigLIP in the local Hugging Face cache",
      expected: "--model with a folder",
      advice: """
        'hf download openai/clip-vit-base-patch32' fetches a good one (600 MB). Weights/scenes of the project's own is a \
        toy that tells drawn scenes apart.
        """)
  }
}
