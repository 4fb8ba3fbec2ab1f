import Formats
import Graph
import TensorCore

/// Layers whose operands are bytes with scales, and whose result is asked for as bytes.
extension ONNXStep {
  /// Bytes that stand for the numbers of an operand themselves.
  func plainBytes(_ index: Int) throws(ApusError) -> ONNXValue? { try function(index)?.plain }

  /// An operand as a function of bytes.
  func function(_ index: Int) throws(ApusError) -> ONNXByteFunction? {
    switch deferral(index)?.form {
    case .real(let function): return function
    case .known(let integers):
      guard integers.scales.count == 1, let bytes = try integers.int8(about: nil) else { return nil }
      return try ONNXByteFunction(ONNXValue(plain: constant(bytes)), self)
    default: return nil
    }
  }

  /// Known weights as int8 about 0, with one scale or one for each slice of `axis`.
  private func weights(_ index: Int, along axis: Int) throws(ApusError) -> Tensor? {
    guard case .known(let integers)? = deferral(index)?.form,
      integers.scales.count == 1 || integers.axis == axis
    else { return nil }
    return try integers.int8(about: 0)
  }

  /// A known bias in steps of the product of the scales of rows and weights, as int32; nil where they are too many.
  private func bias(_ index: Int, _ rows: Float, _ weights: [Float], columns: Int) throws(ApusError)
    -> Tensor?
  {
    var reals: [Double]
    if case .known(let integers)? = deferral(index)?.form {
      guard integers.stored.shape.elementCount == columns,
        integers.scales.count == 1 || integers.scales.count == columns
      else { return nil }
      let numbers = try integers.stored.integers()
      reals = numbers.indices.map { index in
        let scale = integers.scales.count == 1 ? 0 : index
        return Double(numbers[index] - integers.zeros[scale]) * Double(integers.scales[scale])
      }
    } else {
      guard deferral(index) == nil, let known = try known(index), known.shape.elementCount == columns,
        known.dataType == .float32
      else { return nil }
      reals = try known.elements(of: Float.self).map(Double.init)
    }
    var steps: [Int32] = []
    for (column, real) in reals.enumerated() {
      let scale = Double(rows) * Double(weights[weights.count == 1 ? 0 : column])
      let count = (real / scale).rounded(.toNearestOrEven)
      guard abs(count) < 0x1p30 else { return nil }
      steps.append(Int32(count))
    }
    return try Tensor(steps)
  }

  /// Integer convolution by known filters.
  func byteConvolution(_ steps: Quantization, _ activation: FusedActivation) throws(ApusError) -> ONNXValue? {
    guard let x = try plainBytes(0), let filters = try weights(1, along: 0), let rows = try self.steps(x),
      let scales = filters.quantization?.scales, filters.shape.rank == 3 || filters.shape.rank == 4
    else { return nil }
    let shape = try translation.shape(of: x)
    let kernel = Array(filters.shape.dimensions.dropFirst(2))
    guard try integers("kernel_shape") ?? kernel == kernel else { return nil }
    let window = try ONNXWindow(self, kernel: kernel, over: shape)
    try window.requirePicture()
    let groups = try integer("group", default: 1)
    guard groups > 0, filters.shape.rank == shape.rank,
      filters.shape[1].multipliedReportingOverflow(by: groups) == (shape[1], false)
    else { return nil }
    let isDepthwise = groups > 1 && filters.shape[1] == 1
    let size = window.pair(kernel)
    let picture = [filters.shape[0], filters.shape[1], size.height, size.width]
    let axis = isDepthwise ? 3 : 0
    let turned = try filters.reinterpreted(as: TensorType(.int8, Shape(picture)))
      .reordered(isDepthwise ? [1, 2, 3, 0] : [0, 2, 3, 1])
    let type = TensorType(
      .int8, turned.shape,
      quantization: try Quantization(
        scales: scales, zeroPoints: [Int32](repeating: 0, count: scales.count), axis: axis))
    var operands = [try self.picture(x), constant(try turned.reinterpreted(as: type))]
    if has(2) {
      guard let bias = try bias(2, rows.scale, scales, columns: filters.shape[0]) else { return nil }
      operands.append(constant(bias))
    }
    var attributes = window.attributes
    attributes.activation = activation
    let declared = TensorType(.int8, .scalar, quantization: steps)
    let result =
      isDepthwise
      ? try add(DepthwiseConvolution2D(attributes), operands, type: declared)
      : try add(Convolution2D(attributes), operands, type: declared)
    return try value(ofPicture: result, isSequence: window.isSequence)
  }

  /// Rows of bytes times a known matrix: `Gemm`, and `MatMul` where its second operand is known.
  /// - Parameter isTransposed: whether the matrix is stored as [O, K].
  func byteLayer(
    _ steps: Quantization, _ activation: FusedActivation, isTransposed: Bool, bias index: Int?
  ) throws(ApusError) -> ONNXValue? {
    guard let x = try plainBytes(0), let matrix = try weights(1, along: isTransposed ? 0 : 1),
      matrix.shape.rank == 2, let rows = try self.steps(x), let scales = matrix.quantization?.scales
    else { return nil }
    let turned =
      isTransposed
      ? matrix
      : try matrix.reinterpreted(as: TensorType(.int8, matrix.shape)).reordered([1, 0])
    let type = TensorType(
      .int8, turned.shape,
      quantization: try Quantization(
        scales: scales, zeroPoints: [Int32](repeating: 0, count: scales.count), axis: 0))
    var operands = [try plain(x), constant(try turned.reinterpreted(as: type))]
    if let index, has(index) {
      guard let bias = try bias(index, rows.scale, scales, columns: turned.shape[0]) else { return nil }
      operands.append(constant(bias))
    }
    let layer = FullyConnected(activation: activation, keepsDimensions: true)
    return ONNXValue(
      plain: try add(layer, operands, type: TensorType(.int8, .scalar, quantization: steps)))
  }

  /// `Gemm` of bytes.
  func byteGeneralProduct(
    _ steps: Quantization, _ activation: FusedActivation
  ) throws(ApusError) -> ONNXValue? {
    let (alpha, beta) = (try float("alpha", default: 1), try float("beta", default: 1))
    let (turnsA, turnsB) = (try flag("transA"), try flag("transB"))
    guard alpha == 1, beta == 1 || !has(2), !turnsA else { return nil }
    return try byteLayer(steps, activation, isTransposed: turnsB, bias: 2)
  }

  /// `MatMul` of bytes.
  func byteProduct(_ steps: Quantization, _ activation: FusedActivation) throws(ApusError) -> ONNXValue? {
    if let layer = try byteLayer(steps, activation, isTransposed: false, bias: nil) { return layer }
    guard activation == .none, let a = try plainBytes(0), let b = try plainBytes(1),
      try translation.shape(of: a).rank > 1, try translation.shape(of: b).rank > 1
    else { return nil }
    let product = try add(
      BatchMatMul(), [plain(a), plain(b)], type: TensorType(.int8, .scalar, quantization: steps))
    return ONNXValue(plain: product)
  }

  /// Sums, differences and products of pairs.
  func bytePairs(
    _ operation: some Operation, _ steps: Quantization
  ) throws(ApusError) -> ONNXValue? {
    guard let a = try plainBytes(0), let b = try plainBytes(1) else { return nil }
    let (operands, isChannelsLast) = try aligned([a, b])
    let result = try add(operation, operands, type: TensorType(.int8, .scalar, quantization: steps))
    return value(result, isChannelsLast: isChannelsLast)
  }

  /// The mean of all elements of each channel, or over axes of height and width.
  func byteMean(_ steps: Quantization, axes: [Int], keepsDimensions: Bool) throws(ApusError) -> ONNXValue? {
    guard let x = try plainBytes(0) else { return nil }
    let (held, isChannelsLast) = try held(x)
    let rank = type(of: held).shape.rank
    let wanted = Set(axes.map { $0 < 0 ? $0 &+ rank : $0 })
    guard wanted == Set(2..<rank), rank > 2 else { return nil }
    let places = isChannelsLast ? Array(1..<(rank - 1)) : Array(2..<rank)
    let result = try add(
      Reduce(.mean, axes: places, keepDimensions: keepsDimensions), [held],
      type: TensorType(.int8, .scalar, quantization: steps))
    return value(result, isChannelsLast: isChannelsLast && keepsDimensions)
  }

  /// Parts put together, each brought to the same steps.
  func byteParts(_ steps: Quantization) throws(ApusError) -> ONNXValue? {
    var parts: [ONNXValue] = []
    for index in 0..<inputCount {
      guard let part = try function(index) else { return nil }
      parts.append(try bytes(of: part, steps))
    }
    return try joined(parts)
  }
}

extension ONNXKnownIntegers {
  /// The integers as int8 with their scales.
  /// - Parameter zero: the zero point that they shall have; that of the file, 128 less of uint8, where nil.
  /// - Returns: nil for other integers than bytes, and for those that int8 does not hold then.
  func int8(about zero: Int?) throws(ApusError) -> Tensor? {
    guard stored.dataType == .int8 || stored.dataType == .uint8, let first = zeros.first,
      zeros.allSatisfy({ $0 == first })
    else { return nil }
    let shift = zero.map { first - $0 } ?? (stored.dataType == .uint8 ? 128 : 0)
    guard let shifted = shift == 0 && stored.dataType == .int8 ? stored : try stored.int8(less: shift) else {
      return nil
    }
    let quantization = try Quantization(
      scales: scales, zeroPoints: zeros.map { Int32(clamping: $0 - shift) }, axis: axis)
    return try shifted.reinterpreted(as: TensorType(.int8, shifted.shape, quantization: quantization))
  }
}
