import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Steps before and behind the classifiers of scikit-learn, XGBoost and LightGBM.
  static let features: [ONNXOperator] = [
    .learned("Scaler") { (step) throws(ApusError) in
      let x = try step.cast(step.plain(0), to: .float32)
      let offset = try step.numbers("offset", else: 0)
      let scale = try step.numbers("scale", else: 1)
      return try step.add(Multiply(), [step.add(Subtract(), [x, offset]), scale])
    },
    .learned("Normalizer") { (step) throws(ApusError) in try step.normalizedFeatures() },
    .learned("Binarizer") { (step) throws(ApusError) in
      let limit = try step.scalar(step.float("threshold"))
      let x = try step.plain(0)
      let isOver = try step.add(Compare(.greater), [step.cast(x, to: .float32), limit])
      return try step.cast(isOver, to: step.type(of: x).dataType)
    },
    .learned("Imputer") { (step) throws(ApusError) in try step.imputed() },
    .learned("ArrayFeatureExtractor") { (step) throws(ApusError) in
      let places = try step.reshaped(step.plain(1), [step.shape(1).elementCount])
      let x = try step.plain(0)
      let found = try step.add(Gather(axis: -1), [x, places])
      // A vector is a row.
      let shape = step.type(of: found).shape.dimensions
      return shape.count == 1 ? try step.reshaped(found, [1] + shape) : found
    },
    .learned("FeatureVectorizer") { (step) throws(ApusError) in
      step.passOver("inputdimensions")
      var parts: [Value] = []
      for index in 0..<step.inputCount { parts.append(try step.cast(step.plain(index), to: .float32)) }
      return try step.add(Concatenation(axis: -1), parts)
    },
    .learned("LabelEncoder") { (step) throws(ApusError) in try step.encodedLabels() },
    ONNXOperator("ZipMap", domain: ONNXOperators.learning) { (step) throws(ApusError) in
      // A map from labels to numbers for each row: the numbers, in the order of the labels.
      step.passOver("classlabels_int64s", "classlabels_strings")
      try step.requireOutputs(atMost: 1)
      return [try step.input(0)]
    },
  ]

  /// The domain of what is not made of layers.
  static let learning = "ai.onnx.ml"
}

extension ONNXOperator {
  static func learned(
    _ name: String, _ translate: @escaping @Sendable (ONNXStep) throws(ApusError) -> Value
  ) -> Self {
    .plain(name, domain: ONNXOperators.learning, translate)
  }
}

extension ONNXStep {
  /// An attribute of floats as a vector, or as a scalar where there is one for all.
  fileprivate func numbers(_ name: String, else number: Float) throws(ApusError) -> Value {
    guard let numbers = try floats(name), !numbers.isEmpty else { return try scalar(number) }
    return numbers.count == 1 ? try scalar(numbers[0]) : constant(try Tensor(numbers))
  }

  /// Rows divided by their greatest number, by the sum of their magnitudes, or by their length.
  fileprivate func normalizedFeatures() throws(ApusError) -> Value {
    let x = try cast(plain(0), to: .float32)
    func reduced(_ kind: Reduce.Kind, _ x: Value) throws(ApusError) -> Value {
      try add(Reduce(kind, axes: [-1], keepDimensions: true), [x])
    }
    let norm: Value
    switch ExactText(try text("norm", default: "MAX")) {
    case "MAX": norm = try reduced(.max, x)
    case "L1": norm = try reduced(.sum, add(UnaryMath(.abs), [x]))
    case "L2": norm = try add(UnaryMath(.sqrt), [reduced(.sum, add(Multiply(), [x, x]))])
    case let other: throw ApusError(.malformedModel, "the norm '\(other)'", expected: "MAX, L1 or L2")
    }
    let isZero = try add(Compare(.equal), [norm, scalar(0)])
    return try add(Divide(), [x, add(Select(broadcasts: true), [isZero, scalar(1), norm])])
  }

  /// Rows in which one number stands for what is missing, with others in its place.
  fileprivate func imputed() throws(ApusError) -> Value {
    let x = try plain(0)
    let isInteger = type(of: x).dataType.isInteger
    let others: Value?
    let missing: Value
    if isInteger {
      others = try integers("imputed_value_int64s").map { (numbers) throws(ApusError) in
        try cast(constant(numbers), to: type(of: x).dataType)
      }
      missing = try cast(constant([integer("replaced_value_int64")]), to: type(of: x).dataType)
    } else {
      others = has(attribute: "imputed_value_floats") ? try numbers("imputed_value_floats", else: 0) : nil
      missing = try scalar(float("replaced_value_float"))
    }
    passOver("imputed_value_int64s", "imputed_value_floats", "replaced_value_int64", "replaced_value_float")
    guard let others else {
      throw ApusError(.malformedModel, "nothing in the place of what is missing", expected: "numbers")
    }
    let isNaN = isInteger ? false : try float("replaced_value_float").isNaN
    let isMissing = try add(Compare(isNaN ? .notEqual : .equal), [x, isNaN ? x : missing])
    return try add(Select(broadcasts: true), [isMissing, others, x])
  }

  /// For each element the value of the first key that is equal, or the default.
  fileprivate func encodedLabels() throws(ApusError) -> Value {
    guard let keys = try labels("keys"), let values = try labels("values"),
      type(of: keys).shape.elementCount == type(of: values).shape.elementCount,
      type(of: keys).shape.elementCount > 0
    else {
      throw ApusError(
        .unsupportedModel, "labels that are texts, or as many keys as values",
        expected: "numbers for each other")
    }
    let x = try plain(0)
    let count = type(of: keys).shape.elementCount
    guard type(of: x).dataType == type(of: keys).dataType else {
      throw ApusError(.unsupportedModel, "keys of another type than \(type(of: x).dataType.rawValue)")
    }
    let shape = type(of: x).shape.dimensions
    let flat = try reshaped(x, [shape.saturatingProduct, 1])
    let isEqual = try cast(add(Compare(.equal), [flat, reshaped(keys, [1, count])]), to: .int32)
    let place = try add(ArgExtremum(.maximum, outputType: .int64), [isEqual, constant([1])])
    let isAny = try add(Reduce(.max, axes: [1], keepDimensions: false), [isEqual])
    let found = try add(Gather(axis: 0), [values, reshaped(place, [shape.saturatingProduct])])
    let isFound = try add(Compare(.greater), [isAny, constant(Tensor(scalar: Int32(0)))])
    let other = try defaultLabel(type(of: values).dataType)
    return try reshaped(add(Select(broadcasts: true), [isFound, found, other]), shape)
  }

  /// A list of labels: numbers in an attribute of whichever kind.
  private func labels(_ role: String) throws(ApusError) -> Value? {
    if let numbers = try integers("\(role)_int64s") { return try constant(numbers) }
    if let numbers = try floats("\(role)_floats") { return constant(try Tensor(numbers)) }
    if case .tensor(let stored) = attribute("\(role)_tensor") { return constant(try tensor(stored)) }
    return nil
  }

  private func defaultLabel(_ type: DataType) throws(ApusError) -> Value {
    passOver("default_string")
    let (whole, real) = (try integer("default_int64", default: -1), try float("default_float", default: -0.0))
    if case .tensor(let stored) = attribute("default_tensor") {
      return try reshaped(constant(tensor(stored)), [])
    }
    return type.isFloat ? try scalar(real) : try cast(reshaped(constant([whole]), []), to: type)
  }
}
