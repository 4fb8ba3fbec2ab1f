import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// The attentions that ONNX Runtime's optimizer makes of many nodes.
  static let fusedAttention: [ONNXOperator] = [
    ONNXOperator("Attention", domain: "com.microsoft") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 2)
      var bias: Value? = step.has(2) ? try step.plain(2) : nil
      let projected = try step.projected(&bias)
      guard !step.has(6) else {
        throw ApusError(.unsupportedModel, "past rows in a shared buffer", expected: "rows that are appended")
      }
      return try step.projectedAttention(projected, bias, mask: 3, past: 4, addend: 5)
    },
    ONNXOperator("QAttention", domain: "com.microsoft") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 2)
      let sums = try step.integerProduct(
        step.integerFactor(0, 6, isFirst: true), by: step.integerFactor(1, 7))
      let scale = try step.add(Multiply(), [step.single(3, "the scale"), step.plain(4)])
      let rows = try step.add(Multiply(), [step.cast(sums, to: .float32), scale])
      return try step.projectedAttention(rows, step.plain(2), mask: 5, past: 8, addend: nil)
    },
    ONNXOperator("MultiHeadAttention", domain: "com.microsoft") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 4)
      return try step.multiHeadAttention()
    },
  ]
}

extension ONNXStep {
  /// Operand 0 by the weights in operand 1, with the bias taken up where it is known.
  fileprivate func projected(_ bias: inout Value?) throws(ApusError) -> Value {
    guard try shape(0).rank == 3, try shape(1).rank == 2 else {
      throw ApusError(
        .malformedModel, "shapes \(try shape(0)) and \(try shape(1))",
        expected: "rows in batches and a matrix")
    }
    return try product(plain(0), 1)
  }

  /// Attention among rows [batch, length, queries, keys and values side by side].
  fileprivate func projectedAttention(
    _ rows: Value, _ bias: Value?, mask: Int, past: Int, addend: Int?
  ) throws(ApusError) -> [ONNXValue?] {
    passOver("rotary_embedding_dim", "past_present_share_buffer")
    guard try !flag("do_rotary") else {
      throw ApusError(.unsupportedModel, "rows that are turned by their positions (do_rotary)")
    }
    let all = try bias.map { (bias) throws(ApusError) in try add(Add(), [rows, bias]) } ?? rows
    let (heads, width) = (try integer("num_heads"), type(of: all).shape.dimensions.last ?? 0)
    let sizes = try integers("qkv_hidden_sizes") ?? [Int](repeating: width / 3, count: 3)
    guard sizes.count == 3, sizes.allSatisfy({ $0 > 0 && $0 <= width }), sizes[0] == sizes[1],
      sizes.reduce(0, +) == width
    else {
      throw ApusError(.malformedModel, "qkv_hidden_sizes \(sizes) of \(width) columns", expected: "its parts")
    }
    let parts = try add(SplitV(count: 3), [all, constant(sizes), constant([2])], count: 3)
    var split: [Value] = []
    for part in parts { split.append(try headed(part, heads: heads)) }
    var before: (keys: Value, values: Value)?
    if has(past) {
      let both = try add(Unpack(count: 2, axis: 0), [plain(past)], count: 2)
      before = (both[0], both[1])
    }
    let keys = try continued(before?.keys, split[1])
    let values = try continued(before?.values, split[2])
    let found = try masked(split[0], keys, values, mask: mask, addend: addend)
    var results = [ONNXValue(plain: try joinedHeads(found.rows), narrowType: narrowType)]
    if wants(1) {
      results.append(ONNXValue(plain: try add(Pack(axis: 0), [keys, values]), narrowType: narrowType))
    }
    return results
  }

  fileprivate func multiHeadAttention() throws(ApusError) -> [ONNXValue?] {
    let heads = try integer("num_heads")
    guard !has(8), !has(9) else {
      throw ApusError(.unsupportedModel, "past rows in a shared buffer", expected: "rows that are appended")
    }
    var parts = try multiHeadParts(heads: heads)
    if has(3) { try addBias(&parts, heads: heads) }
    let keys = try continued(has(6) ? plain(6) : nil, parts[1])
    let values = try continued(has(7) ? plain(7) : nil, parts[2])
    let found = try masked(parts[0], keys, values, mask: 4, addend: 5)
    return [try joinedHeads(found.rows), keys, values, found.weights].map {
      ONNXValue(plain: $0, narrowType: narrowType)
    }
  }

  /// Queries, keys and values [batch, heads, length, width], each by itself or side by side.
  private func multiHeadParts(heads: Int) throws(ApusError) -> [Value] {
    if try shape(0).rank == 5 { return try packed(plain(0), count: 3) }
    let queries = try headed(plain(0), heads: heads)
    if try shape(1).rank == 5 { return [queries] + (try packed(plain(1), count: 2)) }
    var parts = [queries]
    for index in 1...2 {
      let rows = try plain(index)
      parts.append(type(of: rows).shape.rank == 4 ? rows : try headed(rows, heads: heads))
    }
    return parts
  }

  /// Parts that lie side by side in [batch, length, heads, count, width].
  private func packed(_ rows: Value, count: Int) throws(ApusError) -> [Value] {
    guard type(of: rows).shape[3] == count else {
      throw ApusError(
        .malformedModel, "rows of shape \(type(of: rows).shape)", expected: "\(count) parts on axis 3")
    }
    var parts: [Value] = []
    for part in try add(Unpack(count: count, axis: 3), [rows], count: count) {
      parts.append(try transposed(part, [0, 2, 1, 3]))
    }
    return parts
  }

  /// Adds a number to each column of queries, keys and values.
  private func addBias(_ parts: inout [Value], heads: Int) throws(ApusError) {
    let widths = parts.map { type(of: $0).shape[3] }
    let bias = try add(
      SplitV(count: 3), [plain(3), constant(widths.map { [$0, heads].saturatingProduct }), constant([0])],
      count: 3)
    for index in parts.indices {
      parts[index] = try add(Add(), [parts[index], reshaped(bias[index], [heads, 1, widths[index]])])
    }
  }

  private func masked(
    _ queries: Value, _ keys: Value, _ values: Value, mask: Int, addend: Int?
  ) throws(ApusError) -> ONNXAttention.Results {
    let (rows, all) = (type(of: queries).shape, type(of: keys).shape)
    guard rows.rank == 4, all.rank == 4 else {
      throw ApusError(.malformedModel, "rows \(rows) and keys \(all)", expected: "4 axes")
    }
    var attention = ONNXAttention(
      queries: queries, keys: keys, values: values, scale: try attentionScale(width: rows[3]))
    let hidden = try float("mask_filter_value", default: -10_000)
    if has(mask) { attention.masks.append(try keyMask(mask, queries: rows, keys: all[2], hidden: hidden)) }
    if try flag("unidirectional") {
      attention.masks.append(
        try causalMask(
          rows: rows[2], keys: all[2], past: max(0, all[2] - rows[2]), hidden: -.greatestFiniteMagnitude))
    }
    if let addend, has(addend) { attention.masks.append(try plain(addend)) }
    return try attended(attention)
  }

  /// A mask of integers: 0 for what is hidden in [batch, keys] or [batch, rows, keys]; the number of keys that are seen
  /// [batch]; or first where they end and then where they begin [2 · batch].
  private func keyMask(
    _ index: Int, queries: Shape, keys: Int, hidden: Float
  ) throws(ApusError) -> Value {
    let (stored, batch) = (try plain(index), queries[0])
    let numbers = try cast(stored, to: .int64)
    let shape = type(of: numbers).shape.dimensions
    let zero = try constant([0])
    switch shape {
    case [batch, keys]:
      let isSeen = try add(Compare(.notEqual), [reshaped(numbers, [batch, 1, 1, keys]), zero])
      return try mask(isSeen, hidden: hidden)
    case [batch, queries[2], keys]:
      let isSeen = try add(Compare(.notEqual), [reshaped(numbers, [batch, 1, queries[2], keys]), zero])
      return try mask(isSeen, hidden: hidden)
    case [batch], [2 * batch]:
      let places = try constant(Array(0..<keys))
      let bounds = try reshaped(numbers, [shape[0] / max(batch, 1), batch, 1, 1, 1])
      func bound(_ index: Int) throws(ApusError) -> Value {
        try reshaped(add(Gather(axis: 0), [bounds, constant([index])]), [batch, 1, 1, 1])
      }
      var isSeen = try add(Compare(.less), [places, bound(0)])
      if shape == [2 * batch], shape != [batch] {
        isSeen = try add(
          LogicalBinary(.and), [isSeen, add(Compare(.greaterEqual), [places, bound(1)])])
      }
      return try mask(isSeen, hidden: hidden)
    default:
      throw ApusError(
        .unsupportedModel, "a mask of shape \(shape)",
        expected: "[\(batch), \(keys)], [\(batch), \(queries[2]), \(keys)], [\(batch)] or [\(2 * batch)]")
    }
  }
}
