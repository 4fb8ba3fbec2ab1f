import CLibrary
import Graph

/// What the error of a layer may be before the two models count as apart.
public struct DivergenceBound: Sendable, Hashable {
  /// In dB; nil for any.
  public var leastSignalToNoise: Double?
  /// As a part of the range of the baseline's numbers; nil for any.
  public var greatestRelativeError: Double?

  /// - Parameters:
  ///   - leastSignalToNoise: in dB; nil for any.
  ///   - greatestRelativeError: as a part of the range of the baseline's numbers; nil for any.
  public init(leastSignalToNoise: Double? = nil, greatestRelativeError: Double? = nil) {
    self.leastSignalToNoise = leastSignalToNoise
    self.greatestRelativeError = greatestRelativeError
  }

  /// For models of which one multiplies 8-bit integers, or stores its weights in integers: noise of a tenth of the
  /// signal's power.
  public static let reduced = DivergenceBound(leastSignalToNoise: 10)
  /// For models of which one multiplies bfloat16, or stores it: noise of a thousandth of the signal's power, where one
  /// rounding to 8 binary digits leaves less than a hundred-thousandth.
  public static let bfloat16 = DivergenceBound(leastSignalToNoise: 30)
  /// For models that both compute in float32: noise of a millionth of the signal's power, far more than rounding
  /// leaves behind.
  public static let float32 = DivergenceBound(leastSignalToNoise: 60)

  /// The bound for what two sides compute with: that of the coarser one.
  package static func standard(_ baseline: LayerSource, _ other: LayerSource) -> DivergenceBound {
    let bounds = [baseline, other].map(\.bound)
    return bounds.min { $0.leastSignalToNoise ?? 0 < $1.leastSignalToNoise ?? 0 } ?? .reduced
  }

  /// NaN and infinities that the other side does not have leave every bound.
  func isLeft(by difference: ValueDifference) -> Bool {
    if difference.notFinite > 0 { return true }
    if let leastSignalToNoise, difference.signalToNoise < leastSignalToNoise { return true }
    guard let greatestRelativeError else { return false }
    return difference.relativeGreatestError > greatestRelativeError
  }
}

extension DivergenceBound: CustomStringConvertible {
  /// In words: `SQNR below 10 dB`.
  public var description: String {
    let ratio = leastSignalToNoise.map { "SQNR below \($0.printed("%g")) dB" }
    let error = greatestRelativeError.map {
      "an error above \((100 * $0).printed("%g")) % of the range"
    }
    return [ratio, error].compactMap(\.self).joined(separator: " or ")
  }
}

extension LayerSource {
  /// What the numbers that are multiplied allow for. Weights of float16 are multiplied as float32, and rounding them
  /// leaves less noise than that bound.
  fileprivate var bound: DivergenceBound {
    let types = graph.values.map(\.type)
    if options.linearPrecision == .int8 || types.contains(where: { $0.quantization != nil })
      || hasPackedWeights
    {
      return .reduced
    }
    let isShort = options.linearPrecision == .bfloat16 || types.contains { $0.dataType == .bfloat16 }
    return isShort ? .bfloat16 : .float32
  }

  /// Whether weights are unpacked from integers of few bits to floats.
  private var hasPackedWeights: Bool {
    graph.values.contains { $0.constant?.storage.derivation != nil }
  }
}
