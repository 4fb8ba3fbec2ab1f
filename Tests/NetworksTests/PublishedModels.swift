import Formats
import JSONCoding
import TensorCore
import TestSupport
import Testing

/// A model of Tests/Fixtures/published: the small files of a published folder, and what is known of them.
struct PublishedModel: Sendable, CustomTestStringConvertible {
  let name: String
  /// `files`, `found` and, where they are known, `library`, `sentences` and `refused`.
  let content: JSONValue

  var testDescription: String { name }

  /// Those of all families.
  static let all: [PublishedModel] = {
    let families = [
      "albert", "beit", "bert", "clip", "convolutions", "deberta-v2", "dinov2", "distilbert", "electra",
      "gemma3", "gte", "modernbert", "modules", "mpnet", "new", "nomic", "open-clip", "qwen3", "roberta",
      "siglip", "swin", "timm", "vit", "xlm-roberta",
    ]
    return families.flatMap { members(of: "\($0).json") }.map {
      PublishedModel(name: $0.key.text, content: $0.value)
    }
  }()

  /// What versions of the library write for the defaults of their classes, of each class all versions together.
  static let versions = members(of: "versions.json").map { member in
    PublishedModel(
      name: member.key.text,
      content: .object([
        .init(key: "files", value: .object([.init(key: "config.json", value: member.value)]))
      ]))
  }

  private static func members(of file: String) -> [JSONValue.Member] {
    let path = Checkout.fixture("published/\(file)").path
    guard let bytes = try? FileBytes.read(path, limit: 1 << 24),
      let value = try? JSONValue.parse(bytes[...]), case .object(let members) = value
    else { return [] }
    return members
  }

  var refused: String? { content["refused"]?.string }

  /// A folder with the files, and weights that have the numbers alone which are read before a network is built.
  func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    guard case .object(let files)? = content["files"] else { return folder }
    for file in files { try folder.write(file.key.text, JSONText.text(of: Self.writtenOut(file.value))) }
    let inner = files.contains { $0.key.text.hasPrefix("0_CLIPModel/") } ? "0_CLIPModel/" : ""
    let isOpenCLIP = files.contains { $0.key == ExactText(ModelFolder.openCLIPFile) }
    let name = isOpenCLIP ? "open_clip_model.safetensors" : "model.safetensors"
    let number = SafetensorsBuilder.bytes([0])
    let numbers = SafetensorsBuilder.file(
      ["logit_scale", "logit_bias"].map { (name: $0, type: "F32", shape: [], bytes: number) })
    try folder.write(inner + name, numbers)
    for file in files where file.key.text.hasSuffix("_Dense/config.json") {
      try folder.write(String(file.key.text.dropLast("config.json".count)) + name, numbers)
    }
    return folder
  }

  /// The value with so many names of classes in the place of their number.
  private static func writtenOut(_ value: JSONValue) -> JSONValue {
    guard case .object(let members) = value else { return value }
    if let count = value["$labels"]?.int {
      return .object((0..<count).map { .init(key: "\($0)", value: .string("LABEL_\($0)")) })
    }
    return .object(members.map { .init(key: $0.key, value: writtenOut($0.value)) })
  }
}
