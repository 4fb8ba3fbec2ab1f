import Apus
import TestSupport
import Testing

/// `.onnx` files on tensors of whatever number and length: compiled for each shape.
struct ONNXSessionTests {
  @Test func picturesOfAnyNumber() throws {
    let session = try InferenceSession(Checkout.fixture("onnx/network.onnx").path)
    #expect(session.inputs.map(\.name) == ["in0"])
    #expect(session.inputs[0].shape.dimensions == [1, 3, 16, 16])
    for count in [1, 3, 2] {
      let pixels = (0..<(count * 768)).map { Float($0 % 97) / 97 }
      let outputs = try session.blocking.run([Tensor(pixels, shape: [count, 3, 16, 16])])
      #expect(outputs[0].tensor.shape.dimensions == [count, 5])
      let scores = try outputs[0].tensor.elements(of: Float.self)
      // Each row is a softmax of five classes.
      #expect(abs(scores.reduce(0, +) - Float(count)) < 1e-5)
    }
  }

  /// A row of a batch is what it is alone.
  @Test func textsOfAnyLength() throws {
    let session = try InferenceSession(Checkout.fixture("onnx/encoder.onnx").path)
    for tokens in [4, 9] {
      let ids = (0..<(2 * tokens)).map { Int64($0 * 7 % 20) }
      let ones = [Int64](repeating: 1, count: 2 * tokens)
      let both = try session.blocking.run([
        Tensor(ids, shape: [2, tokens]), Tensor(ones, shape: [2, tokens]),
      ])
      let alone = try session.blocking.run([
        Tensor(Array(ids[tokens...]), shape: [1, tokens]),
        Tensor(Array(ones[tokens...]), shape: [1, tokens]),
      ])
      #expect(both[0].tensor.shape.dimensions == [2, tokens, 12])
      let (batch, single) = (
        try both[0].tensor.elements(of: Float.self), try alone[0].tensor.elements(of: Float.self)
      )
      for (a, b) in zip(batch[(tokens * 12)...], single) { #expect(abs(a - b) < 1e-5) }
    }
  }

  @Test func aShapeThatDoesNotFitIsTheCallers() throws {
    let session = try InferenceSession(Checkout.fixture("onnx/network.onnx").path)
    let error = try #require(throws: ApusError.self) {
      try session.blocking.run([Tensor([Float](repeating: 0, count: 4 * 256), shape: [1, 4, 16, 16])])
    }
    #expect(error.kind == .argument)
  }
}
