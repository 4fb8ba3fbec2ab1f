import Networks
import TensorCore

/// The stages that several models have.
extension Loading {
  /// What a network does with texts, and its model, ready for one of no words.
  mutating func texts(
    _ network: Network, of opened: OpenedModel, _ inference: InferenceOptions, masksPadding: Bool = false
  ) throws(ApusError) -> (texts: TextPipeline, model: Model) {
    let texts = try stage(.tokenizer) { () throws(ApusError) in
      try TextPipeline(
        network, of: opened, options: opened.options(inference, for: network), masksPadding: masksPadding)
    }
    return (texts, try stage(.text) { () throws(ApusError) in try texts.prepare() })
  }

  /// What a network does with pictures.
  mutating func pictures(
    _ network: Network, of opened: OpenedModel, _ request: ImagePipeline.Request,
    _ inference: InferenceOptions
  ) throws(ApusError) -> ImagePipeline {
    try stage(.image) { () throws(ApusError) in try ImagePipeline(network, of: opened, request, inference) }
  }
}
