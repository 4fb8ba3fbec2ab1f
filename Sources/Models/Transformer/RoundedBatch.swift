import TensorCore

/// The inputs of a batch of texts, filled up to a size that many batches share, so that few graphs are compiled.
///
/// Tokens that fill up belong to no text: attention leaves them out, and all else is done row by row, so that the results of
/// the texts are the same bits. Texts that fill up have no tokens, and what comes of them is nobody's.
package struct RoundedBatch {
  /// Those of the tower: ids, positions, bounds, the rows whose results are wanted, if any, and bounds of keys, if any.
  package let inputs: [Tensor]
  /// The size that the graph is made for.
  package let tokens: Int
  package let sequences: Int

  /// - Parameter inputs: what ``TextTower/inputs(_:)`` makes of texts.
  package init(_ inputs: [Tensor]) throws(ApusError) {
    guard inputs.count >= 3 else {
      throw ApusError(.argument, "\(inputs.count) inputs of a batch of texts", expected: "3 or more")
    }
    // A sixteenth more tokens at most, above 64, and an eighth more texts above 8.
    let bounds = inputs[2].shape.elementCount - 1
    let texts = inputs.count > 3 ? inputs[3].shape.elementCount : bounds
    sequences = Self.roundedUp(texts, step: 1, parts: 8)
    tokens = max(Self.roundedUp(inputs[0].shape.elementCount, step: 4, parts: 16), sequences)
    var filled: [Tensor] = []
    for (index, input) in inputs.enumerated() {
      let count = index < 2 ? tokens : index == 3 ? sequences : bounds / max(texts, 1) * sequences + 1
      filled.append(try Self.filled(input, to: count))
    }
    self.inputs = filled
  }

  /// The next multiple of a power of two that is `step`, or the largest of which `parts` are in the number.
  private static func roundedUp(_ number: Int, step: Int, parts: Int) -> Int {
    var step = step
    while 2 * step * parts <= number { step *= 2 }
    return (number + step - 1) / step * step
  }

  /// Its last element again and again: an id, a position, a bound and a row that are there.
  private static func filled(_ input: Tensor, to count: Int) throws(ApusError) -> Tensor {
    let elements = try input.elements(of: Int32.self)
    guard elements.count < count, let last = elements.last else { return input }
    let filling = Array(repeating: last, count: count - elements.count)
    return try Tensor(elements + filling, shape: .vector(count))
  }
}
