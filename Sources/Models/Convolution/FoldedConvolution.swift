import Graph
import TensorCore

/// What a convolution and the batch normalisation behind it are called in a library's files.
struct ConvolutionUnit: Sendable {
  let convolution: String
  let norm: String

  init(_ convolution: String, _ norm: String) {
    self.convolution = convolution
    self.norm = norm
  }
}

/// A convolution's filters and offsets with the batch normalisation behind it folded in.
///
/// `γ · (w∗x − μ) / √(σ² + ε) + β` is a convolution by `w · γ / √(σ² + ε)` with offset `β − μ · γ / √(σ² + ε)`.
struct FoldedConvolution {
  /// How an operation wants the axes of its filters, which PyTorch stores as [outputs, inputs, size, size].
  enum Order {
    /// [outputs, size, size, inputs]
    case convolution
    /// [1, size, size, outputs], of filters with one input.
    case depthwise
  }

  private let name: String
  private let filters: Tensor
  private let source: WeightSource
  private let offsets: Tensor

  /// - Parameter outputs: the filters that there must be; nil for as many as there are.
  init(
    _ unit: ConvolutionUnit, inputs: Int, outputs: Int? = nil, size: Int, order: Order = .convolution,
    _ epsilon: Double, _ weights: WeightPath
  ) throws(ApusError) {
    let (convolution, norm) = (weights[unit.convolution], weights[unit.norm])
    guard let outputs = outputs ?? convolution.shape(of: "weight").map({ $0.first ?? 1 }) else {
      throw convolution.missing("weight", "one of shape [filters, \(inputs), \(size), \(size)]")
    }
    // Nothing would add it.
    guard convolution.shape(of: "bias") == nil else {
      throw ApusError(.unsupportedModel, "an offset before batch normalisation", expected: "none")
        .at(convolution.key("bias"))
    }
    name = unit.convolution
    let weight = try convolution.weight("weight", [outputs, inputs, size, size])
    source = weight.source.reordered
    let parameters = { (name: String) throws(ApusError) in try norm.tensor(name, [outputs]).floats() }
    let (scales, shifts) = (try parameters("weight"), try parameters("bias"))
    let (means, variances) = (try parameters("running_mean"), try parameters("running_var"))
    let factors = zip(scales, variances).map { Double($0) / (Double($1) + epsilon).squareRoot() }
    filters = try Self.filters(weight.tensor, factors, inputs: inputs, size: size, order)
    offsets = try Tensor(
      factors.indices.map { Float(Double(shifts[$0]) - Double(means[$0]) * factors[$0]) },
      shape: .vector(outputs))
  }

  /// The stored filters times a factor each, in the order of an operation.
  private static func filters(
    _ stored: Tensor, _ factors: [Double], inputs: Int, size: Int, _ order: Order
  ) throws(ApusError) -> Tensor {
    let numbers = try stored.realNumbers()
    let (outputs, taps) = (factors.count, size * size)
    var ordered = [Float](repeating: 0, count: numbers.count)
    var next = 0
    for (output, factor) in factors.enumerated() {
      for input in 0..<inputs {
        for tap in 0..<taps {
          let place = order == .convolution ? (output * taps + tap) * inputs + input : tap * outputs + output
          ordered[place] = Float(Double(numbers[next]) * factor)
          next += 1
        }
      }
    }
    return try Tensor(
      ordered,
      shape: Shape(order == .convolution ? [outputs, size, size, inputs] : [1, size, size, outputs]))
  }

  func apply(_ operation: some Operation, to x: Value, in graph: inout GraphBuilder) throws(ApusError)
    -> Value
  {
    let filters = graph.constant("\(name).weight", filters, source: source)
    return try graph.apply(operation, [x, filters, graph.constant("\(name).bias", offsets)], at: name)
  }
}
