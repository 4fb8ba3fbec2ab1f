import Formats
import Graph
import TensorCore

extension ONNXOperators {
  /// Tensors at other extents.
  static let resizing: [ONNXOperator] = [
    ONNXOperator("Resize") { (step) throws(ApusError) in [try step.resized()] },
    ONNXOperator("Upsample") { (step) throws(ApusError) in [try step.upsampled()] },
  ]
}

extension ONNXStep {
  fileprivate func upsampled() throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    let shape = try shape(0)
    let scales: [Float]
    if version < 9, case .floats(let listed) = attribute("scales") {
      scales = listed
    } else {
      scales = try constant(1, "the scales").elements(of: Float.self)
    }
    var sampling = ONNXSampling()
    sampling.mode = try .init(text("mode", default: "nearest"))
    (sampling.coordinates, sampling.rounding) = ("asymmetric", "floor")
    return try resampled(shape, scales: scales, sizes: nil, axes: Array(0..<shape.rank), sampling)
  }

  fileprivate func resized() throws(ApusError) -> ONNXValue {
    try requireOutputs(atMost: 1)
    let shape = try shape(0)
    var sampling = ONNXSampling()
    sampling.mode = try .init(text("mode", default: "nearest"))
    if version < 11 {
      (sampling.coordinates, sampling.rounding) = ("asymmetric", "floor")
      let scales = try constant(1, "the scales").elements(of: Float.self)
      return try resampled(shape, scales: scales, sizes: nil, axes: Array(0..<shape.rank), sampling)
    }
    passOver("extrapolation_value")
    sampling.coordinates = ExactText(try text("coordinate_transformation_mode", default: "half_pixel"))
    sampling.rounding = ExactText(try text("nearest_mode", default: "round_prefer_floor"))
    sampling.cubicFactor = try float("cubic_coeff_a", default: -0.75)
    sampling.excludesOutside = try flag("exclude_outside")
    guard try !flag("antialias") else {
      throw ApusError(.unsupportedModel, "a resize with antialiasing", expected: "one without")
    }
    let axes = try integers("axes") ?? Array(0..<shape.rank)
    var scales: [Float]?
    if has(2), try self.shape(2).elementCount > 0 {
      scales = try constant(2, "the scales").elements(of: Float.self)
    }
    let policy = ExactText(try text("keep_aspect_ratio_policy", default: "stretch"))
    guard scales == nil else { return try resampled(shape, scales: scales, sizes: nil, axes: axes, sampling) }
    let sizes = try integers(3, "the sizes")
    guard policy != "stretch" else {
      return try resampled(shape, scales: nil, sizes: sizes, axes: axes, sampling)
    }
    var ratios: [Float] = []
    for (size, axis) in zip(sizes, axes) { ratios.append(Float(size) / Float(shape[try shape.axis(axis)])) }
    guard let one = policy == "not_larger" ? ratios.min() : ratios.max(), one.isFinite, one > 0, one < 0x1p24
    else {
      throw ApusError(.malformedModel, "sizes \(sizes) for shape \(shape)", expected: "positive ones")
    }
    var kept: [Int] = []
    for axis in axes {
      let size = Float(shape[try shape.axis(axis)]) * one
      kept.append(Int(min(size, 0x1p30).rounded(.toNearestOrAwayFromZero)))
    }
    return try resampled(
      shape, scales: [Float](repeating: one, count: axes.count), sizes: kept, axes: axes, sampling)
  }

  /// - Parameters:
  ///   - scales: of the axes; what sizes make of them when nil.
  ///   - sizes: the extents of the result; what scales make of them when nil.
  private func resampled(
    _ shape: Shape, scales: [Float]?, sizes: [Int]?, axes: [Int], _ sampling: ONNXSampling
  ) throws(ApusError) -> ONNXValue {
    guard scales?.count ?? axes.count == axes.count, sizes?.count ?? axes.count == axes.count else {
      throw ApusError(
        .malformedModel, "\(scales?.count ?? sizes?.count ?? 0) scales or sizes", expected: "\(axes.count)")
    }
    let source = try input(0)
    let isHeld = shape.rank > 2 && source.channelsLast != nil
    var x = isHeld ? try channelsLast(source) : try plain(source)
    for (index, named) in axes.enumerated() {
      let axis = try shape.axis(named)
      let extent = shape[axis]
      let scale = scales?[index] ?? Float(sizes?[index] ?? 0) / Float(max(extent, 1))
      guard scale > 0, scale.isFinite, extent > 0, Float(extent) * scale < 0x1p30 else {
        throw ApusError(
          .malformedModel, "axis \(axis) of \(extent) at scale \(scale)", expected: "a positive scale")
      }
      let size = sizes?[index] ?? Int(Float(extent) * scale)
      guard (1...(1 << 24)).contains(size) else {
        throw ApusError(
          .malformedModel, "axis \(axis) of \(extent) resized to \(size)", expected: "1 to \(1 << 24)")
      }
      guard size != extent || scale != 1 else { continue }
      let place = !isHeld || axis == 0 ? axis : axis == 1 ? shape.rank - 1 : axis - 1
      x = try resampled(x, axis: place, from: extent, to: size, scale, sampling)
    }
    return value(x, isChannelsLast: isHeld, narrowType: narrowType)
  }

  /// One axis: elements that are chosen, or sums of them by weights.
  private func resampled(
    _ x: Value, axis: Int, from extent: Int, to size: Int, _ scale: Float, _ sampling: ONNXSampling
  ) throws(ApusError) -> Value {
    let positions = try sampling.positions(from: extent, to: size, scale: scale)
    if sampling.mode == .nearest {
      return try add(Gather(axis: axis), [x, constant(sampling.nearest(positions, extent))])
    }
    guard type(of: x).dataType == .float32 else {
      throw ApusError(.unsupportedModel, "a mean of \(type(of: x).dataType.rawValue)", expected: "of floats")
    }
    let shape = type(of: x).shape.dimensions
    let weights = constant(try sampling.weights(positions, extent))
    let rows = [shape[..<axis].saturatingProduct, extent, shape[(axis + 1)...].saturatingProduct]
    let product = try add(BatchMatMul(), [weights, reshaped(x, rows)])
    return try reshaped(product, Array(shape[..<axis]) + [size] + shape[(axis + 1)...])
  }
}

/// Where the elements of a resized axis come from. Source: ONNX's Resize.
private struct ONNXSampling {
  enum Mode {
    case nearest, linear, cubic

    init(_ name: String) throws(ApusError) {
      switch ExactText(name) {
      case "nearest": self = .nearest
      case "linear", "bilinear": self = .linear
      case "cubic": self = .cubic
      default:
        throw ApusError(
          .unsupportedModel, "a resize by '\(name.clipped)'", expected: "nearest, linear or cubic")
      }
    }
  }

  var mode = Mode.nearest
  var coordinates: ExactText = "half_pixel"
  var rounding: ExactText = "round_prefer_floor"
  var cubicFactor: Float = -0.75
  var excludesOutside = false

  /// For each element of the result its place in the source.
  func positions(from extent: Int, to size: Int, scale: Float) throws(ApusError) -> [Float] {
    let (from, to) = (Float(extent), Float(size))
    let place: (Float) -> Float
    switch coordinates {
    case "half_pixel": place = { ($0 + 0.5) / scale - 0.5 }
    case "pytorch_half_pixel": place = { size > 1 ? ($0 + 0.5) / scale - 0.5 : 0 }
    case "tf_half_pixel_for_nn": place = { ($0 + 0.5) / scale }
    case "asymmetric": place = { $0 / scale }
    case "align_corners":
      // The length that a scale gives is not rounded here: the specification's own evaluator has it so, ONNX Runtime has not.
      let length = scale * from
      place = { length == 1 ? 0 : $0 * (from - 1) / (length - 1) }
    case "half_pixel_symmetric":
      let offset = from / 2 * (1 - to / (scale * from))
      place = { offset + ($0 + 0.5) / scale - 0.5 }
    default:
      throw ApusError(
        .unsupportedModel, "the coordinates '\(coordinates.clipped)'",
        expected: "half_pixel, align_corners, asymmetric or others that need no region")
    }
    return (0..<size).map { place(Float($0)) }
  }

  /// The nearest elements.
  func nearest(_ positions: [Float], _ extent: Int) throws(ApusError) -> [Int] {
    let round: (Float) -> Float
    switch rounding {
    case "round_prefer_floor": round = { ($0 - 0.5).rounded(.up) }
    case "round_prefer_ceil": round = { ($0 + 0.5).rounded(.down) }
    case "floor": round = { $0.rounded(.down) }
    case "ceil": round = { $0.rounded(.up) }
    default: throw ApusError(.malformedModel, "the rounding '\(rounding.clipped)'", expected: "one of ONNX's")
    }
    return positions.map { min(max(Int(round($0)), 0), extent - 1) }
  }

  /// A row of weights of the source's elements for each element of the result.
  func weights(_ positions: [Float], _ extent: Int) throws(ApusError) -> Tensor {
    let type = try TensorType(.float32, Shape([positions.count, extent]))
    guard type.byteCount <= 1 << 28 else {
      throw ApusError(
        .unsupportedModel, "an axis of \(extent) resized to \(positions.count)", expected: "less")
    }
    var weights = [Float](repeating: 0, count: positions.count * extent)
    for (row, position) in positions.enumerated() {
      for (element, weight) in taps(position, extent) { weights[row * extent + element] += weight }
    }
    return try Tensor(weights, shape: type.shape)
  }

  /// The elements around a place, with their weights; beyond the ends the last ones count.
  private func taps(_ position: Float, _ extent: Int) -> [(element: Int, weight: Float)] {
    let first = position.rounded(.down)
    let fraction = position - first
    var taps: [(place: Int, weight: Float)]
    if mode == .linear {
      taps = [(0, 1 - fraction), (1, fraction)]
    } else {
      taps = (-1...2).map { ($0, cubic(abs(fraction - Float($0)))) }
    }
    taps = taps.map { ($0.place + Int(first), $0.weight) }
    if mode == .cubic, excludesOutside {
      taps = taps.filter { (0..<extent).contains($0.place) }
      let sum = taps.reduce(0) { $0 + $1.weight }
      taps = taps.map { ($0.place, $0.weight / sum) }
    }
    return taps.map { (min(max($0.place, 0), extent - 1), $0.weight) }
  }

  /// Keys's cubic kernel. Source: Keys 1981, "Cubic Convolution Interpolation for Digital Image Processing".
  private func cubic(_ distance: Float) -> Float {
    let (x, a) = (distance, cubicFactor)
    if x <= 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0
  }
}
