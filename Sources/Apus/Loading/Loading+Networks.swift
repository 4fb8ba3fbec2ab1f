import Networks
import TensorCore

/// The stages that several models have.
extension Loading {
  /// The network's text pipeline and its model, warmed up with the empty text.
  mutating func texts(
    _ network: Network, of opened: OpenedModel, _ inference: InferenceOptions, masksPadding: Bool = false
  ) throws(ApusError) -> (texts: TextPipeline, model: Model) {
    let texts = try stage(.tokenizer) { () throws(ApusError) in
      try TextPipeline(
        network, of: opened, options: opened.options(inference, for: network), masksPadding: masksPadding)
    }
    return (texts, try stage(.text) { () throws(ApusError) in try texts.prepare() })
  }

  /// The network's picture pipeline.
  mutating func pictures(
    _ network: Network, of opened: OpenedModel, _ request: ImagePipeline.Request,
    _ inference: InferenceOptions
  ) throws(ApusError) -> ImagePipeline {
    try stage(.image) { () throws(ApusError) in try ImagePipeline(network, of: opened, request, inference) }
  }
}
