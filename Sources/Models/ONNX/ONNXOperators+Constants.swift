import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Values that nodes state themselves, or that follow from shapes.
  static let constants: [ONNXOperator] = [
    ONNXOperator("Constant") { (step) throws(ApusError) in [try step.statedValue()] },
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
    ONNXOperator("EyeLike") { (step) throws(ApusError) in
      let shape = try step.shape(0)
      guard shape.rank == 2 else {
        throw ApusError(.malformedModel, "shape \(shape)", expected: "a matrix")
      }
      try ONNXStep.requireFew(shape.elementCount, "elements")
      let diagonal = try step.integer("k")
      let ones = try Tensor(TensorType(.bool, shape)) { target in
        for row in 0..<shape[0] {
          for column in 0..<shape[1] { target[row * shape[1] + column] = column - row == diagonal ? 1 : 0 }
        }
      }
      let stated = ONNXElementType(rawValue: Int32(clamping: try step.integer("dtype", default: 0)))
      let own = try (step.input(0).narrowType, step.dataType(0))
      let type = stated?.dataType ?? own.0 ?? own.1
      guard type != .float64, stated == nil || stated?.dataType != nil else {
        throw ApusError(.unsupportedModel, "elements of type \(stated?.name ?? type.rawValue)")
      }
      let matrix = try step.cast(step.constant(ones), to: type.isNarrowFloat ? .float32 : type)
      return [ONNXValue(plain: matrix, narrowType: type.isNarrowFloat ? type : nil)]
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
  fileprivate func statedValue() throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    guard let value = attribute("value") else { return ONNXValue(try stated()) }
    guard case .tensor(let tensor) = value else {
      throw ApusError(.malformedModel, "attribute 'value' of another type", expected: "a tensor")
    }
    return try self.value(tensor)
  }

  private func stated() throws(ApusError) -> Tensor {
    if case .sparse(let tensor) = attribute("sparse_value") { return try self.tensor(tensor) }
    if has(attribute: "value_float") { return try Tensor(scalar: float("value_float")) }
    if has(attribute: "value_int") { return try Tensor(scalar: Int64(integer("value_int"))) }
    if let numbers = try integers("value_ints") { return try Tensor(numbers.map { Int64($0) }) }
    if case .floats(let numbers) = attribute("value_floats") { return try Tensor(numbers) }
    throw ApusError(.unsupportedModel, "a constant of texts", expected: "dense numbers")
  }
}
