import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Numbers as integers with scales, and products of such.
  static let quantization: [ONNXOperator] = [
    ONNXOperator("DequantizeLinear") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      let spelled = { () throws(ApusError) -> ONNXValue in
        ONNXValue(plain: try step.spelledReals(), narrowType: step.scaleNarrowType)
      }
      if let deferred = try step.dequantizedBytes(spelled: spelled) { return [deferred] }
      return [try spelled()]
    },
    ONNXOperator("QuantizeLinear") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      if let bytes = try step.quantizedBytes() { return [bytes] }
      return [try step.spelledBytes()]
    },
    ONNXOperator("DynamicQuantizeLinear") { (step) throws(ApusError) in try step.quantizedByRange() },
    ONNXOperator("MatMulInteger") { (step) throws(ApusError) in
      try step.requireOutputs(atMost: 1)
      guard let form = try step.byteProduct() else { return [ONNXValue(plain: try step.integerProduct())] }
      return [
        ONNXValue(
          ONNXDeferral(form) { () throws(ApusError) in ONNXValue(plain: try step.integerProduct()) })
      ]
    },
  ]
}

extension ONNXStep {
  /// `(x − zero point) · scale`.
  fileprivate func spelledReals() throws(ApusError) -> Value {
    let x = try plain(0)
    let spread = try spreading(over: type(of: x).shape)
    var numbers = try cast(x, to: .int32)
    if has(2) { numbers = try add(Subtract(), [numbers, cast(spread(plain(2)), to: .int32)]) }
    passOver("output_dtype")
    return try add(Multiply(), [cast(numbers, to: .float32), spread(plain(1))])
  }

  /// `x / scale + zero point`.
  fileprivate func spelledBytes() throws(ApusError) -> ONNXValue {
    passOver("saturate")
    let x = try plain(0)
    let spread = try spreading(over: type(of: x).shape)
    let type = try quantizedType()
    let steps = try add(Divide(), [cast(x, to: .float32), spread(plain(1))])
    let zero = has(2) ? try spread(plain(2)) : nil
    let result = ONNXValue(plain: try quantized(steps, zero, type.dataType, packing: type.packing))
    result.packing = type.packing
    return result
  }

  /// The type that real numbers of a scale have in the file.
  fileprivate var scaleNarrowType: DataType? { narrowType }

  /// What brings scales and zero points to the shape of the operand: one for all, one for each slice of an axis, or one for each
  /// block of it.
  fileprivate func spreading(
    over shape: Shape
  ) throws(ApusError) -> (Value) throws(ApusError) -> Value {
    let named = try integer("axis", default: 1)
    let block = try integer("block_size")
    return { (value) throws(ApusError) in
      let own = self.type(of: value).shape
      if own.elementCount == 1, own.rank < 2 { return try self.reshaped(value, []) }
      let axis = try shape.axis(named)
      if block == 0 {
        guard own.dimensions == [shape[axis]] else {
          throw ApusError(
            .malformedModel, "scales or zero points \(own) for axis \(axis) of \(shape)",
            expected: "[\(shape[axis])]")
        }
        return try self.reshaped(value, [shape[axis]] + [Int](repeating: 1, count: shape.rank - axis - 1))
      }
      guard block > 0, block <= shape[axis], own.rank == shape.rank,
        own[axis] == (shape[axis] + block - 1) / block
      else {
        throw ApusError(
          .malformedModel, "scales \(own) in blocks of \(block) for \(shape)", expected: "one for each")
      }
      try Self.requireFew(shape[axis], "scales")
      let places = (0..<shape[axis]).map { $0 / block }
      return try self.add(Gather(axis: axis), [value, self.constant(places)])
    }
  }

  /// The type of quantized results: that of the zero point, or of an attribute, else uint8.
  fileprivate func quantizedType() throws(ApusError) -> (dataType: DataType, packing: ONNXPacking?) {
    let stated = try integer("output_dtype")
    let packing =
      has(2)
      ? try input(2).packing : ONNXElementType(rawValue: Int32(clamping: stated)).flatMap(ONNXPacking.init)
    if let packing { return (packing.dataType, packing) }
    let type =
      has(2) ? try dataType(2) : ONNXElementType(rawValue: Int32(clamping: stated))?.dataType ?? .uint8
    guard [.int8, .uint8, .int16, .uint16].contains(type), stated == 0 || has(2) || type.isInteger else {
      throw ApusError(.unsupportedModel, "numbers quantized to \(type.rawValue)", expected: "8 or 16 bits")
    }
    return (type, nil)
  }

  /// Steps rounded to the nearest whole number, halves to even, limited to a type.
  func quantized(
    _ steps: Value, _ zero: Value?, _ type: DataType, packing: ONNXPacking? = nil
  ) throws(ApusError) -> Value {
    var rounded = try add(UnaryMath(.round), [steps])
    if let zero { rounded = try add(Add(), [rounded, cast(zero, to: .float32)]) }
    if let range = packing?.range {
      let least = try add(Extremum(.maximum), [rounded, scalar(Float(range.lowerBound))])
      rounded = try add(Extremum(.minimum), [least, scalar(Float(range.upperBound))])
    }
    // Casts saturate.
    return try cast(rounded, to: type)
  }

  /// uint8 over the range of the operand, which includes 0.
  fileprivate func quantizedByRange() throws(ApusError) -> [ONNXValue?] {
    let found = try rangeQuantized(plain(0))
    return [found.bytes, found.scale, found.zero].map { ONNXValue(plain: $0) }
  }

  /// Numbers as uint8 over their range, which includes 0, with the scale and the zero point.
  func rangeQuantized(_ x: Value) throws(ApusError) -> (bytes: Value, scale: Value, zero: Value) {
    let found = try add(QuantizeByRange(), [x], count: 3)
    return (found[0], found[1], found[2])
  }

  /// `(A − a) · (B − b)` in int32, as products of int8 and the sums of their rows and columns.
  fileprivate func integerProduct() throws(ApusError) -> Value {
    try integerProduct(integerFactor(0, 2, isRow: true, isFirst: true), by: integerFactor(1, 3))
  }

  /// The same of factors with their zero points, which broadcast to rows of A and columns of B: A int8 or uint8, B int8.
  func integerProduct(
    _ a: (bytes: Value, zero: Value), by b: (bytes: Value, zero: Value)
  ) throws(ApusError) -> Value {
    let shapes = (type(of: a.bytes).shape, type(of: b.bytes).shape)
    guard shapes.0.rank >= 2, shapes.1.rank >= 2 else {
      throw ApusError(
        .unsupportedModel, "integers of shapes \(shapes.0) and \(shapes.1)", expected: "matrices")
    }
    let extents = Array(
      try Shape(shapes.0.dimensions.dropLast(2)).broadcast(
        with: Shape(Array(shapes.1.dimensions.dropLast(2)))
      ).dimensions)
    let shape = try Shape(extents + [shapes.0[shapes.0.rank - 2], shapes.1[shapes.1.rank - 1]])
    let product = try add(BatchMatMul(), [a.bytes, b.bytes], type: TensorType(.int32, shape))
    // A·B − b · Σ A − a · Σ B + K · a · b
    var result = product
    if !isZero(b.zero) {
      let rows = try add(Reduce(.sum, axes: [-1], keepDimensions: true), [cast(a.bytes, to: .int32)])
      result = try add(Subtract(), [result, add(Multiply(), [rows, b.zero])])
    }
    if !isZero(a.zero) {
      let columns = try add(Reduce(.sum, axes: [-2], keepDimensions: true), [cast(b.bytes, to: .int32)])
      result = try add(Subtract(), [result, add(Multiply(), [columns, a.zero])])
    }
    guard !isZero(a.zero), !isZero(b.zero) else { return result }
    let count = constant(try Tensor(scalar: Int32(clamping: shapes.0[shapes.0.rank - 1])))
    return try add(Add(), [result, add(Multiply(), [add(Multiply(), [a.zero, b.zero]), count])])
  }

  /// Whether a zero point is known to be 0.
  private func isZero(_ value: Value) -> Bool {
    guard let known = translation.constant(of: value), known.dataType == .int32 else { return false }
    return (try? known.elements(of: Int32.self).allSatisfy { $0 == 0 }) ?? false
  }

  /// A factor and its zero point as int32, which is that of rows or of columns where it has one for each; both are 128 less
  /// where they are uint8, but for the first factor of a product of matrices, which stays.
  func integerFactor(
    _ index: Int, _ zeroIndex: Int, isRow: Bool = false, isFirst: Bool = false
  ) throws(ApusError) -> (bytes: Value, zero: Value) {
    try integerFactor(plain(index), zero: zeroPoint(zeroIndex, isOfRows: isRow), isFirst: isFirst)
  }

  func integerFactor(
    _ x: Value, zero: Value, isFirst: Bool = false
  ) throws(ApusError) -> (bytes: Value, zero: Value) {
    let (zero, shift) = (try cast(zero, to: .int32), constant(try Tensor(scalar: Int32(128))))
    switch type(of: x).dataType {
    case .int8: return (x, zero)
    case .uint8 where isFirst: return (x, zero)
    case .uint8:
      let bytes = try cast(add(Subtract(), [cast(x, to: .int32), shift]), to: .int8)
      return (bytes, try add(Subtract(), [zero, shift]))
    case let other:
      throw ApusError(.unsupportedModel, "products of \(other.rawValue)", expected: "int8 or uint8")
    }
  }

  /// A zero point as int32, for all, or one for each row of A or column of B; 0 where it is left out.
  private func zeroPoint(_ index: Int, isOfRows: Bool) throws(ApusError) -> Value {
    guard has(index) else { return constant(try Tensor(scalar: Int32(0))) }
    let shape = try shape(index)
    let isColumn = isOfRows && shape.rank == 1 && shape.elementCount > 1
    let extents = isColumn ? [shape.elementCount, 1] : shape.dimensions
    if let known = try known(index) {
      let numbers = try known.integers().map { Int32(clamping: $0) }
      return constant(try Tensor(numbers, shape: Shape(extents)))
    }
    return try reshaped(cast(plain(index), to: .int32), extents)
  }
}
