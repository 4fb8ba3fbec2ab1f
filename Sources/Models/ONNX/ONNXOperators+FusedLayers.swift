import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Activations and normalizations that ONNX Runtime's optimizer makes of several nodes.
  static let fusedLayers: [ONNXOperator] = [
    .plain("Gelu", domain: "com.microsoft") { (step) throws(ApusError) in
      try step.add(Gelu(.exact), [step.plain(0)])
    },
    .plain("BiasGelu", domain: "com.microsoft") { (step) throws(ApusError) in
      try step.add(Gelu(.exact), [step.add(Add(), [step.plain(0), step.plain(1)])])
    },
    .plain("FastGelu", domain: "com.microsoft") { (step) throws(ApusError) in
      try step.add(Gelu(.tanh), [step.sum([0, 1])])
    },
    .plain("QuickGelu", domain: "com.microsoft") { (step) throws(ApusError) in
      let x = try step.plain(0)
      let alpha = try step.float("alpha", default: 1.702)
      let gate = try step.add(Logistic(), [step.add(Multiply(), [x, step.scalar(alpha)])])
      return try step.add(Multiply(), [x, gate])
    },
    .plain("SimplifiedLayerNormalization") { (step) throws(ApusError) in
      step.passOver("stash_type")
      let epsilon = try step.float("epsilon", default: 1e-5)
      return try step.normalizedRows(RMSNormalization(epsilon: epsilon), hasOffset: false)
    },
    ONNXOperator("SkipLayerNormalization", domain: "com.microsoft") { (step) throws(ApusError) in
      try step.requireOnly([0, 3])
      let sum = try step.sum([0, 1, 4])
      return try step.skipped(sum, step.normalized(sum, factors: (2, 3)))
    },
    ONNXOperator("SkipSimplifiedLayerNormalization", domain: "com.microsoft") { (step) throws(ApusError) in
      try step.requireOnly([0, 3])
      let sum = try step.sum([0, 1, 3])
      let rows = RMSNormalization(epsilon: try step.float("epsilon", default: 1e-12))
      return try step.skipped(sum, step.add(rows, [sum, step.factor(2, width: step.width(sum))]))
    },
    ONNXOperator("EmbedLayerNormalization", domain: "com.microsoft") { (step) throws(ApusError) in
      try step.embedded()
    },
  ]
}

extension ONNXStep {
  /// Refuses results other than some.
  func requireOnly(_ outputs: Set<Int>) throws(ApusError) {
    for output in node.outputs.indices where wants(output) && !outputs.contains(output) {
      throw ApusError(
        .unsupportedModel, "result \(output), '\(node.outputs[output].clipped)'",
        expected: "results \(outputs.sorted().map(String.init).joined(separator: " and ")) only")
    }
  }

  /// The sum of some operands, of which those behind the first may be left out.
  fileprivate func sum(_ indices: [Int]) throws(ApusError) -> Value {
    var sum = try plain(indices[0])
    for index in indices.dropFirst() where has(index) { sum = try add(Add(), [sum, plain(index)]) }
    return sum
  }

  fileprivate func width(_ rows: Value) -> Int { type(of: rows).shape.dimensions.last ?? 1 }

  /// A known number for each column.
  fileprivate func factor(_ index: Int, width: Int) throws(ApusError) -> Value {
    guard let known = try known(index), known.shape.elementCount == width, known.dataType != .float64 else {
      throw ApusError(
        .unsupportedModel, "input \(index) (scales or offsets) of \(try shape(index))",
        expected: "\(width) known numbers")
    }
    return constant(try known.reshaped(to: [width]))
  }

  /// Rows normalized to mean 0 and variance 1, scaled and shifted; the shift may be left out.
  fileprivate func normalized(_ rows: Value, factors: (scale: Int, offset: Int)) throws(ApusError) -> Value {
    let width = width(rows)
    let normalization = LayerNormalization(epsilon: try float("epsilon", default: 1e-12))
    let offset =
      has(factors.offset) ? try factor(factors.offset, width: width) : try constant(0, count: width)
    return try add(normalization, [rows, factor(factors.scale, width: width), offset])
  }

  /// The results of a normalization of a sum: normalized rows, and the sum itself as the fourth.
  fileprivate func skipped(_ sum: Value, _ normalized: Value) -> [ONNXValue?] {
    [
      ONNXValue(plain: normalized, narrowType: narrowType), nil, nil,
      ONNXValue(plain: sum, narrowType: narrowType),
    ]
  }

  /// Rows of tables for words, their positions and their segments, added and normalized.
  fileprivate func embedded() throws(ApusError) -> [ONNXValue?] {
    passOver("mask_index_type")
    let words = try shape(0)
    guard words.rank == 2, has(1) == has(4) else {
      throw ApusError(
        .malformedModel, "words of shape \(words)", expected: "two axes, and segments with their table")
    }
    let gather = Gather(axis: 0, countsFromEnd: true)
    let positions = has(8) ? try plain(8) : try constant(Array(0..<words[1]))
    var sum = try add(
      Add(), [add(gather, [plain(2), plain(0)]), add(gather, [plain(3), positions])])
    if has(1) { sum = try add(Add(), [sum, add(gather, [plain(4), plain(1)])]) }
    // How many words there are: those whose mask is set; none where there is no mask.
    let counts =
      has(7)
      ? try add(Reduce(.sum, axes: [1], keepDimensions: false), [cast(plain(7), to: .int32)])
      : constant(try Tensor([Int32](repeating: 0, count: words[0])))
    let narrow = try input(2).narrowType
    return [
      ONNXValue(plain: try normalized(sum, factors: (5, 6)), narrowType: narrow),
      ONNXValue(plain: counts), ONNXValue(plain: sum, narrowType: narrow),
    ]
  }
}
