import Networks
import TensorCore

/// One of a model's networks: what it takes, and what it gives.
public struct NetworkDescription: Sendable, Hashable {
  /// `image` or `text` of a folder; `main`, or the key of a signature, of a `.tflite` file.
  public let name: String
  /// Inputs of a run, in order.
  public let inputs: [TensorDescription]
  /// Outputs of a run, in order.
  public let outputs: [TensorDescription]

  init(_ network: Network) throws(ApusError) {
    name = network.name
    inputs = try network.inputs()
    outputs = try network.outputs()
  }

  /// The networks of a model that can be run, in order.
  package static func all(of model: OpenedModel) -> [NetworkDescription] {
    model.networks.compactMap { network in try? NetworkDescription(network) }
  }
}
