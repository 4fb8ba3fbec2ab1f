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
  private let name: String
  /// [outputs, inputs, size, size], as PyTorch stores filters.
  private let filters: Tensor
  private let source: WeightSource
  private let offsets: Tensor

  /// - Parameter outputs: the filters that there must be; nil for as many as there are.
  init(
    _ unit: ConvolutionUnit, inputs: Int, outputs: Int? = nil, size: Int, _ epsilon: Double,
    _ weights: WeightPath
  ) throws(ApusError) {
    let (convolution, norm) = (weights[unit.convolution], weights[unit.norm])
    guard let outputs = outputs ?? convolution.shape(of: "weight").map({ $0.first ?? 1 }) else {
      throw convolution.missing("weight", "one of shape [filters, \(inputs), \(size), \(size)]")
    }
    name = unit.convolution
    let shape = [outputs, inputs, size, size]
    let weight = try convolution.weight("weight", shape)
    source = weight.source
    var numbers = try weight.tensor.realNumbers()
    let parameters = { (name: String) throws(ApusError) in try norm.tensor(name, [outputs]).floats() }
    let (scales, shifts) = (try parameters("weight"), try parameters("bias"))
    let (means, variances) = (try parameters("running_mean"), try parameters("running_var"))
    let factors = zip(scales, variances).map { Double($0) / (Double($1) + epsilon).squareRoot() }
    let depth = inputs * size * size
    for (row, factor) in factors.enumerated() {
      for index in row * depth..<(row + 1) * depth { numbers[index] = Float(Double(numbers[index]) * factor) }
    }
    filters = try Tensor(numbers, shape: Shape(shape))
    offsets = try Tensor(
      factors.indices.map { Float(Double(shifts[$0]) - Double(means[$0]) * factors[$0]) },
      shape: .vector(outputs))
  }

  /// - Parameter order: the axes of the stored filters in the order that the operation wants.
  func apply(
    _ operation: some Operation, to x: Value, order: [Int32], in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let stored = graph.constant("\(name).weight", filters, source: source)
    let filters = try graph.transpose(stored, order, at: "\(name).filters")
    return try graph.apply(
      operation, [x, filters, graph.constant("\(name).bias", offsets)], at: name)
  }
}
