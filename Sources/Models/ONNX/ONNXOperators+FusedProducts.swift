import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Products that ONNX Runtime's optimizer makes of several nodes.
  static let fusedProducts: [ONNXOperator] = [
    .plain("FusedMatMul", domain: "com.microsoft") { (step) throws(ApusError) in
      guard try !step.flag("transBatchA"), try !step.flag("transBatchB") else {
        throw ApusError(.unsupportedModel, "matrices whose batch stands second", expected: "first")
      }
      let alpha = try step.float("alpha", default: 1)
      let (turnsA, turnsB) = (try step.flag("transA"), try step.flag("transB"))
      let (a, b) = (try step.plain(0), try step.plain(1))
      let product = try step.matrixProduct(
        a, b, transposesA: turnsA && step.type(of: a).shape.rank > 1,
        transposesB: turnsB && step.type(of: b).shape.rank > 1)
      return alpha == 1 ? product : try step.add(Multiply(), [product, step.scalar(alpha)])
    },
    .plain("DynamicQuantizeMatMul", domain: "com.microsoft") { (step) throws(ApusError) in
      let a = try step.rangeQuantized(step.plain(0))
      let b = try step.integerFactor(1, 3)
      let sums = try step.integerProduct(step.integerFactor(a.bytes, zero: a.zero, isFirst: true), by: b)
      let scale = try step.add(Multiply(), [a.scale, step.plain(2)])
      return try step.biased(step.add(Multiply(), [step.cast(sums, to: .float32), scale]), 4)
    },
    .plain("MatMulIntegerToFloat", domain: "com.microsoft") { (step) throws(ApusError) in
      let a = try step.integerFactor(0, 4, isRow: true, isFirst: true)
      let sums = try step.integerProduct(a, by: step.integerFactor(1, 5))
      let scale = try step.add(Multiply(), [step.single(2, "the scale"), step.plain(3)])
      return try step.biased(step.add(Multiply(), [step.cast(sums, to: .float32), scale]), 6)
    },
    .runtime("QGemm") { (step) throws(ApusError) in try step.quantizedGeneralProduct() },
    .plain("MatMulNBits", domain: "com.microsoft") { (step) throws(ApusError) in
      let weights = try step.constant(step.blockWeights())
      let bias = step.has(5) ? try step.known(5) : nil
      guard step.has(5), let bias else {
        return try step.biased(step.add(Linear(hasBias: false), [step.plain(0), weights]), 5)
      }
      return try step.add(Linear(hasBias: true), [step.plain(0), weights, step.constant(bias)])
    },
  ]
}

extension ONNXStep {
  /// A sum with an operand that may be left out.
  fileprivate func biased(_ x: Value, _ index: Int) throws(ApusError) -> Value {
    has(index) ? try add(Add(), [x, plain(index)]) : x
  }

  /// `alpha · (A − a) · (B − b) + C`, with C in the steps of the products; real where no scale of the result is given.
  fileprivate func quantizedGeneralProduct() throws(ApusError) -> ONNXValue {
    let alpha = try float("alpha", default: 1)
    let (turnsA, turnsB) = (try flag("transA"), try flag("transB"))
    guard try shape(0).rank == 2, try shape(3).rank == 2 else {
      throw ApusError(.malformedModel, "shapes \(try shape(0)) and \(try shape(3))", expected: "two matrices")
    }
    var (a, b) = (try integerFactor(0, 2), try integerFactor(3, 5))
    if turnsA { a.bytes = try transposed(a.bytes, [1, 0]) }
    if turnsB { b.bytes = try transposed(b.bytes, [1, 0]) }
    var sums = try integerProduct(a, by: b)
    if has(6) { sums = try add(Add(), [sums, plain(6)]) }
    var scale = try add(Multiply(), [single(1, "the scale"), plain(4)])
    if alpha != 1 { scale = try add(Multiply(), [scale, scalar(alpha)]) }
    guard has(7) else {
      return ONNXValue(plain: try add(Multiply(), [cast(sums, to: .float32), scale]))
    }
    scale = try add(Divide(), [scale, single(7, "the scale")])
    return try requantized(ONNXValue(plain: sums), scale, zero: 8)
  }

  /// The weights of a `MatMulNBits` [N, K] in float32, made when they are first read.
  fileprivate func blockWeights() throws(ApusError) -> Tensor {
    passOver("accuracy_level")
    let (columns, depth) = (try integer("N"), try integer("K"))
    let (bits, size) = (try integer("bits", default: 4), try integer("block_size"))
    guard !has(4) else {
      throw ApusError(.unsupportedModel, "columns in groups (g_idx)", expected: "in their order")
    }
    let layout = try BlockQuantization(columns: columns, depth: depth, bits: bits, size: size)
    guard let stored = try known(1), let scales = try known(2) else {
      throw ApusError(
        .unsupportedModel, "weights that are computed while the model runs", expected: "known ones")
    }
    return try layout.weights(stored, scales, zeros: has(3) ? known(3) : nil)
  }
}
