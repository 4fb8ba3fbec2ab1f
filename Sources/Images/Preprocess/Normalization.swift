import TensorCore

/// How a pixel value becomes the number that a model takes.
///
/// Every rule is defined on 0…255, the values of a picture as decoded, and says in its name what unit its
/// constants have; nothing else can be normalised, so dividing by 255 twice cannot be expressed. All
/// arithmetic is in 32-bit floats, in the order of the formula.
public struct Normalization: Sendable, Hashable, CustomStringConvertible {
  private enum Rule: Sendable, Hashable {
    case unchanged
    case zeroToOne
    case minusOneToOne
    case scaleOffset(scale: Float, offset: Float)
    case unitMeanStd(mean: [Float], std: [Float])
    case byteMeanStd(mean: [Float], std: [Float])
    case rescaledMeanStd(factor: Double, mean: [Float], std: [Float])
  }

  private let rule: Rule

  /// x: the values 0…255 themselves.
  public static let unchanged = Normalization(rule: .unchanged)
  /// x / 255.
  public static let zeroToOne = Normalization(rule: .zeroToOne)
  /// x / 127.5 − 1, the rule of the MobileNets.
  public static let minusOneToOne = Normalization(rule: .minusOneToOne)

  /// x × scale + offset, with x in 0…255.
  /// - Throws: ``ApusError`` of kind `configuration` unless both are finite and the scale is not 0.
  public static func scaleOffset(
    perByteStep scale: Float, offset: Float
  ) throws(ApusError) -> Normalization {
    guard scale.isFinite, offset.isFinite, scale != 0 else {
      throw ApusError(
        .configuration, "normalisation with scale \(scale) and offset \(offset)",
        expected: "finite numbers and a scale other than 0")
    }
    return Normalization(rule: .scaleOffset(scale: scale, offset: offset))
  }

  /// (x / 255 − mean) / std: mean and std in units of 0…1, one for all channels or one for each. The rule of
  /// torchvision, and of Hugging Face processors that rescale by 1/255.
  /// - Throws: ``ApusError`` of kind `configuration` when they are not finite, std is not positive, or their
  ///   size shows that they are in units of 0…255.
  public static func meanStd(inUnitsOfOne mean: [Float], _ std: [Float]) throws(ApusError) -> Normalization {
    try check(mean, std)
    guard mean.allSatisfy({ abs($0) <= 2 }), std.allSatisfy({ $0 <= 2 }) else {
      throw ApusError(
        .configuration, "mean \(mean) and std \(std) in units of 0…1", expected: "numbers of at most 2",
        advice: "These look like units of 0…255.")
    }
    return Normalization(rule: .unitMeanStd(mean: mean, std: std))
  }

  /// (x × factor − mean) / std: mean and std, one for all channels or one for each, in the unit that the factor
  /// makes of 0…255. The rule of Hugging Face's image processors, which multiply in 64-bit floats.
  /// - Throws: ``ApusError`` of kind `configuration` when a number is not finite, the factor is 0, or std is not
  ///   positive.
  package static func meanStd(
    rescaledBy factor: Double, _ mean: [Float], _ std: [Float]
  ) throws(ApusError) -> Normalization {
    try check(mean, std)
    guard factor.isFinite, factor != 0, Float(factor * 255).isFinite else {
      throw ApusError(
        .configuration, "normalisation by the factor \(factor)", expected: "a finite number other than 0")
    }
    // For all 256 values the product rounded to 32 bits is the quotient.
    if factor == 1.0 / 255 { return known(mean, std) }
    return Normalization(rule: .rescaledMeanStd(factor: factor, mean: mean, std: std))
  }

  /// The same rule as the processors compute it that use torchvision: (x − mean / factor) / (std / factor) in
  /// 32-bit floats. A negative factor makes the deviations negative, too.
  package static func meanStd(
    dividedBy factor: Double, _ mean: [Float], _ std: [Float]
  ) throws(ApusError) -> Normalization {
    _ = try meanStd(rescaledBy: factor, mean, std)
    let scale = Float(1 / factor)
    let means = mean.map { $0 * scale }, deviations = std.map { $0 * scale }
    try check(means, deviations.map { abs($0) })
    return Normalization(rule: .byteMeanStd(mean: means, std: deviations))
  }

  /// The same for constants known to be sound.
  static func known(_ mean: [Float], _ std: [Float]) -> Normalization {
    Normalization(rule: .unitMeanStd(mean: mean, std: std))
  }

  /// (x − mean) / std: mean and std in units of 0…255, one for all channels or one for each. The rule of
  /// TFLite metadata.
  /// - Throws: ``ApusError`` of kind `configuration` when they are not finite, std is not positive, or std
  ///   below 1 shows that they are in units of 0…1.
  public static func meanStd(inUnitsOfBytes mean: [Float], _ std: [Float]) throws(ApusError) -> Normalization
  {
    try check(mean, std)
    guard std.allSatisfy({ $0 >= 1 }) else {
      throw ApusError(
        .configuration, "std \(std) in units of 0…255", expected: "numbers of at least 1",
        advice: "These look like units of 0…1.")
    }
    return Normalization(rule: .byteMeanStd(mean: mean, std: std))
  }

  /// Whether there are constants of three channels.
  var isOfColour: Bool {
    switch rule {
    case .unchanged, .zeroToOne, .minusOneToOne, .scaleOffset: false
    case .unitMeanStd(let mean, let std), .byteMeanStd(let mean, let std),
      .rescaledMeanStd(_, let mean, let std):
      mean.count > 1 || std.count > 1
    }
  }

  /// The number that `value`, on the scale 0…255, becomes in `channel` (0 red, 1 green, 2 blue).
  package func apply(_ value: Float, channel: Int) -> Float {
    func pick(_ numbers: [Float]) -> Float { numbers[numbers.count == 1 ? 0 : channel] }
    return switch rule {
    case .unchanged: value
    case .zeroToOne: value / 255
    case .minusOneToOne: value / 127.5 - 1
    case .scaleOffset(let scale, let offset): value * scale + offset
    case .unitMeanStd(let mean, let std): (value / 255 - pick(mean)) / pick(std)
    case .byteMeanStd(let mean, let std): (value - pick(mean)) / pick(std)
    case .rescaledMeanStd(let factor, let mean, let std):
      (Float(Double(value) * factor) - pick(mean)) / pick(std)
    }
  }

  /// The formula, with x in 0…255.
  public var description: String {
    func list(_ numbers: [Float]) -> String {
      numbers.count == 1 ? "\(numbers[0])" : "[\(numbers.map { "\($0)" }.joined(separator: ", "))]"
    }
    return switch rule {
    case .unchanged: "x"
    case .zeroToOne: "x/255"
    case .minusOneToOne: "x/127.5-1"
    case .scaleOffset(let scale, let offset): "x*\(scale)+\(offset)"
    case .unitMeanStd(let mean, let std): "(x/255-\(list(mean)))/\(list(std))"
    case .byteMeanStd(let mean, let std): "(x-\(list(mean)))/\(list(std))"
    case .rescaledMeanStd(let factor, let mean, let std):
      "(x*\(Float(factor))-\(list(mean)))/\(list(std))"
    }
  }

  private static func check(_ mean: [Float], _ std: [Float]) throws(ApusError) {
    guard [1, 3].contains(mean.count), [1, 3].contains(std.count) else {
      throw ApusError(
        .configuration, "\(mean.count) means and \(std.count) standard deviations",
        expected: "one, or one for each of 3 channels")
    }
    guard mean.allSatisfy(\.isFinite), std.allSatisfy({ $0.isFinite && $0 > 0 && (1 / $0).isFinite }) else {
      throw ApusError(
        .configuration, "mean \(mean) and std \(std)", expected: "finite means and positive finite deviations"
      )
    }
  }
}
