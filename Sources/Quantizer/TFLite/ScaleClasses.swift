import Formats
import TensorCore

/// Which activations must have one scale and zero point, and which must have certain ones.
struct ScaleClasses {
  private var parents: [Int: Int] = [:]
  private var fixed: [Int: Quantization] = [:]
  /// Ranges of constants that operators take among activations of one scale, by the class.
  private var constants: [Int: ValueRange] = [:]
  private let activations: ActivationType

  /// - Throws: ``ApusError`` of kind `unsupportedModel` when operators demand different scales of one tensor.
  init(_ network: FloatNetwork, _ activations: ActivationType = .int8) throws(ApusError) {
    self.activations = activations
    for tensor in network.activations { parents[tensor] = tensor }
    for step in network.steps where !network.isKept(step) {
      guard let rule = IntegerRule.of(step.builtin, activations) else { continue }
      switch rule.kind(activations) {
      case .shared: try join(step, network)
      case .fixed(let scale, let zeroPoint):
        let quantization = try Quantization(scales: [scale], zeroPoints: [zeroPoint])
        for output in step.outputs { try fix(output, quantization, step) }
      case .weighted, .free, .reading: break
      }
    }
  }

  /// The representative of a tensor's class.
  func root(_ tensor: Int) -> Int {
    var tensor = tensor
    while let parent = parents[tensor], parent != tensor { tensor = parent }
    return tensor
  }

  private mutating func join(_ step: TFLiteOperator, _ network: FloatNetwork) throws(ApusError) {
    let operands = step.inputs.compactMap(\.self)
    let members = (operands + step.outputs).filter(network.isActivation)
    guard let first = members.first else { return }
    for other in members.dropFirst() {
      let (a, b) = (root(first), root(other))
      guard a != b else { continue }
      let demanded = (fixed[a], fixed[b])
      parents[b] = a
      if let quantization = demanded.1 { try fix(a, quantization, step) }
      if let range = constants[b] { constants[a, default: range].formUnion(range) }
    }
    for operand in operands {
      guard let constant = network.constant(operand), constant.dataType.isFloat else { continue }
      let range = try Self.range(constant, named: network.label(operand))
      constants[root(first), default: range].formUnion(range)
    }
  }

  private mutating func fix(
    _ tensor: Int, _ quantization: Quantization, _ step: TFLiteOperator
  ) throws(ApusError) {
    let root = root(tensor)
    guard fixed[root] == nil || fixed[root] == quantization else {
      throw ApusError(
        .unsupportedModel, "TFLite demands two different scales of one tensor", expected: "one",
        at: step.label)
    }
    fixed[root] = quantization
  }

  static func range(_ constant: Tensor, named name: String) throws(ApusError) -> ValueRange {
    var range = ValueRange()
    try FloatChunks(constant, named: name).forEach { (_, chunk) throws(ApusError) in _ = range.add(chunk) }
    return range
  }

  /// The scale and zero point of every activation.
  /// - Parameter ranges: of the activations.
  func quantizations(_ ranges: [Int: ValueRange]) throws(ApusError) -> [Int: Quantization] {
    var classes = constants
    for (tensor, range) in ranges { classes[root(tensor), default: range].formUnion(range) }
    var result: [Int: Quantization] = [:]
    for tensor in parents.keys {
      let root = root(tensor)
      if let demanded = fixed[root] {
        result[tensor] = demanded
      } else {
        result[tensor] = try AffineRange.quantization(classes[root] ?? ValueRange(), activations)
      }
    }
    return result
  }
}

/// The scale and zero point with which −128…127, or −32767…32767, covers a range.
enum AffineRange {
  /// The smallest scale: below it the ratios that integer arithmetic needs could not be told.
  private static let leastScale: Float = 1e-9

  /// Zero falls on an integer, as it must for padding.
  static func quantization(
    _ range: ValueRange, _ activations: ActivationType = .int8
  ) throws(ApusError) -> Quantization {
    let isWide = activations == .int16
    let scale = max(
      isWide ? max(-range.lower, range.upper) / 32767 : (range.upper - range.lower) / 255, leastScale)
    guard scale.isFinite else {
      throw ApusError(
        .unsupportedModel, "numbers from \(range.lower) to \(range.upper)", expected: "a range of float32")
    }
    guard range.upper > range.lower else { return try Quantization(scales: [1], zeroPoints: [0]) }
    guard !isWide else { return try Quantization(scales: [scale], zeroPoints: [0]) }
    let zeroPoint = (-128 - range.lower / scale).rounded(.toNearestOrAwayFromZero)
    return try Quantization(scales: [scale], zeroPoints: [Int32(max(-128, min(127, zeroPoint)))])
  }
}
