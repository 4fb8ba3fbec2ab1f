import Apus
import Formats
import JSONCoding
import TensorCore

/// The files in which what was fitted to a model lies beside it.
enum CalibrationFiles {
  /// Finds out whether ``write(to:_:removing:_:)`` will find places to write, before the work that they are for.
  /// - Parameters:
  ///   - path: of the `meta.json`.
  ///   - mayReject: whether there may be a rejection to write.
  /// - Throws: as that.
  static func check(metadata path: String, mayReject: Bool) throws(ApusError) {
    try NewFile.check(following: path)
    _ = try members(of: path)
    guard mayReject else { return }
    let rejectionPath = rejectionPath(besides: path)
    try NewFile.check(replacing: FileSystem.resolved(rejectionPath) ?? rejectionPath)
  }

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
    to path: String, _ members: [JSONValue.Member], removing removed: [ExactText] = [],
    _ rejection: FittedRejection?
  ) throws(ApusError) -> [String] {
    let rejectionPath = rejectionPath(besides: path)
    let fitted = members + (rejection.map { [$0.member(file: FileName.last(of: rejectionPath))] } ?? [])
    let replaced = Set(fitted.map(\.key) + removed + ["rejection"])
    let kept = try self.members(of: path).filter { !replaced.contains($0.key) }
    // First what the metadata name, so that they never name a file that is not there.
    try rejection?.model.write(to: FileSystem.resolved(rejectionPath) ?? rejectionPath)
    let file = try NewFile(following: path)
    try file.write(Array((JSONText.text(of: .object(kept + fitted)) + "\n").utf8))
    try file.commit()
    return rejection == nil ? [path] : [path, rejectionPath]
  }

  /// A member of a `meta.json` as JSON; nil where there is none.
  /// - Throws: ``ApusError`` of kind `file`; `configuration` when the file that is there is no JSON object.
  static func text(of key: ExactText, in path: String) throws(ApusError) -> String? {
    try members(of: path).last { $0.key == key }.map { JSONText.text(of: $0.value) }
  }

  /// `rejection.apus` beside `meta.json`, `NAME.rejection.apus` beside `NAME.json`.
  private static func rejectionPath(besides path: String) -> String {
    let (folder, last) = (FileName.folder(of: path), FileName.last(of: path))
    let stem = last.hasSuffix(".json") ? String(last.dropLast(5)) : last
    let name = stem == "meta" ? "rejection.apus" : "\(stem).rejection.apus"
    return folder.isEmpty ? name : "\(folder)/\(name)"
  }

  private static func members(of path: String) throws(ApusError) -> [JSONValue.Member] {
    guard FileSystem.exists(path) else { return [] }
    let bytes = try FileBytes.read(path, limit: ClassifierMetadata.maximumByteCount)
    do throws(ApusError) {
      guard case .object(let members) = try JSONValue.parse(bytes[...]) else {
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
        JSONValue.Member(key: "file", value: .string(ExactText(file))),
        JSONValue.Member(key: "threshold", value: .number("\(threshold)")),
      ]))
  }
}
