import Formats
import JSONCoding
import TensorCore

/// Writes converted tensors as one file, or as the shards they came in.
struct WeightFiles {
  private let weights: SafetensorsCollection
  private let conversion: WeightConversion
  private let metadata: [ExactText: String]
  /// Bytes of all tensors.
  private let byteCount: Int
  private let isMerged: Bool

  init(
    _ weights: SafetensorsCollection, _ conversion: WeightConversion, _ target: QuantizationTarget,
    mergeLimit: Int
  ) throws(ApusError) {
    self.weights = weights
    self.conversion = conversion
    metadata = weights.metadata.merging(["quantization": target.rawValue]) { _, new in new }
    var byteCount = 0
    for item in conversion.items {
      byteCount += try conversion.types(item).reduce(0) { $0 + $1.type.byteCount }
    }
    self.byteCount = byteCount
    isMerged = weights.paths.count == 1 || byteCount <= mergeLimit
  }

  /// - Returns: the names of the files, without that of an index.
  func write(to folder: NewFolder) throws(ApusError) -> [String] {
    let whole = Self.name(weights.path)
    let merged = whole.hasSuffix(".index.json") ? String(whole.dropLast(".index.json".count)) : whole
    var groups: [ExactText: [WeightConversion.Item]] = [:]
    for item in conversion.items {
      groups[ExactText(isMerged ? merged : shard(item.entry.name)), default: []].append(item)
    }
    let names = groups.keys.sorted()
    for name in names {
      var types: [(name: String, type: TensorType)] = []
      for item in groups[name] ?? [] { types += try conversion.types(item) }
      let parent = FileName.folder(of: name.text)
      if !parent.isEmpty { try folder.makeFolder(parent) }
      try SafetensorsWriter.write(types, metadata: metadata, to: "\(folder.path)/\(name)") {
        (name) throws(ApusError) in try conversion.tensor(name)
      }
    }
    if !isMerged { try writeIndex(groups, to: "\(folder.path)/\(whole)") }
    return names.map(\.text)
  }

  /// The path of a tensor's shard below the index.
  private func shard(_ tensor: String) -> String {
    let path = weights.path(of: tensor)
    let below = ExactText(path).below(FileName.folder(of: weights.path)) ?? path
    let folder = FileName.folder(of: below)
    return (folder.isEmpty ? "" : folder + "/") + Self.name(below)
  }

  private func writeIndex(_ groups: [ExactText: [WeightConversion.Item]], to path: String) throws(ApusError) {
    var members: [String] = []
    for (file, items) in groups {
      for item in items {
        for (name, _) in try conversion.types(item) {
          members.append("    \(JSONText.quoted(name)): \(JSONText.quoted(file.text))")
        }
      }
    }
    let text = """
      {
        "metadata": {
          "total_size": \(byteCount)
        },
        "weight_map": {
      \(members.sorted().joined(separator: ",\n"))
        }
      }

      """
    let file = try NewFile(replacing: path)
    try file.write(Array(text.utf8))
    try file.commit()
  }

  private static func name(_ path: String) -> String { safetensorsName(FileName.last(of: path)) }

  /// The name of a file of weights as safetensors: for that of a checkpoint the one that libraries give the other.
  private static func safetensorsName(_ name: String) -> String {
    let index = ".index.json"
    if name.hasSuffix(index) { return safetensorsName(String(name.dropLast(index.count))) + index }
    let ending = ExactText(FileName.ending(of: name))
    guard CheckpointFile.endings.contains(where: { ExactText($0) == ending }) else { return name }
    let stem = name.dropLast(ending.text.count + 1)
    let known = ["open_clip_pytorch_model": "open_clip_model", "pytorch_model": "model"]
    let prefix = known.keys.filter { stem.hasPrefix($0) }.max { $0.count < $1.count }
    guard let prefix, let shorter = known[prefix] else { return "model.safetensors" }
    return shorter + stem.dropFirst(prefix.count) + ".safetensors"
  }
}
