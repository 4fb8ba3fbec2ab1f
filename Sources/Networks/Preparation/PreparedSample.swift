import Graph
import Models
import TensorCore

/// A picture or text as the inputs of one run.
///
/// Inputs depend on a model's configuration alone, so that they serve every folder with the same one.
package struct PreparedSample: Sendable {
  /// The network that takes it.
  package let part: ModelPart
  package let shape: NetworkShape
  package let inputs: [Tensor]
}

extension OpenedModel {
  /// Pictures and texts as the inputs of the networks that take them, and why files beside the model are passed over. What
  /// no network takes is left out.
  /// - Throws: ``ApusError`` of kind `file` or `image` for a picture, `configuration` when the model does not say how
  ///   inputs are prepared.
  package func samples(pictures: [String], texts: [String]) throws(ApusError) -> Noted<[PreparedSample]> {
    var (samples, notes): ([PreparedSample], [String]) = ([], [])
    if let network = try network(for: .image), !pictures.isEmpty {
      let preparation = try preparation.pictures(for: network.inputTypes()[0])
      notes = preparation.notes
      for path in pictures {
        samples.append(
          PreparedSample(part: .image, shape: .pictures(1), inputs: [try preparation.tensor(path)]))
      }
    }
    if let network = try network(for: .text), !texts.isEmpty {
      let pipeline = try TextPipeline(network, of: self, options: ModelOptions())
      for text in texts {
        let inputs = try pipeline.inputs(pipeline.encode(text))
        let shape = NetworkShape.texts(tokens: inputs[0].shape.elementCount, sequences: 1)
        samples.append(PreparedSample(part: .text, shape: shape, inputs: inputs))
      }
    }
    return Noted(samples, notes)
  }

  /// The network for a sample, before any pass.
  package func graph(for sample: PreparedSample) throws(ApusError) -> Graph {
    try network(named: sample.part.rawValue).graph(sample.shape)
  }
}
