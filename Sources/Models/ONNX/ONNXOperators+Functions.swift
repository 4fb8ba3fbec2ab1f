import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Functions of one number, and activations.
  static let functions: [ONNXOperator] = [
    .map("Neg", UnaryMath(.negate)),
    .map("Abs", UnaryMath(.abs)),
    .map("Exp", UnaryMath(.exp)),
    .map("Log", UnaryMath(.log)),
    .map("Sqrt", UnaryMath(.sqrt)),
    .map("Erf", UnaryMath(.erf)),
    .map("Sin", UnaryMath(.sin)),
    .map("Cos", UnaryMath(.cos)),
    .map("Floor", UnaryMath(.floor)),
    .map("Ceil", UnaryMath(.ceil)),
    .map("Round", UnaryMath(.round)),
    ONNXOperator("Sign") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      guard try step.dataType(0) == .int64 else { return [try step.mapped(step.input(0), UnaryMath(.sign))] }
      let (operands, isChannelsLast) = try step.aligned([step.input(0)])
      let zero = try step.constant(Tensor(scalar: Int64(0)))
      let isMore = try step.add(Compare(.greater), [operands[0], zero])
      let isLess = try step.add(Compare(.less), [operands[0], zero])
      let sign = try step.add(Subtract(), [step.cast(isMore, to: .int64), step.cast(isLess, to: .int64)])
      return [step.value(sign, isChannelsLast: isChannelsLast)]
    },
    ONNXOperator("Reciprocal") { (step) throws(ApusError) in
      try step.computed { (x) throws(ApusError) in try step.add(Divide(), [step.scalar(1), x]) }
    },
    .map("Relu", Relu(.relu)),
    .map("Sigmoid", Logistic()),
    .map("Tanh", Tanh()),
    .map("HardSwish", HardSwish()),
    ONNXOperator("LeakyRelu") { (step) throws(ApusError) in
      [try step.mapped(step.input(0), LeakyRelu(alpha: step.float("alpha", default: 0.01)))]
    },
    ONNXOperator("Gelu") { (step) throws(ApusError) in
      switch ExactText(try step.text("approximate", default: "none")) {
      case "none": [try step.mapped(step.input(0), Gelu(.exact))]
      case "tanh": [try step.mapped(step.input(0), Gelu(.tanh))]
      case let other:
        throw ApusError(.malformedModel, "the approximation '\(other)'", expected: "none or tanh")
      }
    },
    ONNXOperator("HardSigmoid") { (step) throws(ApusError) in
      let (alpha, beta) = (try step.float("alpha", default: 0.2), try step.float("beta", default: 0.5))
      return try step.computed { (x) throws(ApusError) in
        let scaled = try step.add(Multiply(), [x, step.scalar(alpha)])
        return try step.add(Relu(.relu0To1), [step.add(Add(), [scaled, step.scalar(beta)])])
      }
    },
    ONNXOperator("Elu") { (step) throws(ApusError) in
      let alpha = try step.float("alpha", default: 1)
      return try step.computed { (x) throws(ApusError) in try step.elu(x, alpha: alpha) }
    },
    ONNXOperator("Celu") { (step) throws(ApusError) in
      let alpha = try step.float("alpha", default: 1)
      return try step.computed { (x) throws(ApusError) in
        let (negative, positive) = try step.signedParts(x)
        let curved = try step.add(Elu(), [step.add(Divide(), [negative, step.scalar(alpha)])])
        return try step.add(Add(), [positive, step.add(Multiply(), [curved, step.scalar(alpha)])])
      }
    },
    ONNXOperator("Selu") { (step) throws(ApusError) in
      let alpha = try step.float("alpha", default: 1.67326319217681884765625)
      let gamma = try step.float("gamma", default: 1.05070102214813232421875)
      return try step.computed { (x) throws(ApusError) in
        try step.add(Multiply(), [step.elu(x, alpha: alpha), step.scalar(gamma)])
      }
    },
    ONNXOperator("Softplus") { (step) throws(ApusError) in
      try step.computed { (x) throws(ApusError) in try step.softplus(x) }
    },
    ONNXOperator("Softsign") { (step) throws(ApusError) in
      try step.computed { (x) throws(ApusError) in
        let magnitude = try step.add(UnaryMath(.abs), [x])
        return try step.add(Divide(), [x, step.add(Add(), [magnitude, step.scalar(1)])])
      }
    },
    ONNXOperator("Mish") { (step) throws(ApusError) in
      try step.computed { (x) throws(ApusError) in
        try step.add(Multiply(), [x, step.add(Tanh(), [step.softplus(x)])])
      }
    },
    ONNXOperator("Swish") { (step) throws(ApusError) in
      let alpha = try step.float("alpha", default: 1)
      return try step.computed { (x) throws(ApusError) in
        if alpha == 1 { return try step.add(Swish(), [x]) }
        let gate = try step.add(Logistic(), [step.add(Multiply(), [x, step.scalar(alpha)])])
        return try step.add(Multiply(), [x, gate])
      }
    },
    ONNXOperator("Clip") { (step) throws(ApusError) in [try step.clipped()] },
    ONNXOperator("PRelu") { (step) throws(ApusError) in
      let (operands, isChannelsLast) = try step.aligned([step.input(0), step.input(1)])
      return [
        step.value(
          try step.add(PRelu(), operands), isChannelsLast: isChannelsLast, narrowType: step.narrowType)
      ]
    },
  ]
}

extension ONNXStep {
  /// x where it is below zero, and where it is above, each with zeros elsewhere.
  fileprivate func signedParts(_ x: Value) throws(ApusError) -> (negative: Value, positive: Value) {
    (try add(Extremum(.minimum), [scalar(0), x]), try add(Relu(.relu), [x]))
  }

  fileprivate func elu(_ x: Value, alpha: Float) throws(ApusError) -> Value {
    if alpha == 1 { return try add(Elu(), [x]) }
    let (negative, positive) = try signedParts(x)
    return try add(Add(), [positive, add(Multiply(), [add(Elu(), [negative]), scalar(alpha)])])
  }

  /// log(1 + eˣ), as max(x, 0) + log(1 + e^−|x|), which does not overflow.
  fileprivate func softplus(_ x: Value) throws(ApusError) -> Value {
    let falling = try add(UnaryMath(.exp), [add(UnaryMath(.negate), [add(UnaryMath(.abs), [x])])])
    let rest = try add(UnaryMath(.log), [add(Add(), [falling, scalar(1)])])
    return try add(Add(), [add(Relu(.relu), [x]), rest])
  }

  /// Limits are attributes before version 11 and operands since.
  fileprivate func clipped() throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    let x = try input(0)
    var limits: [ONNXValue?] = [has(1) ? try input(1) : nil, has(2) ? try input(2) : nil]
    if version < 11 {
      for (place, name) in [(0, "min"), (1, "max")] where has(attribute: name) {
        limits[place] = ONNXValue(plain: try scalar(float(name)))
      }
    }
    if try dataType(0) == .float32, let interval = try interval(limits) {
      return try mapped(x, Relu(interval))
    }
    var result = x
    // Of what is no number the second operand counts.
    if let low = limits[0] { result = try combined(low, result, Extremum(.maximum)) }
    if let high = limits[1] { result = try combined(high, result, Extremum(.minimum)) }
    return result
  }

  /// One of the intervals that have an operation of their own.
  private func interval(_ limits: [ONNXValue?]) throws(ApusError) -> Relu.Interval? {
    var numbers: [Float?] = []
    for limit in limits {
      guard let limit else {
        numbers.append(nil)
        continue
      }
      guard let known = translation.constant(of: try plain(limit)), known.shape.elementCount == 1 else {
        return nil
      }
      numbers.append(try known.elements(of: Float.self)[0])
    }
    switch (numbers[0], numbers[1]) {
    case (0?, nil), (0?, Float.infinity?): return .relu
    case (0?, 6?): return .relu6
    case (.some(-1), .some(1)): return .reluN1To1
    case (0?, 1?): return .relu0To1
    default: return nil
    }
  }
}
