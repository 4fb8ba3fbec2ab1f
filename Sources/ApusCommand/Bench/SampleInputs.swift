import Apus
import Graph
import KernelBenchmarks
import TensorCore
import Text

/// Inputs to measure a model with.
enum SampleInputs {
  /// Random elements for each input of a file's model; zeros for what may be an index.
  static func tensors(for model: Model) throws(ApusError) -> [Tensor] {
    var tensors: [Tensor] = []
    for input in model.inputs {
      if let known = input.constant {
        tensors.append(known)
      } else if input.type.dataType == .float32 {
        tensors.append(try RandomElements.floats(input.type.shape))
      } else if [.int8, .uint8].contains(input.type.dataType) {
        tensors.append(try RandomElements.bytes(input.type))
      } else {
        tensors.append(try Tensor(input.type) { _ in })
      }
    }
    return tensors
  }

  /// A random picture, or a sentence of so many tokens, under the names of transformers.
  static func tensors(for tower: TowerModel, tokens: Int?) throws(ApusError) -> [String: Tensor] {
    switch tower.interface {
    case .pictures(let height, let width, let channels):
      guard tokens == nil else {
        throw ApusError(.argument, "--tokens for pictures", expected: "a text model", file: tower.path)
      }
      return ["pixel_values": try RandomElements.floats(try Shape([1, height, width, channels]))]
    case .texts(let maximum, let isPadded):
      let count = isPadded ? maximum : min(tokens ?? 128, maximum)
      if let tokens, tokens != count {
        throw ApusError(
          .argument, "\(tokens) tokens", expected: isPadded ? "\(maximum), always" : "at most \(maximum)",
          file: tower.path)
      }
      return ["input_ids": try ids(count, path: tower.path)]
    }
  }

  /// The tokens of a sentence that goes on until there are enough.
  private static func ids(_ count: Int, path: String) throws(ApusError) -> Tensor {
    let sentence = Array(repeating: "a swift sleeps on the wing, and so it never lands", count: count)
    let encoding = try Tokenizer(contentsOf: path).encode(
      sentence.joined(separator: " "), truncation: Truncation(maximumLength: count, side: .right))
    return try Tensor(encoding.ids, shape: try Shape([1, encoding.ids.count]))
  }
}
