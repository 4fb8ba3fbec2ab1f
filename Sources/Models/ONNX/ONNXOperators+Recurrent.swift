import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Layers that go over rows in time.
  static let recurrent: [ONNXOperator] = [
    ONNXOperator("LSTM") { (step) throws(ApusError) in
      try step.recurrent(
        .longShortTerm(couplesGates: step.flag("input_forget")), ["Sigmoid", "Tanh", "Tanh"], float: true)
    },
    ONNXOperator("GRU") { (step) throws(ApusError) in
      try step.recurrent(
        .gated(resetsProduct: step.flag("linear_before_reset")), ["Sigmoid", "Tanh"], float: true)
    },
    ONNXOperator("RNN") { (step) throws(ApusError) in try step.recurrent(.simple, ["Tanh"], float: true) },
    ONNXOperator("DynamicQuantizeLSTM", domain: "com.microsoft") { (step) throws(ApusError) in
      try step.recurrent(
        .longShortTerm(couplesGates: step.flag("input_forget")), ["Sigmoid", "Tanh", "Tanh"], float: false)
    },
  ]
}

extension ONNXStep {
  /// A layer in one direction or both: rows [T, directions, B, H], the last state and, of a cell with one, the last memory.
  /// - Parameters:
  ///   - names: the functions of one direction where the file names none.
  ///   - isFloat: whether weights are float32, one row for each gate's element; else bytes, one column for each.
  fileprivate func recurrent(
    _ cell: RecurrentCell, _ names: [String], float isFloat: Bool
  ) throws(ApusError) -> [ONNXValue?] {
    passOver("hidden_size")
    let isBatchFirst = try flag("layout")
    let (weights, recurrence) = (try shape(1), try shape(2))
    guard weights.rank == 3, recurrence.rank == 3, try shape(0).rank == 3, recurrence[0] == weights[0] else {
      throw ApusError(
        .malformedModel, "shapes \(try shape(0)), \(weights) and \(recurrence)", expected: "three axes each")
    }
    let directions = try directions(weights[0])
    let functions = try activations(names, directions: directions.count)
    let limit = try float("clip")
    let x = isBatchFirst ? try transposed(plain(0), [1, 0, 2]) : try plain(0)
    let source = ONNXRecurrentSource(
      cell: cell, isFloat: isFloat, size: isFloat ? recurrence[2] : recurrence[1], isBatchFirst: isBatchFirst,
      rows: x, quantized: isFloat ? nil : try rangeQuantized(x))
    var results: [[Value]] = []
    for (index, isReversed) in directions.enumerated() {
      let layer = Recurrence(
        cell, activations: functions[index], limit: limit > 0 ? limit : .infinity, isReversed: isReversed)
      results.append(
        try add(layer, operands(of: source, direction: index), count: cell.hasMemory ? 3 : 2))
    }
    // [T, directions, B, H], or [B, T, directions, H]
    let rows = try add(Pack(axis: 1), results.map { $0[0] })
    var values = [isBatchFirst ? try transposed(rows, [2, 0, 1, 3]) : rows]
    for index in 1..<results[0].count {
      values.append(try add(Pack(axis: isBatchFirst ? 1 : 0), results.map { $0[index] }))
    }
    try requireOutputs(atMost: values.count)
    return values.map { ONNXValue(plain: $0, narrowType: narrowType) }
  }

  /// Whether time is reversed, for each direction.
  private func directions(_ count: Int) throws(ApusError) -> [Bool] {
    let name = try text("direction", default: "forward")
    let known: [ExactText: [Bool]] = ["forward": [false], "reverse": [true], "bidirectional": [false, true]]
    guard let directions = known[ExactText(name)], directions.count == count else {
      throw ApusError(
        .malformedModel, "the direction '\(name.clipped)' with weights of \(count)",
        expected: "forward, reverse or bidirectional, and weights for each")
    }
    return directions
  }

  /// The functions of each direction; their numbers are listed in the order of those that take any.
  private func activations(
    _ names: [String], directions: Int
  ) throws(ApusError) -> [[RecurrentActivation]] {
    let all = try texts("activations") ?? []
    let listed = all.isEmpty ? [[String]](repeating: names, count: directions).flatMap { $0 } : all
    guard listed.count == names.count * directions else {
      throw ApusError(
        .malformedModel, "\(listed.count) activations", expected: "\(names.count * directions)")
    }
    var (alphas, betas) = (try floats("activation_alpha") ?? [], try floats("activation_beta") ?? [])
    var functions: [RecurrentActivation] = []
    for name in listed { functions.append(try RecurrentActivation(name, &alphas, &betas)) }
    return (0..<directions).map { Array(functions[($0 * names.count)..<(($0 + 1) * names.count)]) }
  }

  /// What a layer in one direction reads.
  private func operands(
    of source: ONNXRecurrentSource, direction: Int
  ) throws(ApusError) -> [Value?] {
    let (size, cell) = (source.size, source.cell)
    var gates = try source.isFloat ? projected(source, direction) : quantizedProjected(source, direction)
    var resetBias: Value?
    if has(3) {
      let count = cell.gates * size
      let both = try slice(plain(3), direction, [2, count])
      let parts = try add(Unpack(count: 2, axis: 0), [both], count: 2)
      var bias = try add(Add(), [parts[0], parts[1]])
      if case .gated(resetsProduct: true) = cell {
        // The last gate's second bias is reset with its product.
        let isLast = try Tensor((0..<count).map { $0 < 2 * size ? Float(1) : 0 })
        bias = try add(Add(), [parts[0], add(Multiply(), [parts[1], constant(isLast)])])
        resetBias = try add(Slice(), [parts[1], constant([2 * size]), constant([size])])
      }
      gates = try add(Add(), [gates, bias])
    }
    let weights =
      try source.isFloat
      ? slice(plain(2), direction, [cell.gates * size, size]) : quantizedRecurrence(source, direction)
    let lengths = has(4) ? try cast(plain(4), to: .int32) : nil
    var first: [Value?] = []
    for index in 5...6 {
      first.append(try index < 6 || cell.hasMemory ? state(index, source, direction) : nil)
    }
    let peepholes = cell.hasMemory && has(7) ? try slice(plain(7), direction, [3 * size]) : nil
    let scales = source.isFloat ? nil : try columnScales(10, direction, cell.gates * size)
    return [gates, weights, first[0], first[1], peepholes, resetBias, lengths, scales]
  }

  /// A first state [B, H] of one direction.
  private func state(_ index: Int, _ source: ONNXRecurrentSource, _ direction: Int) throws(ApusError)
    -> Value?
  {
    guard has(index) else { return nil }
    let value = try plain(index)
    guard type(of: value).shape.rank == 3 else {
      throw ApusError(.malformedModel, "a state of shape \(type(of: value).shape)", expected: "three axes")
    }
    let states = source.isBatchFirst ? try transposed(value, [1, 0, 2]) : value
    return try slice(states, direction, Array(type(of: states).shape.dimensions.dropFirst()))
  }

  /// The part of one direction, in the shape that it must have.
  private func slice(_ value: Value, _ direction: Int, _ shape: [Int]) throws(ApusError) -> Value {
    let whole = type(of: value).shape.dimensions
    guard whole.first ?? 0 > direction, whole.dropFirst().saturatingProduct == shape.saturatingProduct else {
      throw ApusError(
        .malformedModel, "a part \(shape) of shape \(whole)", expected: "one for each direction")
    }
    let part = try add(Gather(axis: 0), [value, constant([direction])])
    return try reshaped(part, shape)
  }

  /// Rows by the weights of the gates.
  private func projected(_ source: ONNXRecurrentSource, _ direction: Int) throws(ApusError) -> Value {
    let shape = type(of: source.rows).shape
    let weights = try slice(plain(1), direction, [source.cell.gates * source.size, shape[2]])
    if translation.constant(of: weights) != nil, shape[2] > 0 {
      return try add(Linear(hasBias: false), [source.rows, weights])
    }
    return try add(BatchMatMul(transposeB: true), [source.rows, weights])
  }

  /// Rows in 8 bits by the bytes of the gates.
  private func quantizedProjected(_ source: ONNXRecurrentSource, _ direction: Int) throws(ApusError) -> Value
  {
    let shape = type(of: source.rows).shape
    let columns = source.cell.gates * source.size
    guard let rows = source.quantized else { throw ApusError(.malformedModel, "no rows") }
    let zero = try columnZeros(9, direction, columns)
    let weights = try integerFactor(slice(plain(1), direction, [shape[2], columns]), zero: zero)
    let sums = try integerProduct(integerFactor(rows.bytes, zero: rows.zero, isFirst: true), by: weights)
    let scale = try add(Multiply(), [rows.scale, columnScales(8, direction, columns)])
    return try add(Multiply(), [cast(sums, to: .float32), scale])
  }

  /// The bytes of the recurrence less their zero points, a row for each gate's element.
  private func quantizedRecurrence(_ source: ONNXRecurrentSource, _ direction: Int) throws(ApusError) -> Value
  {
    let columns = source.cell.gates * source.size
    let bytes = try cast(slice(plain(2), direction, [source.size, columns]), to: .int32)
    let zero = try cast(columnZeros(11, direction, columns), to: .int32)
    return try cast(transposed(add(Subtract(), [bytes, zero]), [1, 0]), to: .int16)
  }

  /// One number for a direction, or one for each of its columns.
  private func columnZeros(_ index: Int, _ direction: Int, _ columns: Int) throws(ApusError) -> Value {
    let perDirection = try shape(index).dimensions.dropFirst().saturatingProduct
    return try slice(plain(index), direction, perDirection == 1 ? [] : [columns])
  }

  private func columnScales(_ index: Int, _ direction: Int, _ columns: Int) throws(ApusError) -> Value {
    try add(BroadcastTo(), [columnZeros(index, direction, columns), constant([columns])])
  }
}

/// What the directions of a recurrent layer share.
private struct ONNXRecurrentSource {
  let cell: RecurrentCell
  let isFloat: Bool
  /// Elements of a state.
  let size: Int
  let isBatchFirst: Bool
  /// [T, B, columns]
  let rows: Value
  /// The same in 8 bits.
  let quantized: (bytes: Value, scale: Value, zero: Value)?
}

extension RecurrentActivation {
  /// - Parameters:
  ///   - alphas: of this function and those behind it, in turn; those that take one and have none get ONNX's.
  ///   - betas: the same of the second number.
  fileprivate init(_ name: String, _ alphas: inout [Float], _ betas: inout [Float]) throws(ApusError) {
    func next(_ numbers: inout [Float], _ number: Float) -> Float {
      numbers.isEmpty ? number : numbers.removeFirst()
    }
    switch ExactText(name.lowercased()) {
    case "sigmoid": self = .sigmoid
    case "tanh": self = .tanh
    case "relu": self = .relu
    case "softsign": self = .softsign
    case "softplus": self = .softplus
    case "affine": self = .affine(alpha: next(&alphas, 1), beta: next(&betas, 0))
    case "leakyrelu": self = .leakyRelu(alpha: next(&alphas, 0.01))
    case "thresholdedrelu": self = .thresholdedRelu(alpha: next(&alphas, 1))
    case "scaledtanh": self = .scaledTanh(alpha: next(&alphas, 1), beta: next(&betas, 1))
    case "hardsigmoid": self = .hardSigmoid(alpha: next(&alphas, 0.2), beta: next(&betas, 0.5))
    case "elu": self = .elu(alpha: next(&alphas, 1))
    default: throw ApusError(.unsupportedModel, "the activation '\(name.clipped)'", expected: "one of ONNX's")
    }
  }
}
