import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Linear models and decision trees.
  static let classifiers: [ONNXOperator] = [
    .learned("LinearRegressor") { (step) throws(ApusError) in
      let targets = try step.integer("targets", default: 1)
      let scores = try step.linearScores(targets, intercepts: "intercepts")
      return try step.transformed(scores)
    },
    ONNXOperator("LinearClassifier", domain: learning) { (step) throws(ApusError) in
      step.passOver("multi_class")
      let labels = try step.classLabels()
      let columns = try step.floats("intercepts")?.count
      let scores = try step.linearScores(columns ?? labels.count, intercepts: "intercepts")
      return try step.classified(scores, labels, isShare: true)
    },
    .learned("TreeEnsembleRegressor") { (step) throws(ApusError) in
      let targets = try step.integer("n_targets", default: 1)
      return try step.transformed(
        step.grown(step.listedForest("target"), targets: targets, base: step.baseValues()))
    },
    ONNXOperator("TreeEnsembleClassifier", domain: learning) { (step) throws(ApusError) in
      try step.classifiedByTrees()
    },
    .learned("TreeEnsemble") { (step) throws(ApusError) in
      let targets = try step.integer("n_targets", default: 1)
      return try step.transformed(step.grown(step.tabledForest(), targets: targets, base: []))
    },
  ]
}

extension ONNXStep {
  /// Rows of numbers.
  func rows() throws(ApusError) -> Value {
    let x = try cast(plain(0), to: .float32)
    let shape = type(of: x).shape.dimensions
    return shape.count == 1 ? try reshaped(x, [1] + shape) : x
  }

  func linearScores(_ columns: Int, intercepts: String) throws(ApusError) -> Value {
    let x = try rows()
    let depth = type(of: x).shape.dimensions.last ?? 0
    guard let coefficients = try floats("coefficients"), columns > 0, depth > 0,
      coefficients.count == [columns, depth].saturatingProduct
    else {
      throw ApusError(
        .malformedModel, "coefficients for \(columns) columns of \(depth) features", expected: "one for each")
    }
    let weights = constant(try Tensor(coefficients, shape: [columns, depth]))
    guard let bias = try floats(intercepts), !bias.isEmpty else {
      return try add(Linear(hasBias: false), [x, weights])
    }
    guard bias.count == columns else {
      throw ApusError(.malformedModel, "\(bias.count) intercepts", expected: "\(columns)")
    }
    return try add(Linear(hasBias: true), [x, weights, constant(Tensor(bias))])
  }

  /// Scores for each row of operand 0.
  fileprivate func grown(_ forest: Forest, targets: Int, base: [Float]) throws(ApusError) -> Value {
    let names: [ExactText: TreeEnsemble.Joining] = [
      "SUM": .sum, "AVERAGE": .average, "MIN": .minimum, "MAX": .maximum, "0": .average, "1": .sum,
      "2": .minimum, "3": .maximum,
    ]
    // The newest operator has numbers in the place of names.
    let name: String =
      switch attribute("aggregate_function") {
      case .int(let number): "\(number)"
      case .string(let text): text
      default: "SUM"
      }
    guard let joining = names[ExactText(name)] else {
      throw ApusError(.malformedModel, "the function '\(name.clipped)'", expected: "SUM, AVERAGE, MIN or MAX")
    }
    return try add(TreeEnsemble(forest, joining: joining, targets: targets, base: base), [rows()])
  }

  fileprivate func baseValues() throws(ApusError) -> [Float] {
    if case .tensor(let stored) = attribute("base_values_as_tensor") {
      return try tensor(stored).floats()
    }
    return try floats("base_values") ?? []
  }

  /// The function that an attribute names, applied to scores.
  func transformed(_ scores: Value) throws(ApusError) -> Value {
    switch try postTransform() {
    case .softmax: try add(Softmax(), [scores])
    case .logistic: try add(Logistic(), [scores])
    case .none: scores
    }
  }

  private enum PostTransform { case none, softmax, logistic }

  private func postTransform() throws(ApusError) -> PostTransform {
    // The newest operator has numbers in the place of names.
    let name: String =
      switch attribute("post_transform") {
      case .int(let number): "\(number)"
      case .string(let text): text
      default: "NONE"
      }
    switch ExactText(name) {
    case "NONE", "0", "": return .none
    case "SOFTMAX", "1": return .softmax
    case "LOGISTIC", "2": return .logistic
    default:
      throw ApusError(
        .unsupportedModel, "the function '\(name.clipped)'", expected: "NONE, SOFTMAX or LOGISTIC")
    }
  }

  /// The labels of classes: numbers, or the positions of texts.
  func classLabels() throws(ApusError) -> [Int] {
    for name in ["classlabels_int64s", "classlabels_ints"] {
      guard let numbers = try integers(name), !numbers.isEmpty else { continue }
      passOver("classlabels_strings")
      return numbers
    }
    return Array(0..<(try texts("classlabels_strings") ?? []).count)
  }

  fileprivate func classifiedByTrees() throws(ApusError) -> [ONNXValue?] {
    let labels = try classLabels()
    let ids = Set(try integers("class_ids") ?? [])
    let base = try baseValues()
    // Leaves of two classes that all speak of one: a logit, or a share where none is negative.
    let isOne = labels.count == 2 && ids.count == 1
    let isSingle = isOne && ids == [0]
    guard !isOne || base.isEmpty || isSingle && base.count == 1 else {
      throw ApusError(
        .unsupportedModel, "\(base.count) base_values for leaves of one of two classes",
        expected: "at most one")
    }
    let isShare = isOne ? try listedWeights("class").allSatisfy { $0 >= 0 } : false
    let scores = try grown(listedForest("class"), targets: isSingle ? 1 : labels.count, base: base)
    return try classified(scores, labels, isShare: isShare, limit: isOne ? isShare ? 0.5 : 0 : nil)
  }

  /// The label of the greatest score, and what is made of the scores. One score is that of the second of two classes.
  /// - Parameters:
  ///   - isShare: whether the first of two classes has what the one score leaves of 1; else the negative score.
  ///   - limit: of the last score, over which the last of two classes is chosen.
  fileprivate func classified(
    _ scores: Value, _ labels: [Int], isShare: Bool, limit: Float? = nil
  ) throws(ApusError) -> [ONNXValue?] {
    try requireOutputs(atMost: 2)
    let columns = type(of: scores).shape.dimensions.last ?? 0
    let isSingle = columns == 1 && labels.count == 2
    guard isSingle || columns == labels.count, columns > 0 else {
      throw ApusError(
        .malformedModel, "\(labels.count) labels for \(columns) scores", expected: "one for each")
    }
    let count = type(of: scores).shape[0]
    var place: Value
    if isSingle || limit != nil {
      let last = try add(Gather(axis: 1), [scores, constant([columns - 1])])
      place = try cast(add(Compare(.greater), [last, scalar(limit ?? 0)]), to: .int64)
    } else {
      place = try add(ArgExtremum(.maximum, outputType: .int64), [scores, constant([1])])
    }
    place = try reshaped(place, [count])
    if labels != Array(labels.indices) { place = try add(Gather(axis: 0), [constant(labels), place]) }
    let shares = try isSingle ? completed(scores, isShare: isShare) : transformed(scores)
    return [ONNXValue(plain: place), ONNXValue(plain: shares)]
  }

  /// One score and that of the other class.
  private func completed(_ scores: Value, isShare: Bool) throws(ApusError) -> Value {
    let opposite = try add(UnaryMath(.negate), [scores])
    if try postTransform() == .logistic {
      return try add(Logistic(), [add(Concatenation(axis: 1), [opposite, scores])])
    }
    let other = isShare ? try add(Subtract(), [scalar(1), scores]) : opposite
    return try add(Concatenation(axis: 1), [other, scores])
  }
}
