import Formats
import TensorCore

/// Writes converted tensors as one file, or as the shards they came in.
struct WeightFiles {
  private let weights: SafetensorsCollection
  private let conversion: WeightConversion
  private let metadata: [String: String]
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
    var groups: [String: [WeightConversion.Item]] = [:]
    for item in conversion.items {
      groups[isMerged ? merged : shard(item.entry.name), default: []].append(item)
    }
    let names = groups.keys.sorted()
    for name in names {
      var types: [(name: String, type: TensorType)] = []
      for item in groups[name] ?? [] { types += try conversion.types(item) }
      if let slash = name.lastIndex(of: "/") { try folder.makeFolder(String(name[..<slash])) }
      try SafetensorsWriter.write(types, metadata: metadata, to: "\(folder.path)/\(name)") {
        (name) throws(ApusError) in try conversion.tensor(name)
      }
    }
    if !isMerged { try writeIndex(groups, to: "\(folder.path)/\(whole)") }
    return names
  }

  /// The path of a tensor's shard below the index.
  private func shard(_ tensor: String) -> String {
    let root = weights.path.count - Self.name(weights.path).count
    return String(weights.path(of: tensor).dropFirst(root))
  }

  private func writeIndex(_ groups: [String: [WeightConversion.Item]], to path: String) throws(ApusError) {
    var members: [String] = []
    for (file, items) in groups {
      for item in items {
        for (name, _) in try conversion.types(item) {
          members.append("    \(JSONText.quoted(name)): \(JSONText.quoted(file))")
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

  private static func name(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
