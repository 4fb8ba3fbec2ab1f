import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Models made of support vectors.
  static let supportVectors: [ONNXOperator] = [
    .learned("SVMRegressor") { (step) throws(ApusError) in try step.supportedNumber() },
    ONNXOperator("SVMClassifier", domain: learning) { (step) throws(ApusError) in
      try step.supportedClasses()
    },
  ]
}

extension ONNXStep {
  private func offsets() throws(ApusError) -> [Float] {
    guard let numbers = try floats("rho"), !numbers.isEmpty else {
      throw ApusError(.malformedModel, "no rho", expected: "a number for each score")
    }
    return numbers
  }

  private func coefficients() throws(ApusError) -> [Float] { try floats("coefficients") ?? [] }

  /// How alike the rows are to support vectors.
  /// - Parameter count: of the vectors.
  private func kernels(_ count: Int) throws(ApusError) -> Value {
    let x = try rows()
    let depth = type(of: x).shape.dimensions.last ?? 0
    let vectors = try floats("support_vectors") ?? []
    guard count > 0, depth > 0, vectors.count == [count, depth].saturatingProduct else {
      throw ApusError(
        .malformedModel, "\(vectors.count) numbers for \(count) support vectors of \(depth) features",
        expected: "one for each")
    }
    let stored = constant(try Tensor(vectors, shape: [count, depth]))
    return try add(VectorKernel(kernelFunction()), [x, stored])
  }

  private func kernelFunction() throws(ApusError) -> VectorKernel.Function {
    let listed = try floats("kernel_params") ?? []
    let numbers = listed.isEmpty ? [0, 0, 0] : listed.map(Double.init)
    guard numbers.count == 3 else {
      throw ApusError(.malformedModel, "kernel_params of \(numbers.count) numbers", expected: "3")
    }
    switch ExactText(try text("kernel_type", default: "LINEAR")) {
    case "LINEAR": return .linear
    case "POLY": return .polynomial(gamma: numbers[0], offset: numbers[1], degree: numbers[2])
    case "RBF": return .radial(gamma: numbers[0])
    case "SIGMOID": return .sigmoid(gamma: numbers[0], offset: numbers[1])
    case let other:
      throw ApusError(
        .malformedModel, "the kernel '\(other.text.clipped)'", expected: "LINEAR, POLY, RBF or SIGMOID")
    }
  }

  /// One number for each row. Without support vectors there is a coefficient for each feature.
  fileprivate func supportedNumber() throws(ApusError) -> Value {
    let count = try integer("n_supports", default: 0)
    let rho = try offsets()
    var sum: Value
    if count == 0 {
      passOver("support_vectors", "kernel_type", "kernel_params")
      sum = try linearScores(1, intercepts: "rho")
    } else {
      let weights = try coefficients()
      guard weights.count == count, rho.count == 1 else {
        throw ApusError(
          .malformedModel, "\(weights.count) coefficients of \(count) support vectors, \(rho.count) rho",
          expected: "one for each vector, and one rho")
      }
      let stored = constant(try Tensor(weights, shape: [1, count]))
      sum = try add(Linear(hasBias: true), [kernels(count), stored, constant(Tensor(rho))])
    }
    sum = try transformed(sum)
    guard try integer("one_class", default: 0) != 0 else { return sum }
    let isInside = try add(Compare(.greater), [sum, scalar(0)])
    return try add(Select(broadcasts: true), [isInside, scalar(1), scalar(-1)])
  }

  /// The label that most pairs of classes speak for, and probabilities, or the scores of the pairs.
  fileprivate func supportedClasses() throws(ApusError) -> [ONNXValue?] {
    try requireOutputs(atMost: 2)
    let labels = try classLabels()
    let counts = try integers("vectors_per_class") ?? []
    guard !counts.isEmpty else {
      throw ApusError(.unsupportedModel, "a classifier without support vectors", expected: "LinearClassifier")
    }
    guard counts.count == labels.count, labels.count >= 2,
      counts.allSatisfy({ (0...Int(Int32.max)).contains($0) })
    else {
      throw ApusError(
        .malformedModel, "\(labels.count) labels, vectors of \(counts.count) classes",
        expected: "as many, two at least")
    }
    let starts = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
    let scores = try add(
      PairScores(starts: starts, coefficients: coefficients(), offsets: offsets()),
      [kernels(starts[counts.count])])
    var place = try add(PairwiseVote(classes: labels.count), [scores])
    if labels != Array(labels.indices) { place = try add(Gather(axis: 0), [constant(labels), place]) }
    let (slopes, shifts) = (try floats("prob_a") ?? [], try floats("prob_b") ?? [])
    let result: Value
    if !slopes.isEmpty {
      let coupling = PairwiseProbabilities(classes: labels.count, slopes: slopes, offsets: shifts)
      result = try transformed(add(coupling, [scores]))
    } else if labels.count == 2 {
      // One score, and the negative one of the other class.
      guard try transformed(scores) == scores else {
        throw ApusError(
          .unsupportedModel, "a function of the score of two classes", expected: "post_transform NONE")
      }
      result = try add(Concatenation(axis: 1), [add(UnaryMath(.negate), [scores]), scores])
    } else {
      result = try transformed(scores)
    }
    return [ONNXValue(plain: place), ONNXValue(plain: result)]
  }
}
