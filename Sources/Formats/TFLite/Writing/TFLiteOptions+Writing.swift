import TensorCore

extension TFLiteOptions {
  /// The number of an operator's options in their union, and the table; nil for an operator without any.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for options that refer to other parts of a model.
  func record(for builtin: TFLiteBuiltin) throws(ApusError) -> (kind: UInt8, record: FlatBufferRecord)? {
    guard self != .none, let (union, kind, _) = builtin.optionsKind else { return nil }
    guard union == 1 else {
      throw ApusError(.unsupportedModel, "the options of \(builtin.name) are not written")
    }
    var record = FlatBufferRecord()
    switch self {
    case .conv2D(let options): options.write(to: &record)
    case .depthwiseConv2D(let options): options.write(to: &record)
    case .transposeConv(let options): options.write(to: &record)
    case .pool2D(let options): options.write(to: &record)
    case .fullyConnected(let options): options.write(to: &record)
    case .batchMatMul(let options): options.write(to: &record)
    case .stridedSlice(let options): options.write(to: &record)
    case .elementwise(let activation, let powerOfTwoScale):
      record.set(0, activation.rawValue)
      if builtin == .ADD || builtin == .SUB { record.set(1, powerOfTwoScale, default: true) }
    case .softmax(let beta): record.set(0, beta)
    case .concatenation(let axis, let activation):
      record.set(0, Int32(clamping: axis))
      record.set(1, activation.rawValue)
    case .localResponseNormalization(let radius, let bias, let alpha, let beta):
      record.set(0, Int32(clamping: radius))
      record.set(1, bias)
      record.set(2, alpha)
      record.set(3, beta)
    default: try writeShapeOptions(to: &record, builtin)
    }
    return (kind, record)
  }

  /// Operators that move elements about.
  private func writeShapeOptions(
    to record: inout FlatBufferRecord, _ builtin: TFLiteBuiltin
  ) throws(ApusError) {
    switch self {
    case .reshape(let shape): record.set(0, try shape.map(Self.integers))
    case .squeeze(let axes): record.set(0, try Self.integers(axes))
    case .reduce(let keepsDimensions): record.set(0, keepsDimensions)
    case .gather(let axis, let batchDimensions):
      record.set(0, Int32(clamping: axis))
      record.set(1, Int32(clamping: batchDimensions))
    case .split(let count): record.set(0, Int32(clamping: count))
    case .pack(let count, let axis), .unpack(let count, let axis):
      record.set(0, Int32(clamping: count))
      record.set(1, Int32(clamping: axis))
    case .mirrorPad(let mode): record.set(0, mode.rawValue)
    case .resize(let alignCorners, let halfPixelCenters):
      let first = builtin == .RESIZE_BILINEAR ? 2 : 0
      record.set(first, alignCorners)
      record.set(first + 1, halfPixelCenters)
    case .oneHot(let axis): record.set(0, Int32(clamping: axis))
    case .shape(let type): record.set(0, type.rawValue)
    case .blocks(let size): record.set(0, Int32(clamping: size))
    case .reverseSequence(let sequenceAxis, let batchAxis):
      record.set(0, Int32(clamping: sequenceAxis))
      record.set(1, Int32(clamping: batchAxis))
    default: try writeOtherOptions(to: &record, builtin)
    }
  }

  private func writeOtherOptions(
    to record: inout FlatBufferRecord, _ builtin: TFLiteBuiltin
  ) throws(ApusError) {
    switch self {
    case .leakyRelu(let alpha): record.set(0, alpha)
    case .argumentExtremum(let type): record.set(0, type.rawValue)
    case .cast(let from, let to):
      record.set(0, from.rawValue)
      record.set(1, to.rawValue)
    case .gelu(let approximate): record.set(0, approximate)
    case .cumulativeSum(let exclusive, let reverse):
      record.set(0, exclusive)
      record.set(1, reverse)
    case .fakeQuantization(let minimum, let maximum, let bits, let narrowRange):
      record.set(0, minimum)
      record.set(1, maximum)
      record.set(2, Int32(clamping: bits))
      record.set(3, narrowRange)
    case .unique(let type): record.set(0, type.rawValue, default: TFLiteTensorType.int32.rawValue)
    case .bucketize(let boundaries): record.set(0, .floats(boundaries))
    default: throw ApusError(.unsupportedModel, "the options of \(builtin.name) are not written")
    }
  }

  private static func integers(_ values: [Int]) throws(ApusError) -> FlatBufferContent {
    try TFLiteWriter.integers(values, "an option")
  }
}

extension FlatBufferRecord {
  fileprivate mutating func set(
    height: Int, width: Int, _ extent: TFLiteExtent, default fallback: Int32 = 0
  ) {
    set(height, Int32(clamping: extent.height), default: fallback)
    set(width, Int32(clamping: extent.width), default: fallback)
  }
}

extension TFLiteOptions.Conv2D {
  fileprivate func write(to record: inout FlatBufferRecord) {
    record.set(0, padding.rawValue)
    record.set(height: 2, width: 1, stride)
    record.set(3, activation.rawValue)
    record.set(height: 5, width: 4, dilation, default: 1)
    record.set(6, quantizedBiasType.rawValue)
  }
}

extension TFLiteOptions.DepthwiseConv2D {
  fileprivate func write(to record: inout FlatBufferRecord) {
    record.set(0, padding.rawValue)
    record.set(height: 2, width: 1, stride)
    record.set(3, Int32(clamping: depthMultiplier))
    record.set(4, activation.rawValue)
    record.set(height: 6, width: 5, dilation, default: 1)
  }
}

extension TFLiteOptions.TransposeConv {
  fileprivate func write(to record: inout FlatBufferRecord) {
    record.set(0, padding.rawValue)
    record.set(height: 2, width: 1, stride)
    record.set(3, activation.rawValue)
    record.set(4, quantizedBiasType.rawValue)
  }
}

extension TFLiteOptions.Pool2D {
  fileprivate func write(to record: inout FlatBufferRecord) {
    record.set(0, padding.rawValue)
    record.set(height: 2, width: 1, stride)
    record.set(height: 4, width: 3, filter)
    record.set(5, activation.rawValue)
  }
}

extension TFLiteOptions.FullyConnected {
  fileprivate func write(to record: inout FlatBufferRecord) {
    record.set(0, activation.rawValue)
    record.set(1, weightsFormat.rawValue)
    record.set(2, keepDimensions)
    record.set(3, asymmetricQuantizeInputs)
    record.set(4, quantizedBiasType.rawValue)
  }
}

extension TFLiteOptions.BatchMatMul {
  fileprivate func write(to record: inout FlatBufferRecord) {
    record.set(0, adjointX)
    record.set(1, adjointY)
    record.set(2, asymmetricQuantizeInputs)
  }
}

extension TFLiteOptions.StridedSlice {
  fileprivate func write(to record: inout FlatBufferRecord) {
    record.set(0, Int32(clamping: beginMask))
    record.set(1, Int32(clamping: endMask))
    record.set(2, Int32(clamping: ellipsisMask))
    record.set(3, Int32(clamping: newAxisMask))
    record.set(4, Int32(clamping: shrinkAxisMask))
    record.set(5, endIsOffset)
  }
}
