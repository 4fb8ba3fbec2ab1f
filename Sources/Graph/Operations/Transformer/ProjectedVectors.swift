import Kernels
import TensorCore

/// Learned vectors as the heads of a layer take them: normalised where they are to be, projected by a matrix, and scaled,
/// `scale · (v · W[h]ᵀ + b[h])`.
///
/// They follow from constants alone, and are made in float32 where their packed form is needed and not yet known.
struct ProjectedVectors {
  /// Vectors.
  let count: Int
  /// Features of one head.
  let headWidth: Int
  private let heads: Int
  private let scale: Float
  private let epsilon: Float?
  private let vectors: Tensor
  private let matrix: Tensor
  private let bias: Tensor?
  /// Scale and offset of the normalisation; empty for none.
  private let factors: [Tensor?]

  /// To be raised whenever ``elements(_:)`` computes something else of the same constants: caches on disk outlive the program.
  private static let ruleVersion = 1
  private static let (vectorsIndex, matrixIndex, biasIndex, factorIndices) = (1, 2, 3, [4, 5])

  /// - Throws: ``ApusError`` when operands 1 to 5 are not as ``HeadProducts`` demands them.
  init(_ operands: Operands, of products: HeadProducts) throws(ApusError) {
    (heads, scale, epsilon) = (products.heads, products.scale, products.epsilon)
    guard scale.isFinite else {
      throw ApusError(.malformedModel, "the scale \(scale)", expected: "a finite number")
    }
    let shape = try operands.input(
      Self.vectorsIndex, "the vectors", of: [.float32, .float16, .bfloat16], rank: 2
    ).shape
    guard shape.elementCount > 0 else {
      throw ApusError(.malformedModel, "vectors of shape \(shape)", expected: "at least one element")
    }
    count = shape[0]
    let rows = try operands.input(Self.matrixIndex, "the matrix", rank: 2).shape[0]
    guard heads > 0, rows > 0, rows % heads == 0 else {
      throw ApusError(
        .malformedModel, "a matrix of \(rows) rows for \(heads) heads", expected: "as many rows for each head"
      )
    }
    headWidth = rows / heads
    vectors = try operands.requireConstant(Self.vectorsIndex, "the vectors")
    matrix = try operands.requireConstant(Self.matrixIndex, "the matrix")
    bias =
      operands.has(Self.biasIndex) ? try operands.requireConstant(Self.biasIndex, "the bias") : nil
    var factors: [Tensor?] = []
    for index in Self.factorIndices where operands.has(index) {
      factors.append(try operands.requireConstant(index, "a factor of the normalisation"))
    }
    self.factors = factors
    guard epsilon != nil || factors.isEmpty else {
      throw ApusError(
        .malformedModel, "factors that normalise the vectors", expected: "none without an epsilon")
    }
    guard epsilon == nil || factors.count == 2 else {
      throw ApusError(
        .malformedModel, "no scale or no offset for the vectors' normalisation", expected: "both")
    }
    // What the two operations refuse is refused when the graph is built.
    let type = TensorType(.float32, shape)
    if let normalization { _ = try normalization.outputTypes(Self.operands(rows: type, factors)) }
    _ = try projection.outputTypes(Self.operands(rows: type, projectionTensors))
  }

  private var normalization: LayerNormalization? { epsilon.map { LayerNormalization(epsilon: $0) } }
  private var projection: Linear { Linear(hasBias: bias != nil) }
  private var projectionTensors: [Tensor?] { bias == nil ? [matrix] : [matrix, bias] }

  private static func operands(rows: TensorType, _ known: [Tensor?]) -> Operands {
    let types: [TensorType?] = known.map { $0?.type }
    return Operands(inputs: [rows] + types, constants: [nil] + known, declared: [])
  }

  /// What the packed form of one head's vectors depends on.
  func identity(
    head: Int, _ format: WeightFormat, _ context: LoweringContext
  ) -> PackedWeightIdentity {
    let tensors: [Tensor?] = [vectors, matrix, bias]
    let normalized = epsilon.map { Int($0.bitPattern) } ?? -1
    return PackedWeightIdentity(
      tensors: tensors + factors, columns: count, depth: headWidth, format, context.kernels,
      rule: [Self.ruleVersion, heads, head, Int(scale.bitPattern), normalized])
  }

  /// float32 [heads, count, headWidth].
  func elements(_ context: LoweringContext) throws(ApusError) -> Tensor {
    var rows = try Tensor(vectors.floats(), shape: vectors.shape)
    if let normalization { rows = try Self.result(of: normalization, rows, factors, context) }
    let projected = try Self.result(of: projection, rows, projectionTensors, context)
    let type = TensorType(.float32, try Shape([heads, count, headWidth]))
    let turned = try Tensor(type) { target in
      projected.withBytes { source in
        turn(source.bindMemory(to: Float.self), to: target.bindMemory(to: Float.self))
      }
    }
    return turned
  }

  /// Scales the elements of each head and writes them together.
  private func turn(_ source: UnsafeBufferPointer<Float>, to target: UnsafeMutableBufferPointer<Float>) {
    for head in 0..<heads {
      for row in 0..<count {
        let (from, to) = ((row * heads + head) * headWidth, (head * count + row) * headWidth)
        for place in 0..<headWidth { target[to + place] = scale * source[from + place] }
      }
    }
  }

  private static func result(
    of operation: some Operation, _ rows: Tensor, _ others: [Tensor?], _ context: LoweringContext
  ) throws(ApusError) -> Tensor {
    let known: [Tensor?] = [rows] + others
    let operands = Operands(inputs: known.map { $0?.type }, constants: known, declared: [])
    let types = try operation.outputTypes(operands)
    let own = LoweringContext(
      operands: operands, results: types, kernels: context.kernels, threads: context.threads)
    let lowering = try operation.lowering(own)
    return try Evaluator.evaluate(lowering, operands: operands, results: types, threads: context.threads)[0]
  }
}
