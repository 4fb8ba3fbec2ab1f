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
      return try step.classified(scores, labels, isPositive: false)
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
  private func rows() throws(ApusError) -> Value {
    let x = try cast(plain(0), to: .float32)
    let shape = type(of: x).shape.dimensions
    return shape.count == 1 ? try reshaped(x, [1] + shape) : x
  }

  fileprivate func linearScores(_ columns: Int, intercepts: String) throws(ApusError) -> Value {
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
  fileprivate func transformed(_ scores: Value) throws(ApusError) -> Value {
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
  fileprivate func classLabels() throws(ApusError) -> [Int] {
    for name in ["classlabels_int64s", "classlabels_ints"] {
      guard let numbers = try integers(name), !numbers.isEmpty else { continue }
      passOver("classlabels_strings")
      return numbers
    }
    return Array(0..<(try texts("classlabels_strings") ?? []).count)
  }

  fileprivate func classifiedByTrees() throws(ApusError) -> [ONNXValue?] {
    let labels = try classLabels()
    let ids = try integers("class_ids") ?? []
    // All leaves of a classifier of two speak of one class.
    let isSingle = labels.count == 2 && Set(ids).count == 1
    let forest = try listedForest("class", target: isSingle ? 0 : nil)
    var base = try baseValues()
    if isSingle, base.count == 2 { base = [base[1]] }
    let weights = try listedWeights("class")
    let scores = try grown(forest, targets: isSingle ? 1 : labels.count, base: base)
    return try classified(scores, labels, isPositive: isSingle && weights.allSatisfy { $0 >= 0 })
  }

  /// The label of the greatest score, and what is made of the scores. One score is that of the second of two classes.
  /// - Parameter isPositive: whether one score is a share, of which the first class has the rest; else it is a logit.
  fileprivate func classified(
    _ scores: Value, _ labels: [Int], isPositive: Bool
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
    var shares: Value
    if isSingle {
      let limit = try scalar(isPositive ? 0.5 : 0)
      place = try cast(reshaped(add(Compare(.greater), [scores, limit]), [count]), to: .int64)
      let first =
        isPositive
        ? try add(Subtract(), [scalar(1), scores]) : try add(UnaryMath(.negate), [scores])
      shares = try add(Concatenation(axis: 1), [first, scores])
      if !isPositive { shares = try transformedLogits(shares) } else { passOver("post_transform") }
    } else {
      place = try reshaped(
        add(ArgExtremum(.maximum, outputType: .int64), [scores, constant([1])]), [count])
      shares = try transformed(scores)
    }
    if labels != Array(labels.indices) { place = try add(Gather(axis: 0), [constant(labels), place]) }
    return [ONNXValue(plain: place), ONNXValue(plain: shares)]
  }

  /// A logit and its negative by the function that an attribute names, which is the logistic one or none.
  private func transformedLogits(_ pair: Value) throws(ApusError) -> Value {
    try postTransform() == .logistic ? add(Logistic(), [pair]) : pair
  }
}
