import Formats
import Graph
import TensorCore

/// Values as bytes with scales, between QuantizeLinear and DequantizeLinear.
extension ONNXStep {
  /// One known scale and zero point, in steps of int8; nil of others.
  func byteQuantization(scale: Int, zero: Int, _ type: DataType) throws(ApusError) -> Quantization? {
    guard let scale = try known(scale), scale.dataType == .float32, scale.shape.elementCount == 1 else {
      return nil
    }
    var point = 0
    if has(zero) {
      guard let known = try known(zero), known.dataType == type, known.shape.elementCount == 1 else {
        return nil
      }
      point = try known.integers()[0]
    }
    return try? Quantization(
      scales: scale.elements(of: Float.self), zeroPoints: [Int32(point - (type == .uint8 ? 128 : 0))])
  }

  /// The value in the order that it is held in.
  func held(_ value: ONNXValue) throws(ApusError) -> (value: Value, isChannelsLast: Bool) {
    if value.plain == nil, let held = value.channelsLast { return (held, true) }
    return (try plain(value), false)
  }

  /// The quantization of bytes in the graph.
  func steps(_ value: ONNXValue) throws(ApusError) -> Quantization? {
    type(of: try held(value).value).quantization
  }

  /// Bytes of the graph in the file's type, as numbers without a scale.
  func stored(_ bytes: ONNXValue, isUnsigned: Bool) throws(ApusError) -> ONNXValue {
    let (typed, isChannelsLast) = try held(bytes)
    let shape = type(of: typed).shape
    var plain = try add(Reshape(shape: shape.dimensions), [typed], type: TensorType(.int8, shape))
    if isUnsigned {
      let shift = constant(try Tensor(scalar: Int32(128)))
      plain = try cast(add(Add(), [cast(plain, to: .int32), shift]), to: .uint8)
    }
    return value(plain, isChannelsLast: isChannelsLast)
  }

  /// The real numbers that bytes of the graph stand for.
  func dequantized(_ bytes: ONNXValue) throws(ApusError) -> ONNXValue {
    let (typed, isChannelsLast) = try held(bytes)
    return value(try add(Dequantize(), [typed]), isChannelsLast: isChannelsLast)
  }

  /// Bytes as real numbers, until something makes more of them.
  func real(_ bytes: ONNXValue) throws(ApusError) -> ONNXValue {
    let function = try ONNXByteFunction(bytes, self)
    return ONNXValue(ONNXDeferral(.real(function)) { () throws(ApusError) in try self.dequantized(bytes) })
  }

  /// Numbers that are a function of bytes, in steps: bytes that are there, or a function of those that are.
  func bytes(of function: ONNXByteFunction, _ steps: Quantization) throws(ApusError) -> ONNXValue {
    if let plain = function.plain, try self.steps(plain) == steps { return plain }
    let (source, isChannelsLast) = try held(function.source)
    let type = TensorType(.int8, type(of: source).shape, quantization: steps)
    let result = try add(ByteFunction(function.table(steps)), [source], type: type)
    return value(result, isChannelsLast: isChannelsLast)
  }

  // MARK: The two operators

  /// The bytes of a `QuantizeLinear` with one known scale; nil of others.
  func quantizedBytes() throws(ApusError) -> ONNXValue? {
    let stated = try integer("output_dtype")
    let type = try has(2) ? dataType(2) : .uint8
    let isPacked = has(2) ? try input(2).packing != nil : false
    guard try integer("block_size") == 0, try integer("precision") == 0, type == .int8 || type == .uint8,
      stated == 0 || ONNXElementType(rawValue: Int32(clamping: stated))?.dataType == type, !isPacked,
      let steps = try byteQuantization(scale: 1, zero: 2, type)
    else { return nil }
    var bytes: ONNXValue?
    var root: (source: ONNXValue, table: [UInt8])?
    switch deferral(0)?.form {
    case .pending(let pending): bytes = (try? pending.make(steps, .none)).flatMap { $0 }
    case .real(let function):
      bytes = try self.bytes(of: function, steps)
      root = (function.source, function.table(steps))
    default: break
    }
    if bytes == nil {
      guard try dataType(0) == .float32 else { return nil }
      let (operands, isChannelsLast) = try aligned([input(0)])
      let type = TensorType(.int8, self.type(of: operands[0]).shape, quantization: steps)
      bytes = value(
        try add(Quantize(roundsToEven: true), operands, type: type), isChannelsLast: isChannelsLast)
    }
    guard let bytes else { return nil }
    passOver("axis", "saturate")
    let isUnsigned = type == .uint8
    return ONNXValue(
      ONNXDeferral(.bytes(ONNXBytes(value: bytes, isUnsigned: isUnsigned, root: root))) {
        () throws(ApusError) in try self.stored(bytes, isUnsigned: isUnsigned)
      })
  }

  /// The real numbers of a `DequantizeLinear` of bytes that such a `QuantizeLinear` made, or of known integers.
  func dequantizedBytes(spelled: @escaping () throws(ApusError) -> ONNXValue) throws(ApusError) -> ONNXValue?
  {
    guard try integer("block_size") == 0 else { return nil }
    if case .bytes(let bytes)? = deferral(0)?.form {
      let type: DataType = bytes.isUnsigned ? .uint8 : .int8
      guard let steps = try byteQuantization(scale: 1, zero: 2, type), try self.steps(bytes.value) == steps
      else {
        return nil
      }
      passOver("axis", "output_dtype")
      var function = try ONNXByteFunction(bytes.value, self)
      if let root = bytes.root {
        let values = function.values
        function = ONNXByteFunction(
          source: root.source, values: root.table.map { values[Int($0)] }, plain: bytes.value)
      }
      return ONNXValue(
        ONNXDeferral(.real(function)) { () throws(ApusError) in try self.dequantized(bytes.value) })
    }
    guard deferral(0) == nil, try input(0).packing == nil, let stored = try known(0),
      [.int8, .uint8, .int32].contains(stored.dataType), let scale = try known(1), scale.dataType == .float32,
      scale.shape.rank <= 1
    else { return nil }
    var zeros = [Int](repeating: 0, count: scale.shape.elementCount)
    if has(2) {
      guard let known = try known(2), known.shape == scale.shape else { return nil }
      zeros = try known.integers()
    }
    let axis = try integer("axis", default: 1)
    let integers = ONNXKnownIntegers(
      stored: stored, scales: try scale.elements(of: Float.self), zeros: zeros,
      axis: axis < 0 ? axis + stored.shape.rank : axis)
    guard integers.scales.count == 1 || integers.fits else { return nil }
    passOver("output_dtype")
    return ONNXValue(ONNXDeferral(.known(integers), spelled: spelled))
  }
}

extension ONNXKnownIntegers {
  /// Whether there is a scale for each slice of the axis.
  fileprivate var fits: Bool {
    (0..<stored.shape.rank).contains(axis) && stored.shape[axis] == scales.count
  }
}

extension ONNXByteFunction {
  /// Bytes of the graph and the numbers that they stand for.
  init(_ bytes: ONNXValue, _ step: ONNXStep) throws(ApusError) {
    guard let steps = try step.steps(bytes) else { throw ApusError(.malformedModel, "bytes without a scale") }
    self.init(
      source: bytes,
      values: (0..<256).map {
        Float(Int32(Int8(truncatingIfNeeded: $0)) - steps.zeroPoint) * steps.scale
      }, plain: bytes)
  }

  /// The numbers as bytes of int8: divided by the scale, rounded with halves to even, more by the zero point.
  func table(_ steps: Quantization) -> [UInt8] {
    values.map { value in
      let count = (value / steps.scale).rounded(.toNearestOrEven) + Float(steps.zeroPoint)
      return UInt8(bitPattern: Int8(count > -128 ? min(count, 127) : -128))
    }
  }
}
