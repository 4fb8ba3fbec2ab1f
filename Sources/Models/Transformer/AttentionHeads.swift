import Formats
import TensorCore

/// Heads of attention that have a width of their own, and of which several share keys and values (Ainslie et al. 2023).
struct AttentionHeads: Sendable {
  let count: Int
  /// Heads of keys and of values.
  let keys: Int
  /// Features of one.
  let width: Int

  struct Defaults {
    let count, keys, width: Int
  }

  /// The configuration under the names of transformers' decoders.
  /// - Throws: ``ApusError`` of kind `configuration` where heads cannot be shared, or their width is odd, of which features
  ///   are turned in pairs.
  init(_ reader: ConfigurationReader, _ defaults: Defaults) throws(ApusError) {
    count = try reader.size("num_attention_heads", default: defaults.count)
    let shared = "num_key_value_heads"
    keys = try reader.size(shared, default: reader.isNull(shared) ? count : defaults.keys)
    guard !reader.isNull("head_dim") else {
      throw ApusError(.configuration, "is null", expected: "a number", at: "head_dim", file: reader.file)
    }
    width = try reader.integer("head_dim", in: 1...(1 << 16), default: defaults.width)
    guard count % keys == 0 else {
      throw reader.unexpected(shared, reader.value(shared), "a divisor of the \(count) heads of queries")
    }
    guard width % 2 == 0 else {
      throw reader.unexpected("head_dim", reader.value("head_dim"), "an even number")
    }
    guard count <= ConfigurationReader.sizeLimit / width else {
      throw reader.unexpected(
        "head_dim", reader.value("head_dim"),
        "at most \(ConfigurationReader.sizeLimit) features of \(count) heads together")
    }
  }
}
