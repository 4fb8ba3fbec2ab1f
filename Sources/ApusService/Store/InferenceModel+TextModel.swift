import Apus

extension InferenceModel {
  /// The folder of the tower for texts where options name one of its own; nil of all others.
  static func textModel(of options: Options) -> String? {
    (options as? ZeroShotClassifier.Options)?.textModel
  }
}
