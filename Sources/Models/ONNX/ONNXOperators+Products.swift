import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Sums of products.
  static let products: [ONNXOperator] = [
    .plain("MatMul") { (step) throws(ApusError) in try step.product(step.plain(0), 1) },
    .plain("Einsum") { (step) throws(ApusError) in try step.einsum() },
    .plain("Gemm") { (step) throws(ApusError) in try step.generalProduct() },
  ]
}

extension ONNXStep {
  /// Rows times an operand: a linear layer where that is a known matrix, else a product of matrices.
  func product(_ rows: Value, _ index: Int, isTransposed: Bool = false) throws(ApusError) -> Value {
    if let weights = try layerWeights(index), type(of: rows).shape.rank > 0,
      type(of: rows).dataType == .float32
    {
      let layer = Linear(hasBias: false, weightsAreTransposed: !isTransposed)
      let result = try add(layer, [rows, weights])
      translation.remember(product: result, by: layer, of: rows, weights)
      return result
    }
    return try matrixProduct(rows, plain(index), transposesB: isTransposed)
  }

  /// A known matrix as the weights of a linear layer; nil for anything else.
  private func layerWeights(_ index: Int) throws(ApusError) -> Value? {
    guard let matrix = try known(index), matrix.shape.rank == 2, matrix.shape.elementCount > 0,
      [.float32, .float16, .bfloat16].contains(matrix.dataType)
    else { return nil }
    return constant(matrix)
  }

  /// A product by the rule of NumPy: vectors are rows or columns whose axis goes again.
  func matrixProduct(
    _ a: Value, _ b: Value, transposesA: Bool = false, transposesB: Bool = false
  ) throws(ApusError) -> Value {
    let (first, second) = (type(of: a).shape.dimensions, type(of: b).shape.dimensions)
    let left = first.count == 1 ? try reshaped(a, [1] + first) : a
    let right = second.count == 1 ? try reshaped(b, second + [1]) : b
    let result = try add(BatchMatMul(transposeA: transposesA, transposeB: transposesB), [left, right])
    var shape = type(of: result).shape.dimensions
    if second.count == 1 { shape.removeLast() }
    if first.count == 1 { shape.remove(at: shape.count - (second.count == 1 ? 1 : 2)) }
    return try reshaped(result, shape)
  }

  /// `alpha · A · B + beta · C`.
  fileprivate func generalProduct() throws(ApusError) -> Value {
    let (alpha, beta) = (try float("alpha", default: 1), try float("beta", default: 1))
    let (transposesA, transposesB) = (try flag("transA"), try flag("transB"))
    guard try shape(0).rank == 2, try shape(1).rank == 2 else {
      throw ApusError(.malformedModel, "shapes \(try shape(0)) and \(try shape(1))", expected: "two matrices")
    }
    let a = transposesA ? try transposed(plain(0), [1, 0]) : try plain(0)
    if alpha == 1, beta == 1, has(2), let weights = try layerWeights(1), type(of: a).dataType == .float32,
      let bias = try bias(2, outputs: type(of: weights).shape[transposesB ? 0 : 1])
    {
      return try add(Linear(hasBias: true, weightsAreTransposed: !transposesB), [a, weights, bias])
    }
    var result = try product(a, 1, isTransposed: transposesB)
    if alpha != 1 { result = try add(Multiply(), [result, scalar(alpha)]) }
    guard has(2) else { return result }
    let addend = beta == 1 ? try plain(2) : try add(Multiply(), [plain(2), scalar(beta)])
    return try add(Add(), [result, addend])
  }

  /// A known number for each result; nil where an operand is something else.
  private func bias(_ index: Int, outputs: Int) throws(ApusError) -> Value? {
    guard let tensor = try known(index), tensor.shape.elementCount == outputs,
      tensor.shape.dimensions.last == outputs || outputs == 1, tensor.dataType.isFloat,
      tensor.dataType != .float64
    else { return nil }
    return constant(try tensor.reshaped(to: [outputs]))
  }

  /// The sum of a linear layer without a bias and a known number for each result, as one layer with a bias; nil of any other.
  func biasedProduct() throws(ApusError) -> ONNXValue? {
    guard inputCount == 2 else { return nil }
    for (index, other) in [(0, 1), (1, 0)] {
      let value = try input(index)
      guard let plain = value.plain, node.inputs[index] != node.inputs[other], reads(node.inputs[index]) == 1,
        translation.product(plain) != nil || translation.byteLayer(plain) != nil,
        try shape(other).rank <= type(of: plain).shape.rank,
        let bias = try bias(other, outputs: type(of: plain).shape.dimensions.last ?? 0)
      else { continue }
      if let operands = translation.byteLayer(plain) {
        let sum = try add(ByteLinear(), operands + [cast(bias, to: .float32)])
        return ONNXValue(plain: sum, narrowType: value.narrowType)
      }
      guard let product = translation.product(plain) else { continue }
      let layer = Linear(hasBias: true, weightsAreTransposed: product.layer.weightsAreTransposed)
      let sum = try add(layer, [product.rows, product.weights, bias])
      return ONNXValue(plain: sum, narrowType: value.narrowType)
    }
    return nil
  }
}
