import Networks
import TensorCore

/// One of a model's networks: what it takes, and what it gives.
public struct NetworkDescription: Sendable, Hashable {
  /// `image` or `text` of a folder; `main`, or the key of a signature, of a `.tflite` file.
  public let name: String
  /// What a run takes, in order.
  public let inputs: [TensorDescription]
  /// What a run gives, in order.
  public let outputs: [TensorDescription]

  init(_ network: Network) throws(ApusError) {
    name = network.name
    inputs = try network.inputs()
    outputs = try network.outputs()
  }

  /// Those of a model's networks that can be run, in their order.
  package static func all(of model: OpenedModel) -> [NetworkDescription] {
    model.networks.compactMap { network in try? NetworkDescription(network) }
  }
}
