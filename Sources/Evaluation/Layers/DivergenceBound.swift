import Glibc
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

  /// For models of which one multiplies 8-bit integers or bfloat16: noise of a tenth of the signal's power.
  public static let reduced = DivergenceBound(leastSignalToNoise: 10)
  /// For models that both compute in float32: noise of a millionth of the signal's power, far more than rounding
  /// leaves behind.
  public static let float32 = DivergenceBound(leastSignalToNoise: 60)

  /// The bound for what two sides compute with.
  package static func standard(_ baseline: LayerSource, _ other: LayerSource) -> DivergenceBound {
    [baseline, other].allSatisfy(\.computesInFloat32) ? .float32 : .reduced
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
  /// Whether all products are of float32: no quantized values or weights, and no reduced precision.
  fileprivate var computesInFloat32: Bool {
    options.linearPrecision == .float32
      && graph.values.allSatisfy { $0.type.quantization == nil && $0.type.dataType != .float16 }
  }
}
