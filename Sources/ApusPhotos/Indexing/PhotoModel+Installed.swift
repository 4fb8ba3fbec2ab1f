import Apus
import Formats
import Networks
import TensorCore

extension PhotoModel {
  /// The repositories of the local Hugging Face cache that have a CLIP or SigLIP, by their names.
  public static var installed: [String] {
    HuggingFaceCache().repositories.filter { name in
      (try? OpenedModel(name).dualEncoder(expected: "a CLIP or SigLIP")) != nil
    }
  }
}
