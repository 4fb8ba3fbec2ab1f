import Apus
import Graph
import KernelBenchmarks
import Models
import Networks
import TensorCore
import Text

/// Inputs to measure a model with.
enum SampleInputs {
  /// A sentence of so many tokens for a network for texts; else random elements, such as a picture's, and zeros for
  /// what may be an index.
  static func tensors(for network: Network, tokens: Int?) throws(ApusError) -> [Tensor?] {
    if let tower = network.textTower {
      let optional = [Tensor?](repeating: nil, count: try network.inputs().count - 1)
      return [try sentence(for: tower, tokens, path: network.path)] + optional
    }
    guard tokens == nil else {
      throw ApusError(
        .argument, "--tokens for what takes no texts", expected: "a text model", file: network.path)
    }
    var tensors: [Tensor] = []
    for type in try network.inputTypes() {
      switch type.dataType {
      case .float32: tensors.append(try RandomElements.floats(type.shape))
      case .int8, .uint8: tensors.append(try RandomElements.bytes(type))
      default: tensors.append(try Tensor(type) { _ in })
      }
    }
    return tensors
  }

  private static func sentence(
    for tower: any TextTower, _ tokens: Int?, path: String
  ) throws(ApusError) -> Tensor {
    let (maximum, isPadded) = (tower.maximumTokens, tower.paddedLength != nil)
    let count = isPadded ? maximum : min(tokens ?? 128, maximum)
    if let tokens, tokens != count {
      throw ApusError(
        .argument, "\(tokens) tokens", expected: isPadded ? "\(maximum), always" : "at most \(maximum)",
        file: path)
    }
    return try ids(count, path: path)
  }

  /// The tokens of a sentence that goes on until there are enough.
  private static func ids(_ count: Int, path: String) throws(ApusError) -> Tensor {
    let sentence = Array(repeating: "a swift sleeps on the wing, and so it never lands", count: count)
    let encoding = try Tokenizer(contentsOf: path).encode(
      sentence.joined(separator: " "), truncation: Truncation(maximumLength: count, side: .right))
    return try Tensor(encoding.ids, shape: try Shape([1, encoding.ids.count]))
  }
}
