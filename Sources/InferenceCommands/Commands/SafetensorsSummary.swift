import CommandSupport
import Apus
import Formats
import TensorCore

/// The output of `inspect` for a safetensors file, a checkpoint of PyTorch, or the shards of one model.
struct SafetensorsSummary {
  let path: String
  let collection: SafetensorsCollection

  /// Whether a name means such a file.
  static func names(_ path: String) -> Bool {
    [".safetensors", ".safetensors.index.json", ".bin.index.json"].contains(where: path.hasSuffix)
      || CheckpointFile.isCheckpoint(path)
  }

  init(_ path: String) throws(ApusError) {
    self.path = path
    collection = try SafetensorsCollection(contentsOf: path)
  }

  private var entries: [SafetensorsEntry] { collection.names.compactMap { collection[$0] } }

  private var parameters: Int { entries.reduce(0) { $0 + $1.bytes.count * 8 / $1.type.bitCount } }

  /// Bytes of each element type, the most first.
  private var types: [(name: String, bytes: Int)] {
    Dictionary(grouping: entries, by: \.type.rawValue)
      .map { (name: $0.key, bytes: $0.value.reduce(0) { $0 + $1.bytes.count }) }
      .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
  }

  func print() {
    let line = StandardStreams.printText
    let files = collection.paths.count > 1 ? " in \(collection.paths.count) files" : ""
    line("\(path): \(entries.count) tensors, \(Format.bytes(collection.byteCount))\(files)")
    line("parameters: \(Format.count(parameters))")
    for type in types { line("\(type.name): \(Format.bytes(type.bytes))") }
    for (key, value) in collection.metadata.sorted(by: { $0.key < $1.key }) {
      line("\(key.text.shortened(to: 40)): \(value.shortened(to: 100))")
    }
    line("")
    var table = Table([("tensor", .left), ("type", .left), ("shape", .left), ("bytes", .right)])
    for entry in entries {
      table.append([
        entry.name, entry.type.rawValue, "[\(entry.shape.map(String.init).joined(separator: ", "))]",
        Format.bytes(entry.bytes.count),
      ])
    }
    table.print()
  }

  var json: JSON {
    .object(
      JSON.file(path) + [
        ("bytes", .integer(collection.byteCount)),
        ("files", .array(collection.paths.map(JSON.string))), ("parameters", .integer(parameters)),
        (
          "metadata",
          .object(collection.metadata.sorted { $0.key < $1.key }.map { ($0.key.text, .string($0.value)) })
        ),
        (
          "tensors",
          .array(
            entries.map {
              .object([
                ("name", .string($0.name)), ("type", .string($0.type.rawValue)),
                ("shape", .array($0.shape.map(JSON.integer))), ("bytes", .integer($0.bytes.count)),
              ])
            })
        ), JSON.madeBy,
      ])
  }
}
