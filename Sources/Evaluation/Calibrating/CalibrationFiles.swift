import Apus
import Formats
import TensorCore

/// The files in which what was fitted to a model lies beside it.
enum CalibrationFiles {
  /// Writes `rejection.apus` beside a `meta.json`, and into that what was fitted; its other members stay. Where links lie at
  /// these paths, the files are written that they lead to.
  /// - Parameters:
  ///   - path: of the `meta.json`.
  ///   - members: of it; the rejection's comes after them.
  ///   - removed: keys of members that are taken out.
  ///   - rejection: nil takes away the name of one that was there.
  /// - Returns: the files that were written.
  /// - Throws: ``ApusError`` of kind `file`; `configuration` when the file that is there is no JSON object.
  static func write(
    to path: String, _ members: [JSONValue.Member], removing removed: [String] = [],
    _ rejection: FittedRejection?
  ) throws(ApusError) -> [String] {
    let name = rejectionName(besides: path)
    let fitted = members + (rejection.map { [$0.member(file: name)] } ?? [])
    let replaced = Set(fitted.map(\.key) + removed + ["rejection"])
    let kept = try self.members(of: path).filter { !replaced.contains($0.key) }
    let folder = FileName.folder(of: path)
    let rejectionPath = folder.isEmpty ? name : "\(folder)/\(name)"
    // First what the metadata name, so that they never name a file that is not there.
    try rejection?.model.write(to: FileSystem.resolved(rejectionPath) ?? rejectionPath)
    let file = try NewFile(following: path)
    try file.write(Array((JSONText.text(of: .object(kept + fitted)) + "\n").utf8))
    try file.commit()
    return rejection == nil ? [path] : [path, rejectionPath]
  }

  /// A member of a `meta.json` as JSON; nil where there is none.
  /// - Throws: ``ApusError`` of kind `file`; `configuration` when the file that is there is no JSON object.
  static func text(of key: String, in path: String) throws(ApusError) -> String? {
    try members(of: path).last { $0.key == key }.map { JSONText.text(of: $0.value) }
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

extension FittedRejection {
  /// What `meta.json` says of it.
  fileprivate func member(file: String) -> JSONValue.Member {
    JSONValue.Member(
      key: "rejection",
      value: .object([
        JSONValue.Member(key: "file", value: .string(file)),
        JSONValue.Member(key: "threshold", value: .number("\(threshold)")),
      ]))
  }
}
