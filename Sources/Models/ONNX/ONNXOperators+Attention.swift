import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// ONNX's own attention, and the turning of rows by their positions.
  static let attention: [ONNXOperator] = [
    ONNXOperator("Attention") { (step) throws(ApusError) in try step.attention() },
    .plain("RotaryEmbedding") { (step) throws(ApusError) in
      try step.rotated(positions: step.has(3) ? 3 : nil, cosines: 1, sines: 2)
    },
    .plain("RotaryEmbedding", domain: "com.microsoft") { (step) throws(ApusError) in
      guard try !step.flag("is_packed_batching"), try step.float("scale", default: 1) == 1 else {
        throw ApusError(.unsupportedModel, "packed batches, or a scale", expected: "neither")
      }
      return try step.rotated(positions: 1, cosines: 2, sines: 3)
    },
  ]
}

extension ONNXStep {
  fileprivate func attention() throws(ApusError) -> [ONNXValue?] {
    try requireOutputs(atMost: 4)
    passOver("softmax_precision")
    let isFlat = try shape(0).rank == 3
    let (heads, keyHeads) = (try integer("q_num_heads"), try integer("kv_num_heads"))
    func part(_ index: Int, _ heads: Int) throws(ApusError) -> Value {
      let rows = try plain(index)
      return type(of: rows).shape.rank == 3 ? try headed(rows, heads: heads) : rows
    }
    let queries = try part(0, heads)
    let (newKeys, newValues) = (try part(1, keyHeads), try part(2, keyHeads))
    for rows in [queries, newKeys, newValues] where type(of: rows).shape.rank != 4 {
      throw ApusError(
        .malformedModel, "rows of shape \(type(of: rows).shape)", expected: "three axes, or four with heads")
    }
    let keys = try continued(has(4) ? plain(4) : nil, newKeys)
    let values = try continued(has(5) ? plain(5) : nil, newValues)
    let past = has(4) ? try shape(4)[2] : 0
    let scale = try attentionScale(width: type(of: queries).shape.dimensions.last ?? 1)
    var attention = ONNXAttention(queries: queries, keys: keys, values: values, scale: scale)
    attention.softcap = try float("softcap")
    attention.masks = try masks(queries: type(of: queries).shape, keys: type(of: keys).shape, past: past)
    let found = try attended(attention)
    let stages = [found.products, found.capped, found.masked, found.weights]
    let stage = try integer("qk_matmul_output_mode")
    guard stages.indices.contains(stage) else {
      throw ApusError(.malformedModel, "qk_matmul_output_mode \(stage)", expected: "0 to 3")
    }
    let rows = isFlat ? try joinedHeads(found.rows) : found.rows
    return [rows, keys, values, stages[stage]].map { ONNXValue(plain: $0, narrowType: narrowType) }
  }

  private func masks(queries: Shape, keys: Shape, past: Int) throws(ApusError) -> [Value] {
    var masks: [Value] = []
    if try flag("is_causal") {
      masks.append(try causalMask(rows: queries[2], keys: keys[2], past: past, hidden: -.infinity))
    }
    if has(3) {
      var mask = try plain(3)
      if type(of: mask).dataType == .bool { mask = try self.mask(mask, hidden: -.infinity) }
      let shape = type(of: mask).shape
      let missing = keys[2] - (shape.dimensions.last ?? 0)
      // Keys that a mask does not speak of are hidden.
      if missing > 0, shape.rank > 0, shape.dimensions.last != 1 {
        var pads = [Int64](repeating: 0, count: 2 * shape.rank)
        pads[2 * shape.rank - 1] = Int64(missing)
        mask = try add(
          Pad(), [mask, constant(Tensor(pads, shape: [shape.rank, 2])), scalar(-.infinity)])
      }
      masks.append(mask)
    }
    if has(6) {
      let lengths = try reshaped(cast(plain(6), to: .int64), [queries[0], 1, 1, 1])
      let isThere = try add(Compare(.less), [constant(Array(0..<keys[2])), lengths])
      masks.append(try mask(isThere, hidden: -.infinity))
    }
    return masks
  }

  /// Rows turned by angles whose cosines and sines are those of their positions, in pairs of neighbours or of halves.
  fileprivate func rotated(positions: Int?, cosines: Int, sines: Int) throws(ApusError) -> Value {
    let isFlat = try shape(0).rank == 3
    guard [3, 4].contains(try shape(0).rank) else {
      throw ApusError(
        .malformedModel, "rows of shape \(try shape(0))", expected: "three axes, or four with heads")
    }
    let heads = try integer("num_heads")
    let whole = try plain(0)
    let angles = try (angles(cosines, positions), angles(sines, positions))
    let half = type(of: angles.0).shape[3]
    let width =
      isFlat ? try type(of: whole).shape[2] / flatHeads(heads, angles: half) : type(of: whole).shape[3]
    // [batch, heads, length, width]
    let x = isFlat ? try headed(whole, heads: type(of: whole).shape[2] / max(width, 1)) : whole
    let shape = type(of: x).shape
    guard 2 * half <= shape[3] else {
      throw ApusError(
        .malformedModel, "\(half) angles for \(shape[3]) columns", expected: "at most half as many")
    }
    let turning = try columns(x, 0..<(2 * half))
    let pairs: (first: Value, second: Value)
    let isInterleaved = try flag("interleaved")
    if isInterleaved {
      let cut = try reshaped(turning, [shape[0], shape[1], shape[2], half, 2])
      func one(_ index: Int) throws(ApusError) -> Value {
        try reshaped(add(Gather(axis: 4), [cut, constant([index])]), [shape[0], shape[1], shape[2], half])
      }
      pairs = (try one(0), try one(1))
    } else {
      pairs = (try columns(turning, 0..<half), try columns(turning, half..<(2 * half)))
    }
    func product(_ a: Value, _ b: Value) throws(ApusError) -> Value { try add(Multiply(), [a, b]) }
    let first = try add(Subtract(), [product(pairs.first, angles.0), product(pairs.second, angles.1)])
    let second = try add(Add(), [product(pairs.second, angles.0), product(pairs.first, angles.1)])
    var turned: Value
    if isInterleaved {
      let wide = [shape[0], shape[1], shape[2], half, 1]
      turned = try reshaped(
        add(Concatenation(axis: 4), [reshaped(first, wide), reshaped(second, wide)]),
        [shape[0], shape[1], shape[2], 2 * half])
    } else {
      turned = try add(Concatenation(axis: 3), [first, second])
    }
    if 2 * half < shape[3] {
      turned = try add(Concatenation(axis: 3), [turned, columns(x, (2 * half)..<shape[3])])
    }
    return isFlat ? try joinedHeads(turned) : turned
  }

  /// Heads of rows that lie side by side: stated, or such that all their columns turn.
  private func flatHeads(_ stated: Int, angles: Int) throws(ApusError) -> Int {
    let columns = try shape(0)[2]
    let heads = stated > 0 ? stated : columns / max(2 * angles, 1)
    guard heads > 0, columns % heads == 0 else {
      throw ApusError(.malformedModel, "\(heads) heads of \(columns) columns", expected: "a divisor")
    }
    return heads
  }

  private func columns(_ x: Value, _ range: Range<Int>) throws(ApusError) -> Value {
    var sizes = type(of: x).shape.dimensions
    guard range != 0..<(sizes.last ?? 0) else { return x }
    var starts = [Int](repeating: 0, count: sizes.count)
    (starts[starts.count - 1], sizes[sizes.count - 1]) = (range.lowerBound, range.count)
    return try add(Slice(), [x, constant(starts), constant(sizes)])
  }

  /// The rows of a table of angles [batch or 1, 1, length, half]: those of the positions, or as they lie.
  private func angles(_ table: Int, _ positions: Int?) throws(ApusError) -> Value {
    passOver("rotary_embedding_dim")
    let isFlat = try shape(0).rank == 3
    let (batch, length) = try (shape(0)[0], shape(0)[isFlat ? 1 : 2])
    var rows = try plain(table)
    if let positions {
      var places = try plain(positions)
      if type(of: places).shape.rank == 1 {
        // The position of the first row; the others follow.
        let first = try cast(reshaped(places, [1, 1]), to: .int64)
        places = try add(Add(), [first, reshaped(constant(Array(0..<length)), [1, length])])
      }
      rows = try add(Gather(axis: 0), [rows, places])
    }
    let shape = type(of: rows).shape
    guard shape.rank == 3, [1, batch].contains(shape[0]), shape[1] == length else {
      throw ApusError(
        .malformedModel, "angles of shape \(shape)", expected: "[\(batch), \(length), …]")
    }
    return try reshaped(rows, [shape[0], 1, length, shape[2]])
  }
}
