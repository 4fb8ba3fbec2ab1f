import TensorCore

/// Where the Hugging Face libraries keep what they downloaded. Nothing is downloaded here.
///
/// Below a root, the files of `owner/name` are in `models--owner--name/snapshots/<commit>`, and
/// `models--owner--name/refs/<revision>` holds the commit of a branch or tag. Where it holds none of the main branch, as
/// when a repository was fetched by a commit or copied in part, the only snapshot counts.
package struct HuggingFaceCache: Sendable {
  /// The folders that may hold repositories, in the order in which they are searched.
  package let roots: [String]

  /// The caches that the environment names, by the rules of huggingface_hub.
  package init(environment: [String: String] = ProcessEnvironment.variables) {
    func value(_ variable: EnvironmentVariable) -> String? { variable.value(in: environment) }
    let home = ProcessEnvironment.home(in: environment) ?? "/"
    func expanded(_ path: String) -> String { path.hasPrefix("~/") ? home + path.dropFirst() : path }
    let shared = value(.cacheHome).map { expanded($0) } ?? home + "/.cache"
    let own = value(.huggingFaceHome).map { expanded($0) } ?? shared + "/huggingface"
    let explicit = (value(.huggingFaceCache) ?? value(.huggingFaceCacheBefore)).map { expanded($0) }
    roots = [explicit ?? own + "/hub"]
  }

  /// The models of which something is there, as `owner/name`, sorted.
  package var repositories: [String] {
    let folders = roots.flatMap { FileSystem.names(in: $0) ?? [] }
    return folders.compactMap { RepositoryName(folderName: $0)?.id }.sorted()
  }

  /// The folder with a repository's files.
  /// - Throws: ``ApusError`` of kind `file` that names the folders searched and the command that fetches it.
  package func folder(of repository: RepositoryName) throws(ApusError) -> String {
    for root in roots {
      let folder = "\(root)/\(repository.folderName)"
      guard FileSystem.isFolder(folder) else { continue }
      let snapshots = folder + "/snapshots/"
      let commit = Self.commit(repository.revision, in: folder)
      if FileSystem.isFolder(snapshots + (commit ?? repository.revision)) {
        return snapshots + (commit ?? repository.revision)
      }
      let present = Self.snapshots(in: folder)
      if commit == nil, repository.isMain, present.count == 1 { return snapshots + present[0] }
      throw Self.absent(repository, in: folder, present)
    }
    throw absent(repository, "is neither a folder nor in the Hugging Face cache", searched: roots)
  }

  /// The commit that a branch or tag means here; nil when nothing is said of it.
  private static func commit(_ revision: String, in folder: String) -> String? {
    guard let bytes = try? FileBytes.read("\(folder)/refs/\(revision)", limit: 1024) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).trimmed
    return RepositoryName.isName(text) ? text : revision
  }

  /// The commits whose files are there, sorted.
  private static func snapshots(in folder: String) -> [String] {
    (FileSystem.names(in: "\(folder)/snapshots") ?? []).filter {
      RepositoryName.isName($0) && FileSystem.isFolder("\(folder)/snapshots/\($0)")
    }
  }

  /// The error for a repository without the revision that is asked for; it names the snapshots that are there.
  private static func absent(_ repository: RepositoryName, in folder: String, _ present: [String])
    -> ApusError
  {
    let others = present.map { "\(repository.id)@\($0)" }.joined(separator: " or ")
    return ApusError(
      .file, "has no revision '\(repository.revision)' in the Hugging Face cache",
      expected: others.isEmpty ? "a snapshot in \(folder)" : "\(others), of \(folder)",
      file: repository.id, advice: repository.fetchAdvice)
  }

  private func absent(_ repository: RepositoryName, _ problem: String, searched: [String]) -> ApusError {
    ApusError(
      .file, problem, expected: "a folder, or a repository in \(searched.joined(separator: " or "))",
      file: repository.id, advice: repository.fetchAdvice)
  }
}
