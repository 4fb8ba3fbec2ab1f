import Networks
import TensorCore

/// The networks of a zero-shot classifier, and the folders that they are in: one with both, or one for each.
struct ZeroShotTowers {
  let pictures: OpenedModel
  let texts: OpenedModel
  let networks: TwoTowers
  /// How the tower for pictures is computed.
  let pictureInference: InferenceOptions

  /// - Throws: ``ApusError`` with the folder at fault: what ``ZeroShotClassifier/init(_:options:)`` throws for it.
  init(
    _ model: String, _ options: ZeroShotClassifier.Options, _ loading: inout Loading
  ) throws(ApusError) {
    var stages: [LoadStage] = [.tokenizer, .text, .image]
    if options.textModel != nil { stages.insert(.open, at: 0) }
    if !options.labels.isEmpty { stages.append(.labels) }
    guard let textModel = options.textModel else {
      pictureInference = options.inference
      pictures = try loading.open(model, pictureInference, then: stages)
      texts = pictures
      networks = try pictures.dualEncoder(expected: "an image and a text tower, as CLIP and SigLIP have")
      return
    }
    // Of two folders, the variant is for the ones with ONNX files.
    let (variant, isForTexts) = (options.inference.variant, ModelPlace.hasONNXFiles(textModel))
    var inference = options.inference
    if isForTexts, !ModelPlace.hasONNXFiles(model) { inference.variant = nil }
    pictureInference = inference
    pictures = try loading.open(model, inference, then: stages)
    texts = try loading.stage(.open) { () throws(ApusError) in
      try OpenedModel(textModel, variant: isForTexts ? variant : nil)
    }
    networks = try options.reading.towers(pictures, texts)
  }
}
