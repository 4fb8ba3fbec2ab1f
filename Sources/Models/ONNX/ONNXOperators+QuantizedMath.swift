import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Arithmetic of ONNX Runtime on integers with scales: exact numbers, rounded once to the steps of the result.
  static let quantizedMath: [ONNXOperator] = [
    .runtime("QLinearAdd") { (step) throws(ApusError) in
      // In steps of the result, about its zero point: a sum in the middle of two is told from others.
      let a = try step.real(step.input(0), scale: 1, zero: 2, over: 6)
      let b = try step.real(step.input(3), scale: 4, zero: 5, over: 6)
      var sum = try step.combined(a, b, Add())
      if step.has(7) {
        let zero = try step.cast(step.single(7, "the zero point"), to: .float32)
        sum = try step.combined(sum, ONNXValue(plain: zero), Add())
      }
      let type = try step.has(7) ? step.dataType(7) : .uint8
      return try step.mapped(sum) { (steps) throws(ApusError) in try step.quantized(steps, nil, type) }
    },
    .runtime("QLinearMul") { (step) throws(ApusError) in
      let a = try step.real(step.input(0), scale: 1, zero: 2)
      let b = try step.real(step.input(3), scale: 4, zero: 5)
      return try step.stored(step.combined(a, b, Multiply()), scale: 6, zero: 7)
    },
    .runtime("QLinearSigmoid") { (step) throws(ApusError) in
      let x = try step.real(step.input(0), scale: 1, zero: 2)
      return try step.stored(step.mapped(x, Logistic()), scale: 3, zero: 4)
    },
    .runtime("QLinearLeakyRelu") { (step) throws(ApusError) in
      let slope = LeakyRelu(alpha: try step.float("alpha", default: 0.01))
      let x = try step.real(step.input(0), scale: 1, zero: 2)
      return try step.stored(step.mapped(x, slope), scale: 3, zero: 4)
    },
    .runtime("QLinearSoftmax") { (step) throws(ApusError) in
      let x = try step.real(step.input(0), scale: 1, zero: 2)
      let version = try step.integer("opset", default: 13)
      let probabilities = try step.alongAxis(Softmax(), of: x, version: version)
      return try step.stored(probabilities, scale: 3, zero: 4)
    },
    .runtime("QLinearGlobalAveragePool") { (step) throws(ApusError) in
      let x = try step.real(step.pictureInput(), scale: 1, zero: 2)
      return try step.pictureResult(step.stored(step.pooledWhole(.mean, of: x), scale: 3, zero: 4))
    },
    .runtime("QLinearAveragePool") { (step) throws(ApusError) in
      let x = try step.real(step.pictureInput(), scale: 1, zero: 2)
      return try step.pictureResult(step.stored(step.pooled(.average, of: x), scale: 3, zero: 4))
    },
    .runtime("QLinearConcat") { (step) throws(ApusError) in
      guard step.inputCount > 2, (step.inputCount - 2) % 3 == 0 else {
        throw ApusError(.malformedModel, "\(step.inputCount) inputs", expected: "2, and 3 for each part")
      }
      var parts: [ONNXValue] = []
      for index in stride(from: 2, to: step.inputCount, by: 3) {
        let part = try step.real(step.input(index), scale: index + 1, zero: index + 2)
        parts.append(try step.stored(part, scale: 0, zero: 1))
      }
      return try step.joined(parts)
    },
  ]
}

extension ONNXOperator {
  /// An operator of ONNX Runtime's own with one result, in any order of axes.
  static func runtime(
    _ name: String, _ translate: @escaping @Sendable (ONNXStep) throws(ApusError) -> ONNXValue
  ) -> Self {
    Self(name, domain: "com.microsoft") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      return [try translate(step)]
    }
  }
}

extension ONNXStep {
  /// The real numbers that integers stand for: those less the zero point, times the scale, one of each for all.
  /// - Parameter other: a scale in whose steps the numbers are.
  func real(_ x: ONNXValue, scale: Int, zero: Int, over other: Int? = nil) throws(ApusError) -> ONNXValue {
    let (operands, isChannelsLast) = try aligned([x])
    var numbers = try cast(operands[0], to: .int32)
    if has(zero) {
      numbers = try add(Subtract(), [numbers, cast(single(zero, "the zero point"), to: .int32)])
    }
    var factor = try single(scale, "the scale")
    if let other { factor = try add(Divide(), [factor, single(other, "the scale")]) }
    let result = try add(Multiply(), [cast(numbers, to: .float32), factor])
    return value(result, isChannelsLast: isChannelsLast)
  }

  /// Real numbers as integers of the type of the zero point.
  func stored(_ x: ONNXValue, scale: Int, zero: Int) throws(ApusError) -> ONNXValue {
    let (operands, isChannelsLast) = try aligned([x])
    let type = has(zero) ? try dataType(zero) : DataType.uint8
    let steps = try add(Divide(), [operands[0], single(scale, "the scale")])
    let result = try quantized(steps, has(zero) ? single(zero, "the zero point") : nil, type)
    return value(result, isChannelsLast: isChannelsLast)
  }

  /// What is made of a value, element by element.
  fileprivate func mapped(
    _ x: ONNXValue, _ body: (Value) throws(ApusError) -> Value
  ) throws(ApusError) -> ONNXValue {
    let (operands, isChannelsLast) = try aligned([x])
    return value(try body(operands[0]), isChannelsLast: isChannelsLast)
  }

  /// An operand of one element, as a scalar.
  func single(_ index: Int, _ role: String) throws(ApusError) -> Value {
    let value = try plain(index)
    guard type(of: value).shape.elementCount == 1 else {
      throw ApusError(
        .unsupportedModel, "input \(index) (\(role)) of shape \(type(of: value).shape)",
        expected: "one for all")
    }
    return try reshaped(value, [])
  }

  /// Operand 0, which an attribute may say to have channels last.
  fileprivate func pictureInput() throws(ApusError) -> ONNXValue {
    let isLast = try flag("channels_last")
    guard isLast, try shape(0).rank > 2 else { return try input(0) }
    return ONNXValue(channelsLast: try plain(0))
  }

  /// A result in the order of operand 0.
  fileprivate func pictureResult(_ result: ONNXValue) throws(ApusError) -> ONNXValue {
    try flag("channels_last") ? ONNXValue(plain: channelsLast(result)) : result
  }
}
