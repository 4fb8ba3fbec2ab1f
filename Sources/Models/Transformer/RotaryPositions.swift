import Formats
import Graph
import TensorCore

/// The rotary positions of layers that all have the same: in `rope_parameters` of transformers 5, else in the older
/// `rope_theta` and `rope_scaling`.
struct RotaryPositions: Sendable, Equatable {
  /// What the frequencies are powers of.
  let base: Float
  let scaling: RotaryScaling

  /// The bases that there may be.
  static let bases = 1.0...1e12

  init(base: Float, scaling: RotaryScaling = .none) { (self.base, self.scaling) = (base, scaling) }

  /// - Parameters:
  ///   - fallback: the base where nothing is said.
  ///   - takesNTK: whether the model's own code has the scaling that transformers has no name for.
  init(_ reader: ConfigurationReader, positions: Int, base fallback: Double, takesNTK: Bool = false)
    throws(ApusError)
  {
    try reader.require("partial_rotary_factor", isOneOf: .number("1"))
    let older = try reader.optionalObject("rope_scaling")
    let newer = try reader.optionalObject("rope_parameters")
    if older != nil, newer != nil {
      throw reader.unexpected(
        "rope_scaling", reader.value("rope_scaling"),
        "not beside rope_parameters: versions differ in which counts",
        kind: .unsupportedModel)
    }
    guard !reader.isNull("rope_theta") else {
      throw ApusError(.configuration, "is null", expected: "a number", at: "rope_theta", file: reader.file)
    }
    let stated = try reader.number("rope_theta", in: Self.bases, default: fallback)
    let own = newer ?? older
    let base = try own?.number("rope_theta", in: Self.bases, default: stated) ?? stated
    guard !reader.has("rope_theta") || base == stated else {
      throw reader.unexpected(
        "rope_theta", reader.value("rope_theta"),
        "what rope_parameters says: versions differ in which counts",
        kind: .unsupportedModel)
    }
    self.base = Float(base)
    scaling = try RotaryScaling(own, positions: positions, takesNTK: takesNTK)
  }

  func angles(_ positions: Value, headWidth: Int, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    try graph.apply(
      scaling.angles(headWidth: headWidth, base: base), [positions], at: "angles of \(base)")
  }
}
