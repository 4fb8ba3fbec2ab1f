import JSONCoding
import Models
import TensorCore

/// What `config.json` says of weights in fewer bits, so that transformers reads them with compressed-tensors.
struct CompressedConfiguration {
  static let file = "config.json"
  private static let key: ExactText = "quantization_config"
  /// PyTorch's modules of the weights that compressed-tensors knows.
  private static let kinds: [(role: WeightRole, module: String)] = [
    (.linear, "Linear"), (.table, "Embedding"),
  ]

  /// What transformers 5 calls the modules of ViT, DeiT, BEiT and DINOv2, whose files keep the names that they had before.
  private static let attention: [(stored: String, module: String)] = [
    (".attention.attention.query", ".attention.q_proj"), (".attention.attention.key", ".attention.k_proj"),
    (".attention.attention.value", ".attention.v_proj"), (".attention.output.dense", ".attention.o_proj"),
  ]
  /// The others of ViT, DeiT and BEiT.
  private static let vit: [(stored: String, module: String)] = [
    (".intermediate.dense", ".mlp.fc1"), (".output.dense", ".mlp.fc2"), (".encoder.layer.", ".layers."),
  ]
  /// Those of Swin, whose tables show it.
  private static let swin: [(stored: String, module: String)] = [
    (".attention.self.query", ".attention.q_proj"), (".attention.self.key", ".attention.k_proj"),
    (".attention.self.value", ".attention.v_proj"), (".attention.output.dense", ".attention.o_proj"),
    (".intermediate.dense", ".mlp.fc1"), (".output.dense", ".mlp.fc2"),
  ]
  private static let swinTable = ".attention.self.relative_position_bias_table"
  /// The others of DINOv2, which makes two modules of one matrix.
  private static let dinoV2: [(stored: String, module: String)] = [
    (".mlp.weights_in", ".mlp.gate_proj"), (".mlp.weights_in", ".mlp.up_proj"),
    (".mlp.weights_out", ".mlp.down_proj"),
  ]

  private let value: JSONValue

  /// Nil where compressed-tensors has no such form: it knows weights of linear layers and embeddings, each with a
  /// module of its own.
  init?(_ items: [WeightConversion.Item]) {
    let integers = items.filter(\.isInteger)
    guard !integers.isEmpty, integers.allSatisfy(Self.isKnown) else { return nil }
    let kept = items.filter { !$0.isInteger && $0.entry.shape.count == 2 }
      .compactMap { Self.module($0.entry.name) }
    let floats =
      kept
      + Self.newNames(kept, among: items.map(\.entry.name)).filter { name in
        !kept.contains { ExactText($0) == ExactText(name) }
      }
    let kinds = Self.kinds.filter { kind in integers.contains { $0.role == kind.role } }
    let size = integers.lazy.compactMap(\.groups?.size).first
    let span: [(String, JSONValue)] =
      size.map { [("strategy", .string("group")), ("group_size", .number("\($0)"))] }
      ?? [("strategy", .string("channel"))]
    let weights = Self.object(
      [
        ("num_bits", .number(size == nil ? "8" : "4")), ("type", .string("int")), ("symmetric", .bool(true)),
      ] + span + [("dynamic", .bool(false))])
    let format = JSONValue.string(size == nil ? "int-quantized" : "pack-quantized")
    let group = Self.object([
      ("targets", .array(kinds.map { .string(ExactText($0.module)) })), ("format", format),
      ("weights", weights),
    ])
    value = Self.object([
      ("quant_method", .string("compressed-tensors")), ("format", format),
      ("quantization_status", .string("compressed")), ("config_groups", Self.object([("group_0", group)])),
      ("ignore", .array(floats.map { .string(ExactText($0)) })),
    ])
  }

  /// The bytes of a configuration of transformers with the key at its end, or in place of a null; nil of any other, and
  /// where it says something of the kind already.
  func added(to bytes: [UInt8]) -> [UInt8]? {
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let known = try? JSONValue.parse(bytes[start...]), case .object(let members) = known,
      known["model_type"]?.string != nil
    else { return nil }
    if let stated = known[Self.key] { return stated == .null ? replacingNull(in: members) : nil }
    guard let end = bytes.lastIndex(of: UInt8(ascii: "}")) else { return nil }
    let space = Set(" \t\r\n".utf8)
    guard let last = bytes[..<end].lastIndex(where: { !space.contains($0) }) else { return nil }
    let member = ",\n  \(JSONText.quoted(Self.key.text)): \(JSONText.text(of: value))\n"
    return bytes[...last] + Array(member.utf8) + bytes[end...]
  }

  /// The same members, one on each line; a key that stood there twice would be refused.
  private func replacingNull(in members: [JSONValue.Member]) -> [UInt8] {
    let lines = members.map { (member) -> String in
      let text = JSONText.text(of: member.key == Self.key ? value : member.value)
      return "  \(JSONText.quoted(member.key.text)): \(text)"
    }
    return Array("{\n\(lines.joined(separator: ",\n"))\n}\n".utf8)
  }

  private static func isKnown(_ item: WeightConversion.Item) -> Bool {
    kinds.contains { $0.role == item.role } && item.entry.shape.count == 2 && module(item.entry.name) != nil
  }

  /// The module whose weight a tensor is.
  static func module(_ tensor: String) -> String? {
    let ending = ".weight"
    return tensor.hasSuffix(ending) ? String(tensor.dropLast(ending.count)) : nil
  }

  /// The names that transformers 5 has for modules, where files keep others.
  /// - Parameter tensors: all of the model's, which show the family.
  private static func newNames(_ modules: [String], among tensors: [String]) -> [String] {
    if tensors.contains(where: { $0.hasSuffix(swinTable) }) {
      return modules.map { swin.reduce($0) { $0.replacing($1.stored, with: $1.module) } }
    }
    guard tensors.contains(where: { $0.contains(attention[0].stored) }) else { return [] }
    let isDINOv2 = tensors.contains { $0.hasSuffix(".layer_scale1.lambda1") }
    return modules.flatMap { (module) -> [String] in
      let name = attention.reduce(module) { $0.replacing($1.stored, with: $1.module) }
      guard isDINOv2 else { return [vit.reduce(name) { $0.replacing($1.stored, with: $1.module) }] }
      let parts = dinoV2.filter { name.hasSuffix($0.stored) }
      return parts.isEmpty ? [name] : parts.map { name.replacing($0.stored, with: $0.module) }
    }
  }

  private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(members.map { JSONValue.Member(key: ExactText($0.0), value: $0.1) })
  }
}
