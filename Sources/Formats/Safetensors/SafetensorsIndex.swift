import JSONCoding
import TensorCore

/// `model.safetensors.index.json` or `pytorch_model.bin.index.json`: in which of several files each tensor lies.
package struct SafetensorsIndex: Sendable {
  /// The files' names, in the order in which the index mentions them first.
  let shards: [String]
  /// The shard, by its place in ``shards``, of each tensor.
  let shardOfTensor: [ExactText: Int]

  /// Index files over so many bytes are refused.
  static let maximumByteCount = 100_000_000

  /// - Throws: ``ApusError`` of kind `malformedModel` when the file is no index, or names a shard outside its
  ///   own folder.
  init(contentsOf path: String) throws(ApusError) {
    let bytes = try FileBytes.read(path, limit: Self.maximumByteCount)
    do {
      try self.init(bytes, ending: path.hasSuffix(".bin.index.json") ? ".bin" : ".safetensors")
    } catch {
      var error = error
      error.kind = .malformedModel
      throw error.inFile(path)
    }
  }

  /// - Parameter ending: of the names of its files.
  package init(_ bytes: [UInt8], ending: String = ".safetensors") throws(ApusError) {
    guard case .object(let members)? = try JSONValue.parse(bytes[...])["weight_map"] else {
      throw ApusError(.malformedModel, "no 'weight_map' object", expected: "file names by tensor name")
    }
    var shards: [String] = []
    var places: [ExactText: Int] = [:]
    var shardOfTensor: [ExactText: Int] = [:]
    for member in members {
      guard let shard = member.value.string else {
        throw ApusError(
          .malformedModel, member.value.kind, expected: "the name of a file",
          at: "weight_map: '\(member.key.clipped)'")
      }
      try Self.check(shard, ending: ending)
      let place = places[ExactText(shard)] ?? shards.count
      if place == shards.count {
        places[ExactText(shard)] = place
        shards.append(shard)
      }
      shardOfTensor[member.key] = place
    }
    self.shards = shards
    self.shardOfTensor = shardOfTensor
  }

  /// Shards lie in the folder of the index or below it.
  private static func check(_ shard: String, ending: String) throws(ApusError) {
    let parts = FileName.parts(of: shard)
    let isInside = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." } && !shard.utf8.contains(0)
    guard isInside, shard.hasSuffix(ending) else {
      throw ApusError(
        .malformedModel, "the shard '\(shard.clipped)'",
        expected: "a \(ending) file in the folder of the index", at: "weight_map")
    }
  }
}
