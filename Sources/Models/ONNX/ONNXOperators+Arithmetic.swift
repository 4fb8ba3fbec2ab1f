import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Arithmetic on pairs of elements.
  static let arithmetic: [ONNXOperator] = [
    ONNXOperator("Add") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      if let biased = try step.biasedProduct() { return [biased] }
      return [try step.combined(step.input(0), step.input(1), Add())]
    },
    .pair("Sub", Subtract()),
    ONNXOperator("Mul") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      if let scaled = try step.scaledByteProduct() { return [scaled] }
      let product = try step.combined(step.input(0), step.input(1), Multiply())
      try step.rememberScale(product)
      return [product]
    },
    .pair("Div", Divide()),
    ONNXOperator("Pow") { (step) throws(ApusError) in [try step.power()] },
    .chain("Max", Extremum(.maximum)),
    .chain("Min", Extremum(.minimum)),
    .chain("Sum", Add()),
    ONNXOperator("Mean") { (step) throws(ApusError) in
      let count = ONNXValue(plain: try step.scalar(Float(step.inputCount)))
      return [try step.combined(step.chained(Add()), count, Divide())]
    },
    ONNXOperator("Mod") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      let isTruncated = try step.flag("fmod")
      return [
        isTruncated
          ? try step.combined(step.input(0), step.input(1), Remainder())
          : try step.combined(step.input(0), step.input(1), FloorModulo())
      ]
    },
  ]
}

extension ONNXStep {
  fileprivate func power() throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    let (base, exponent) = (try input(0), try input(1))
    let isFloat = try dataType(0) == .float32
    if isFloat, let known = try known(1), known.shape.elementCount == 1, exponent.narrowType == nil {
      let number =
        try known.dataType == .float32 ? known.elements(of: Float.self)[0] : Float(known.integers()[0])
      if number == 2 { return try mapped(base, UnaryMath(.square)) }
      if number == 0.5 { return try mapped(base, UnaryMath(.sqrt)) }
      if number == 1 { return base }
    }
    let (operands, isChannelsLast) = try aligned([base, exponent])
    let dataType = type(of: operands[0]).dataType
    let isWhole = dataType.isInteger && type(of: operands[1]).dataType.isInteger
    let computed: DataType = isWhole ? .int32 : .float32
    guard dataType != .int64 || !isWhole else {
      throw ApusError(.unsupportedModel, "powers of int64", expected: "of float or int32")
    }
    let result = try add(Power(), [cast(operands[0], to: computed), cast(operands[1], to: computed)])
    return value(
      try cast(result, to: dataType), isChannelsLast: isChannelsLast, narrowType: base.narrowType)
  }
}
