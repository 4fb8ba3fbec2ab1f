import CLibrary
import Formats
import Graph
import TensorCore

/// How the frequencies of rotary positions are stretched over more positions than a model was first trained on, by the
/// names of transformers (`rope_type`).
enum RotaryScaling: Sendable, Equatable {
  case none
  /// All frequencies divided (Chen et al. 2023, "Extending Context Window of Large Language Models via Positional
  /// Interpolation").
  case linear(factor: Float)
  /// The base multiplied, and all frequencies divided so that the lowest is by the factor: of GTE's own code, by a formula
  /// of Su Jianlin's.
  case ntk(factor: Float)
  /// Low frequencies divided, high ones not, those between by how often they turn: of Llama 3.1.
  case llama3(factor: Float, low: Float, high: Float, length: Float)
  /// The same by a ramp over the pairs of features, and cosines and sines multiplied (Peng et al. 2023, "YaRN: Efficient
  /// Context Window Extension of Large Language Models").
  case yarn(factor: Double, fast: Double, slow: Double, length: Double, attention: Float)

  /// The angles of heads of a width.
  /// - Parameter base: often called theta.
  func angles(headWidth: Int, base: Float) -> RotaryAngles {
    let powers = RotaryAngles.powers(headWidth: headWidth, base: base)
    switch self {
    case .none: return RotaryAngles(headWidth: headWidth, base: base)
    case .linear(let factor): return RotaryAngles(powers.map { 1 / $0 / factor })
    case .ntk(let factor):
      let divisor = powf(factor, 2 / Float(headWidth))
      let powers = RotaryAngles.powers(headWidth: headWidth, base: base * factor)
      return RotaryAngles(powers.map { 1 / $0 / divisor })
    case .llama3(let factor, let low, let high, let length):
      return RotaryAngles(
        powers.map { Self.llama3(1 / $0, factor: factor, low: low, high: high, length: length) })
    case .yarn(let factor, let fast, let slow, let length, let attention):
      let pair = { (turns: Double) in
        Double(headWidth) * log(length / (turns * 2 * .pi)) / (2 * log(Double(base)))
      }
      let first = Swift.max(pair(fast).rounded(.down), 0)
      var last = Swift.min(pair(slow).rounded(.up), Double(headWidth - 1))
      if first == last { last += 0.001 }
      let frequencies = powers.enumerated().map { index, power in
        let ramp = Swift.min(Swift.max((Float(index) - Float(first)) / Float(last - first), 0), 1)
        let kept = 1 - ramp
        return 1 / (Float(factor) * power) * (1 - kept) + 1 / power * kept
      }
      return RotaryAngles(frequencies, factor: attention)
    }
  }

  private static func llama3(
    _ frequency: Float, factor: Float, low: Float, high: Float, length: Float
  ) -> Float {
    let wavelength = 2 * Float.pi / frequency
    if wavelength > length / low { return frequency / factor }
    if wavelength < length / high { return frequency }
    let smooth = (length / wavelength - low) / (high - low)
    return (1 - smooth) * frequency / factor + smooth * frequency
  }
}

extension RotaryScaling {
  /// As `rope_parameters` of transformers 5 has it, or the older `rope_scaling`.
  /// - Parameters:
  ///   - reader: nil where nothing is said.
  ///   - takesNTK: whether there may be ``ntk(factor:)``.
  ///   - positions: `max_position_embeddings` of the model, which counts where no first length is stated.
  init(_ reader: ConfigurationReader?, positions: Int, takesNTK: Bool = false) throws(ApusError) {
    guard let reader else {
      self = .none
      return
    }
    try reader.require("partial_rotary_factor", isOneOf: .number("1"))
    let older = try reader.optionalString("type")
    let kind = try reader.optionalString("rope_type") ?? older ?? "default"
    reader.passOver([KeysWithoutEffect("rope_type, which counts before it", ["type"])])
    let numbers = 1e-6...1e9
    func length() throws(ApusError) -> Double {
      try reader.number("original_max_position_embeddings", in: 1...1e9, default: Double(positions))
    }
    switch kind {
    case "default": self = .none
    case "ntk" where takesNTK:
      try reader.require("mixed_b", isOneOf: .null)
      let factor = try reader.number("factor", in: 1...1e9)
      self = factor > 1 ? .ntk(factor: Float(factor)) : .none
    case "linear": self = .linear(factor: Float(try reader.number("factor", in: numbers)))
    case "llama3":
      let (low, high) = (
        try reader.number("low_freq_factor", in: numbers), try reader.number("high_freq_factor", in: numbers)
      )
      guard low < high else {
        throw reader.unexpected(
          "high_freq_factor", reader.value("high_freq_factor"), "more than low_freq_factor, \(low)")
      }
      self = .llama3(
        factor: Float(try reader.number("factor", in: numbers)), low: Float(low), high: Float(high),
        length: Float(try length()))
    case "yarn":
      for key in ["mscale", "mscale_all_dim"] { try reader.require(key, isOneOf: .number("0")) }
      try reader.require("truncate", isOneOf: .bool(true))
      let factor = try reader.number("factor", in: 1...1e9)
      self = .yarn(
        factor: factor, fast: try reader.number("beta_fast", in: numbers, default: 32),
        slow: try reader.number("beta_slow", in: numbers, default: 1), length: try length(),
        attention: Float(
          try reader.number("attention_factor", in: numbers, default: factor > 1 ? 0.1 * log(factor) + 1 : 1))
      )
    default:
      throw reader.unexpected(
        "rope_type", reader.value("rope_type") ?? reader.value("type"), "default, linear, llama3 or yarn",
        kind: .unsupportedModel)
    }
  }
}
