import CLibrary
import TensorCore

/// How alike rows are to vectors: operand 0, float32 [N, F], and operand 1, [V, F], become [N, V]. Computed in double precision.
package struct VectorKernel: Operation {
  package enum Function: Sendable {
    /// The product of both.
    case linear
    /// (gamma · product + offset) to the power of a degree.
    case polynomial(gamma: Double, offset: Double, degree: Double)
    /// e to the power of -gamma · the square of the distance.
    case radial(gamma: Double)
    /// tanh(gamma · product + offset).
    case sigmoid(gamma: Double, offset: Double)
  }

  package let function: Function
  package var name: String { "vectorKernel" }

  package init(_ function: Function) { self.function = function }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(2...2)
    let rows = try operands.input(0, "the rows", of: [.float32], rank: 2).shape
    let vectors = try operands.input(1, "the vectors", of: [.float32], rank: 2).shape
    guard rows[1] == vectors[1] else {
      throw ApusError(.malformedModel, "rows \(rows) and vectors \(vectors)", expected: "as many features")
    }
    return [try TensorType(.float32, Shape([rows[0], vectors[0]])).limited()]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let vectors = try context.operands.input(1).shape
    let (count, features, function) = (vectors[0], vectors[1], function)
    let rows = context.result.shape[0]
    // A nanosecond for each feature, some 20 for the function.
    let grain = max(1, 20_000 / max(1, [count, features + 20].saturatingProduct))
    return Lowering("vector kernel") { arguments in
      let (source, stored) = (arguments.input(0, as: Float.self), arguments.input(1, as: Float.self))
      guard let target = arguments.output(0, as: Float.self).baseAddress else { return }
      arguments.parallel(rows, grain: grain) { range in
        for row in range {
          for vector in 0..<count {
            var sum = 0.0
            for feature in 0..<features {
              let (x, s) = (
                Double(source[row * features + feature]), Double(stored[vector * features + feature])
              )
              if case .radial = function { sum += (x - s) * (x - s) } else { sum += x * s }
            }
            target[row * count + vector] = Float(function.value(sum))
          }
        }
      }
    }
  }
}

extension VectorKernel.Function {
  /// - Parameter sum: the product, or the square of the distance.
  fileprivate func value(_ sum: Double) -> Double {
    switch self {
    case .linear: sum
    case .polynomial(let gamma, let offset, let degree): pow(gamma * sum + offset, degree)
    case .radial(let gamma): exp(-gamma * sum)
    case .sigmoid(let gamma, let offset): tanh(gamma * sum + offset)
    }
  }
}
