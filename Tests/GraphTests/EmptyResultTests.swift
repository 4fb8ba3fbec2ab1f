import Graph
import Kernels
import TensorCore
import Testing

/// Shapes may have trillions of rows with nothing in them.
@Suite struct EmptyResultTests {
  @Test(.timeLimit(.minutes(20)))
  func nothingRuns() throws {
    let x = try Tensor([Float](), shape: Shape([1 << 27, 1 << 18, 0, 4]))
    let weights = try Tensor([Float](repeating: 1, count: 36), shape: Shape([1, 3, 3, 4]))
    let bias = try Tensor([Float](repeating: 0, count: 4), shape: Shape([4]))
    let cases: [(any Operation, [Tensor])] = [
      (DepthwiseConvolution2D(padding: .same), [x, weights, bias]), (pool(.average), [x]), (pool(.max), [x]),
      (Softmax(), [x]), (LogSoftmax(), [x]), (L2Normalization(), [x]),
      (LocalResponseNormalization(radius: 2, bias: 1, alpha: 1, beta: 0.5), [x]), (Add(), [x, x]),
    ]
    for (operation, inputs) in cases {
      let result = try evaluate(operation, inputs, result: TensorType(.float32, .scalar))
      #expect(result.shape == x.shape, "\(operation.name)")
    }
  }

  private func pool(_ kind: Pool2D.Kind) -> Pool2D {
    Pool2D(kind, filterHeight: 3, filterWidth: 3, strideHeight: 1, strideWidth: 1, padding: .same)
  }
}
