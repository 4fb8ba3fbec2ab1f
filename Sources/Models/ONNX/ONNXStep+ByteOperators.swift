import Formats
import Graph
import TensorCore

/// Operators between DequantizeLinear and QuantizeLinear that are done to the bytes.
extension ONNXStep {
  private static let elementwise: Set<ExactText> = [
    "Abs", "Add", "Ceil", "Clip", "Div", "Elu", "Erf", "Exp", "Floor", "Gelu", "HardSigmoid", "HardSwish",
    "LeakyRelu", "Log", "Max", "Min", "Mish", "Mul", "Neg", "Pow", "Reciprocal", "Relu", "Round", "Selu",
    "Sigmoid", "Sign", "Softplus", "Softsign", "Sqrt", "Sub", "Swish", "Tanh",
  ]
  private static let moving: Set<ExactText> = [
    "DepthToSpace", "Expand", "Flatten", "Gather", "Identity", "MaxPool", "Reshape", "Slice", "SpaceToDepth",
    "Split", "Squeeze", "Tile", "Transpose", "Unsqueeze",
  ]

  /// The results of an operator that is done to bytes, or may be once their scale is known; nil of any other.
  func byteResults(_ known: ONNXOperator) throws(ApusError) -> [ONNXValue?]? {
    guard node.domain.isEmpty, hasBytes else { return nil }
    let name = ExactText(node.type)
    if Self.moving.contains(name), let moved = try movedBytes(known) { return moved }
    if Self.elementwise.contains(name), let mapped = try mappedBytes(known) { return [mapped] }
    if let limited = try limited(known, name) { return [limited] }
    guard let make = arithmetic(name) else { return nil }
    return [
      deferred(
        known,
        .pending(
          ONNXPending { (steps, activation) throws(ApusError) in
            let step = self.copy()
            let made = try make(step, steps, activation)
            try step.requireAllRead()
            return made
          }))
    ]
  }

  /// A value that is what the operator makes of its operands, if nothing else is made of it.
  private func deferred(_ known: ONNXOperator, _ form: ONNXDeferral.Form) -> ONNXValue {
    passOverAll()
    return ONNXValue(
      ONNXDeferral(form) { () throws(ApusError) in
        let step = self.copy()
        let results = try known.translate(step)
        try step.requireAllRead()
        guard case let result?? = results.first else { throw ApusError(.malformedModel, "no result") }
        return result
      })
  }

  private typealias Arithmetic =
    (ONNXStep, Quantization, FusedActivation) throws(ApusError) -> ONNXValue?

  /// Arithmetic of bytes that an operator is.
  private func arithmetic(_ name: ExactText) -> Arithmetic? {
    switch name {
    case "Conv":
      return { (step, steps, activation) throws(ApusError) in
        try step.byteConvolution(steps, activation)
      }
    case "Gemm":
      return { (step, steps, activation) throws(ApusError) in
        try step.byteGeneralProduct(steps, activation)
      }
    case "MatMul":
      return { (step, steps, activation) throws(ApusError) in
        try step.byteProduct(steps, activation)
      }
    case "Add":
      return { (step, steps, activation) throws(ApusError) in
        try step.bytePairs(Add(activation: activation), steps)
      }
    case "Sub":
      return { (step, steps, activation) throws(ApusError) in
        try step.bytePairs(Subtract(activation: activation), steps)
      }
    case "Mul":
      return { (step, steps, activation) throws(ApusError) in
        try step.bytePairs(Multiply(activation: activation), steps)
      }
    case "Concat":
      return { (step, steps, activation) throws(ApusError) in
        activation == .none ? try step.byteParts(steps) : nil
      }
    case "GlobalAveragePool":
      return { (step, steps, activation) throws(ApusError) in
        guard activation == .none, let x = try step.plainBytes(0) else { return nil }
        let rank = try step.translation.shape(of: x).rank
        return try step.byteMean(steps, axes: Array(2..<max(rank, 2)), keepsDimensions: true)
      }
    case "ReduceMean":
      return { (step, steps, activation) throws(ApusError) in
        let axes =
          step.version < 18 ? try step.integers("axes") : step.has(1) ? try step.integers(1, "the axes") : nil
        let keeps = try step.flag("keepdims", default: true)
        step.passOver("noop_with_empty_axes")
        guard activation == .none, let axes else { return nil }
        return try step.byteMean(steps, axes: axes, keepsDimensions: keeps)
      }
    default: return nil
    }
  }

  /// What moves or chooses elements, done to their bytes.
  private func movedBytes(_ known: ONNXOperator) throws(ApusError) -> [ONNXValue?]? {
    guard let bytes = try plainBytes(0), let steps = try steps(bytes) else { return nil }
    let step = copy(replacing: [0: bytes])
    let results = try known.translate(step)
    try step.requireAllRead()
    var moved: [ONNXValue?] = []
    for result in results {
      guard let result else {
        moved.append(nil)
        continue
      }
      guard try self.steps(result) == steps else { return nil }
      moved.append(try real(result))
    }
    passOverAll()
    return moved
  }

  /// A function of each element of one tensor of bytes, and of known numbers.
  private func mappedBytes(_ known: ONNXOperator) throws(ApusError) -> ONNXValue? {
    var functions: [Int: ONNXByteFunction] = [:]
    for index in 0..<inputCount where has(index) {
      if let number = try number(index) {
        guard number.shape.rank <= 4 else { return nil }
        continue
      }
      guard let function = try function(index), functions.values.allSatisfy({ $0.source === function.source })
      else { return nil }
      functions[index] = function
    }
    guard let source = functions.values.first?.source, try !isKnown(source) else { return nil }
    let rank = try translation.shape(of: source).rank
    var replaced: [Int: ONNXValue] = [:]
    for index in 0..<inputCount where has(index) {
      if let function = functions[index] {
        replaced[index] = ONNXValue(try Tensor(function.values))
      } else if let number = try number(index) {
        guard number.shape.rank <= rank else { return nil }
        replaced[index] = ONNXValue(number)
      }
    }
    let step = copy(replacing: replaced)
    guard case let result?? = try known.translate(step).first,
      let computed = translation.constant(of: try plain(result)),
      computed.dataType == .float32, computed.shape.elementCount == 256
    else { return nil }
    try step.requireAllRead()
    let function = ONNXByteFunction(
      source: source, values: try computed.elements(of: Float.self), plain: nil)
    return deferred(known, .real(function))
  }

  private func isKnown(_ value: ONNXValue) throws(ApusError) -> Bool {
    translation.constant(of: try held(value).value) != nil
  }

  /// The one known number that an operand is.
  private func number(_ index: Int) throws(ApusError) -> Tensor? {
    switch deferral(index)?.form {
    case nil: break
    case .known(let integers):
      guard integers.stored.shape.elementCount == 1 else { return nil }
    default: return nil
    }
    guard let known = try known(index), known.shape.elementCount == 1 else { return nil }
    return known
  }

  /// A limit of what integer arithmetic makes, which that observes itself.
  private func limited(_ known: ONNXOperator, _ name: ExactText) throws(ApusError) -> ONNXValue? {
    guard case .pending(let pending)? = deferral(0)?.form else { return nil }
    var limit = FusedActivation.relu
    if name == "Clip" {
      guard version >= 11, has(1), try number(1)?.elements(of: Float.self) == [0] else { return nil }
      if has(2) {
        guard try number(2)?.elements(of: Float.self) == [6] else { return nil }
        limit = .relu6
      }
    } else if name != "Relu" {
      return nil
    }
    return deferred(
      known,
      .pending(
        ONNXPending { (steps, activation) throws(ApusError) in
          activation == .none || activation == limit ? try pending.make(steps, limit) : nil
        }))
  }
}
