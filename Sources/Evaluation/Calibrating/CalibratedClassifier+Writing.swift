import Apus
import Formats
import TensorCore

extension CalibratedClassifier {
  /// Writes `rejection.apus` beside a `meta.json`, and into that what was fitted; its other members stay.
  /// - Returns: the files that were written.
  /// - Throws: ``ApusError`` of kind `file`; `configuration` when the file that is there is no JSON object.
  package func write(metadata path: String) throws(ApusError) -> [String] {
    var members = try Self.members(of: path)
    func set(_ key: String, _ value: JSONValue?) {
      members.removeAll { $0.key == key }
      if let value { members.append(JSONValue.Member(key: key, value: value)) }
    }
    let folder = FileName.folder(of: path)
    let name = Self.rejectionName(besides: path)
    let rejectionPath = folder.isEmpty ? name : "\(folder)/\(name)"
    set("threshold_default", .number("\(threshold)"))
    set("temperature", .number("\(temperature)"))
    set(
      "rejection",
      rejection.map {
        .object([
          JSONValue.Member(key: "file", value: .string(name)),
          JSONValue.Member(key: "threshold", value: .number("\($0.threshold)")),
        ])
      })
    // First what the metadata name, so that they never name a file that is not there.
    try rejection?.model.write(to: rejectionPath)
    let file = try NewFile(replacing: path)
    try file.write(Array((JSONText.text(of: .object(members)) + "\n").utf8))
    try file.commit()
    return rejection == nil ? [path] : [path, rejectionPath]
  }

  /// `rejection.apus` beside `meta.json`, `NAME.rejection.apus` beside `NAME.json`.
  private static func rejectionName(besides path: String) -> String {
    let name = FileName.last(of: path)
    let stem = name.hasSuffix(".json") ? String(name.dropLast(5)) : name
    return stem == "meta" ? "rejection.apus" : "\(stem).rejection.apus"
  }

  private static func members(of path: String) throws(ApusError) -> [JSONValue.Member] {
    guard FileSystem.exists(path) else { return [] }
    let bytes = try FileBytes.read(path, limit: ClassifierMetadata.maximumByteCount)
    do throws(ApusError) {
      guard case .object(let members) = try JSONParser.parse(bytes[...]) else {
        throw ApusError(.configuration, "metadata that are no object", expected: "a JSON object")
      }
      return members
    } catch {
      throw error.inFile(path)
    }
  }
}
