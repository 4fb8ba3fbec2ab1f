import Formats
import TensorCore

/// The forms in which the weights of a model may be stored, as `quantization_config` says.
struct CompressedForms: Sendable {
  /// Those of packed matrices.
  let packed: [PackedForm]
  /// Whether weights may be int8 with a scale for each row.
  let hasRows: Bool
}

extension ConfigurationReader {
  /// Reads `quantization_config`, and refuses what it says of weights that are not stored as integers of 8 or 4 bits
  /// with their scales.
  /// - Returns: nil when there is none.
  func compressedForms() throws(ApusError) -> CompressedForms? {
    guard let quantization = try optionalObject("quantization_config") else { return nil }
    try quantization.require("quant_method", isOneOf: .string("compressed-tensors"))
    try quantization.require(
      "format", isOneOf: .string("int-quantized"), .string("naive-quantized"),
      .string(ExactText(Self.packedFormat)),
      .string(ExactText(Self.mixedFormat)))
    try quantization.require("quantization_status", isOneOf: .string("compressed"))
    for key in ["kv_cache_scheme", "sparsity_config", "transform_config"] {
      try quantization.require(key, isOneOf: .object([]))
    }
    quantization.passOver([TransformersKeys.quantization])
    let groups = try quantization.object("config_groups")
    var forms: [PackedForm?] = []
    for name in groups.keys {
      forms.append(try groups.object(name).packedForm(stated: quantization.optionalString("format")))
    }
    let packed = forms.compactMap(\.self)
    // A tower's own configuration does not count in transformers, which unpacks by that of the whole model.
    guard packed.isEmpty || path.isEmpty else {
      throw quantization.unexpected(
        "format", quantization.stated("format"), "packed weights of the model as a whole",
        kind: .unsupportedModel)
    }
    return CompressedForms(packed: packed, hasRows: packed.count < forms.count || forms.isEmpty)
  }

  private static let packedFormat = "pack-quantized"
  /// The groups have formats of their own.
  private static let mixedFormat = "mixed-precision"

  /// Reads a group of layers.
  /// - Parameter format: that of the model, where the group has none of its own.
  /// - Returns: nil for rows of int8 with a scale each.
  private func packedForm(stated format: String?) throws(ApusError) -> PackedForm? {
    passOver([KeysWithoutEffect("which layers are meant, as the tensors themselves say", ["targets"])])
    try require(
      "format", isOneOf: .string("int-quantized"), .string("naive-quantized"),
      .string(ExactText(Self.packedFormat)))
    for key in ["input_activations", "output_activations"] where has(key) {
      throw unexpected(key, value(key), "null: weights alone", kind: .unsupportedModel)
    }
    let format = try optionalString("format") ?? format
    guard format != Self.mixedFormat else {
      throw unexpected("format", nil, "the format of the group", kind: .unsupportedModel)
    }
    let weights = try object("weights")
    try weights.require("type", isOneOf: .string("int"))
    try weights.require("dynamic", isOneOf: .bool(false))
    weights.passOver([
      KeysWithoutEffect(
        "how the scales were found",
        ["observer", "observer_kwargs", "block_structure", "scale_dtype", "zp_dtype"])
    ])
    if format == Self.packedFormat { return try weights.packedForm() }
    try weights.require("num_bits", isOneOf: .number("8"))
    try weights.require("symmetric", isOneOf: .bool(true))
    try weights.require("strategy", isOneOf: .string("channel"))
    weights.passOver([KeysWithoutEffect("how the scales were found", ["actorder", "group_size"])])
    return nil
  }

  /// Reads the arguments of packed weights, with the defaults of compressed-tensors.
  private func packedForm() throws(ApusError) -> PackedForm {
    try require("num_bits", isOneOf: .number("4"), .number("8"))
    // Columns in another order, which a tensor of indices says.
    try require("actorder", isOneOf: .string("weight"), .string("static"), .bool(false))
    let bits = try integer("num_bits", in: 4...8, default: 8)
    let isSymmetric = try bool("symmetric", default: true)
    let size = try optionalInteger("group_size", in: -1...(1 << 30))
    let usual = size.map { $0 == -1 ? "channel" : "group" } ?? "tensor"
    try require("strategy", isOneOf: .string("group"), .string("channel"), .string("tensor"))
    switch try optionalString("strategy") ?? usual {
    case "group":
      return PackedForm(
        bits: bits, span: .group(try integer("group_size", in: 1...(1 << 30))), isSymmetric: isSymmetric)
    case let strategy:
      try require("group_size", isOneOf: .number("-1"))
      // Zero points of a whole matrix are not packed.
      if strategy == "tensor" { try require("symmetric", isOneOf: .bool(true)) }
      return PackedForm(bits: bits, span: strategy == "tensor" ? .matrix : .row, isSymmetric: isSymmetric)
    }
  }
}
