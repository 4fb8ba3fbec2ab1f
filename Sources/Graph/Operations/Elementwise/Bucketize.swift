import TensorCore

/// How many boundaries each element has reached: the number of its bucket, in int32. NaN has reached all.
///
/// Integers are compared as float32. Source: TFLite's `Bucketize`.
package struct Bucketize: Operation {
  package let boundaries: [Float]

  package var name: String { "bucketize" }

  package init(boundaries: [Float]) { self.boundaries = boundaries }

  package func outputTypes(_ operands: Operands) throws(ApusError) -> [TensorType] {
    try operands.requireCount(1...1)
    let input = try operands.input(0, of: [.float32, .float64, .int32, .int64])
    guard zip(boundaries, boundaries.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      throw ApusError(.malformedModel, "boundaries that do not ascend")
    }
    return [try operands.result(input.shape, of: .int32)]
  }

  package func lower(_ context: LoweringContext) throws(ApusError) -> Lowering {
    let type = try context.operands.input(0).dataType
    return Lowering("\(name) \(type.rawValue)") { arguments in
      switch type {
      case .float32: arguments.map { $0.apply { (x: Float) in bucket(Double(x)) } }
      case .float64: arguments.map { $0.apply { (x: Double) in bucket(x) } }
      case .int32: arguments.map { $0.apply { (x: Int32) in bucket(Double(Float(x))) } }
      default: arguments.map { $0.apply { (x: Int64) in bucket(Double(Float(x))) } }
      }
    }
  }

  private func bucket(_ x: Double) -> Int32 {
    var (low, high) = (0, boundaries.count)
    while low < high {
      let middle = (low + high) / 2
      if x < Double(boundaries[middle]) { high = middle } else { low = middle + 1 }
    }
    return Int32(clamping: low)
  }
}
