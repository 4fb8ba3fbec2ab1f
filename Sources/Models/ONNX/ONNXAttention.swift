import Graph
import TensorCore

/// An attention over [batch, heads, rows, width] on its way into a graph: `softmax(q · kᵀ · scale + masks) · v`.
struct ONNXAttention {
  let queries: Value
  /// Keys and values may have fewer heads, each shared by as many neighbours.
  let keys: Value
  let values: Value
  let scale: Float
  /// Products are brought into −softcap…softcap before masks are added; 0 for products as they are.
  var softcap: Float = 0
  /// Numbers that are added to products, in turn.
  var masks: [Value] = []

  /// What is computed on the way, and at last [batch, heads, rows, width].
  struct Results {
    let products: Value
    let capped: Value
    let masked: Value
    let weights: Value
    let rows: Value
  }
}

extension ONNXStep {
  func attended(_ attention: ONNXAttention) throws(ApusError) -> ONNXAttention.Results {
    let shape = type(of: attention.queries).shape
    guard [attention.queries, attention.keys, attention.values].allSatisfy({ type(of: $0).shape.rank == 4 })
    else { throw ApusError(.malformedModel, "queries of shape \(shape)", expected: "4 axes") }
    let keys = try repeated(attention.keys, heads: shape[1])
    let values = try repeated(attention.values, heads: shape[1])
    let products = try add(
      Multiply(),
      [add(BatchMatMul(transposeB: true), [attention.queries, keys]), scalar(attention.scale)])
    var capped = products
    if attention.softcap != 0 {
      let limit = try scalar(attention.softcap)
      capped = try add(Multiply(), [add(Tanh(), [add(Divide(), [products, limit])]), limit])
    }
    var masked = capped
    for mask in attention.masks { masked = try add(Add(), [masked, mask]) }
    let weights = try add(Softmax(), [masked])
    return ONNXAttention.Results(
      products: products, capped: capped, masked: masked, weights: weights,
      rows: try add(BatchMatMul(), [weights, values]))
  }

  /// Keys or values with each head as often as queries ask for it.
  private func repeated(_ rows: Value, heads: Int) throws(ApusError) -> Value {
    let shape = type(of: rows).shape
    guard shape[1] != heads else { return rows }
    guard shape[1] > 0, heads % shape[1] == 0 else {
      throw ApusError(
        .malformedModel, "\(shape[1]) heads of keys for \(heads) of queries", expected: "a divisor of these")
    }
    let wide = [shape[0], shape[1], heads / shape[1], shape[2], shape[3]]
    let apart = try reshaped(rows, [shape[0], shape[1], 1, shape[2], shape[3]])
    return try reshaped(
      add(BroadcastTo(), [apart, constant(wide)]), [shape[0], heads, shape[2], shape[3]])
  }

  /// Rows [batch, length, heads · width] as [batch, heads, length, width].
  func headed(_ rows: Value, heads: Int) throws(ApusError) -> Value {
    let shape = type(of: rows).shape
    guard shape.rank == 3, heads > 0, shape[2] % heads == 0 else {
      throw ApusError(
        .malformedModel, "rows of shape \(shape) for \(heads) heads",
        expected: "columns in as many equal parts")
    }
    return try transposed(reshaped(rows, [shape[0], shape[1], heads, shape[2] / heads]), [0, 2, 1, 3])
  }

  /// Rows [batch, heads, length, width] as [batch, length, heads · width].
  func joinedHeads(_ rows: Value) throws(ApusError) -> Value {
    let shape = type(of: rows).shape
    return try reshaped(
      transposed(rows, [0, 2, 1, 3]), [shape[0], shape[2], [shape[1], shape[3]].saturatingProduct])
  }

  /// What came before and what comes now, along the rows.
  func continued(_ past: Value?, _ rows: Value) throws(ApusError) -> Value {
    guard let past else { return rows }
    return try add(Concatenation(axis: 2), [past, rows])
  }

  /// A mask that hides from row i all keys behind i + past.
  func causalMask(rows: Int, keys: Int, past: Int, hidden: Float) throws(ApusError) -> Value {
    try Self.requireFew([rows, keys].saturatingProduct, "elements of a mask")
    var numbers: [Float] = []
    numbers.reserveCapacity(rows * keys)
    for row in 0..<rows {
      for key in 0..<keys { numbers.append(key > row + past ? hidden : 0) }
    }
    return constant(try Tensor(numbers, shape: [rows, keys]))
  }

  /// 0 where a condition holds, and a number elsewhere.
  func mask(_ condition: Value, hidden: Float) throws(ApusError) -> Value {
    try add(Select(broadcasts: true), [condition, scalar(0), scalar(hidden)])
  }

  /// `1 / √width`, or what an attribute says.
  func attentionScale(width: Int) throws(ApusError) -> Float {
    let stated = try float("scale")
    return stated != 0 ? stated : 1 / Float(max(width, 1)).squareRoot()
  }
}
