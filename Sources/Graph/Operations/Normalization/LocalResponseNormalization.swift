import CLibrary
import TensorCore

/// Each float32 number divided by `(bias + alpha × s)^beta`, where `s` is the sum of the squares of its
/// neighbours along the last axis.
///
/// The neighbours are those from `radius` before to `radius` − 1 after, as TFLite's reference has them.
package struct LocalResponseNormalization: Operation {
  package let radius: Int
  package let bias: Float
  package let alpha: Float
  package let beta: Float
  package var name: String { "localResponseNormalization" }

  package init(radius: Int, bias: Float, alpha: Float, beta: Float) {
    self.radius = radius
    self.bias = bias
    self.alpha = alpha
    self.beta = beta
  }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    guard (0...(1 << 31)).contains(radius) else {
      throw ApusError(.malformedModel, "radius \(radius)", expected: "0 or more")
    }
    let result = try operands.unaryResult(of: [.float32])
    _ = try LastAxis(result.shape)
    return [result]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let layout = try LastAxis(try context.operands.input(0).shape)
    let operation = self
    return Lowering("\(name) float32") {
      $0.forEachRow(layout) { (row: UnsafeBufferPointer<Float>, result: UnsafeMutableBufferPointer<Float>) in
        for index in 0..<row.count {
          let first = max(0, index - operation.radius)
          var sum: Float = 0
          for neighbour in first..<max(first, min(row.count, index + operation.radius)) {
            sum += row[neighbour] * row[neighbour]
          }
          result[index] =
            row[index] * CLibrary.powf(operation.bias + operation.alpha * sum, -operation.beta)
        }
      }
    }
  }
}
