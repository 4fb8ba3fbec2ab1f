import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Values that nodes state themselves, or that follow from shapes.
  static let constants: [ONNXOperator] = [
    ONNXOperator("Constant") { (step) throws(ApusError) in [ONNXValue(try step.stated())] },
    .plain("ConstantOfShape") { (step) throws(ApusError) in
      var value = try Tensor([0] as [Float])
      switch step.attribute("value") {
      case nil: break
      case .tensor(let tensor): value = try step.tensor(tensor)
      default: throw ApusError(.malformedModel, "attribute 'value' of another type", expected: "a tensor")
      }
      return try step.add(Fill(), [step.plain(0), step.constant(value)])
    },
    .plain("Shape") { (step) throws(ApusError) in
      let extents = try step.shape(0).dimensions
      func bound(_ name: String, _ number: Int) throws(ApusError) -> Int {
        let asked = try step.integer(name, default: number)
        return min(max(asked < 0 ? asked + extents.count : asked, 0), extents.count)
      }
      let (start, end) = (try bound("start", 0), try bound("end", extents.count))
      return try step.constant(start < end ? Array(extents[start..<end]) : [])
    },
    .plain("Size") { (step) throws(ApusError) in
      step.constant(try Tensor(scalar: Int64(step.shape(0).elementCount)))
    },
    .plain("Range") { (step) throws(ApusError) in
      let type = try step.dataType(0)
      let isEmpty: Bool
      if type == .float32 {
        let numbers = try (0..<3).map { (index) throws(ApusError) in
          try step.constant(index, "a bound").elements(of: Float.self).first ?? 0
        }
        isEmpty = numbers[2] > 0 ? numbers[0] >= numbers[1] : numbers[0] <= numbers[1]
      } else {
        let numbers = try (0..<3).map { (index) throws(ApusError) in try step.integer(index, "a bound") }
        isEmpty = numbers[2] > 0 ? numbers[0] >= numbers[1] : numbers[0] <= numbers[1]
      }
      if isEmpty { return step.constant(try Tensor(TensorType(type, .vector(0))) { _ in }) }
      var bounds: [Value] = []
      for index in 0..<3 { bounds.append(try step.reshaped(step.plain(index), [])) }
      return try step.add(NumberRange(), bounds)
    },
  ]
}

extension ONNXStep {
  /// The value of a `Constant`.
  fileprivate func stated() throws(ApusError) -> Tensor {
    try requireOutputs(atMost: 1)
    if let value = attribute("value") {
      guard case .tensor(let tensor) = value else {
        throw ApusError(.malformedModel, "attribute 'value' of another type", expected: "a tensor")
      }
      return try self.tensor(tensor)
    }
    if has(attribute: "value_float") { return try Tensor(scalar: float("value_float")) }
    if has(attribute: "value_int") { return try Tensor(scalar: Int64(integer("value_int"))) }
    if let numbers = try integers("value_ints") { return try Tensor(numbers.map { Int64($0) }) }
    if case .floats(let numbers) = attribute("value_floats") { return try Tensor(numbers) }
    throw ApusError(.unsupportedModel, "a constant of texts, or in a sparse form", expected: "dense numbers")
  }
}
