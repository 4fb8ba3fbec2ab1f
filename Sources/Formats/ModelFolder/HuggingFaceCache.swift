import Foundation
import TensorCore

/// Where the Hugging Face libraries keep what they downloaded. Nothing is downloaded here.
///
/// Below a root, the files of `owner/name` are in `models--owner--name/snapshots/<commit>`, and
/// `models--owner--name/refs/<revision>` holds the commit of a branch or tag.
package struct HuggingFaceCache: Sendable {
  /// The folders that may hold repositories, in the order in which they are searched.
  package let roots: [String]

  /// The caches that the environment names, by the rules of huggingface_hub.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    let home = value("HOME") ?? NSHomeDirectory()
    func expanded(_ path: String) -> String { path.hasPrefix("~/") ? home + path.dropFirst() : path }
    let shared = value("XDG_CACHE_HOME").map { expanded($0) } ?? home + "/.cache"
    let own = value("HF_HOME").map { expanded($0) } ?? shared + "/huggingface"
    let explicit = (value("HF_HUB_CACHE") ?? value("HUGGINGFACE_HUB_CACHE")).map { expanded($0) }
    roots = [explicit ?? own + "/hub"]
  }

  /// The folder with a repository's files.
  /// - Throws: ``ApusError`` of kind `file` that names the folders searched and the command that fetches it.
  package func folder(of repository: RepositoryName) throws(ApusError) -> String {
    for root in roots {
      let folder = "\(root)/\(repository.folderName)"
      guard FileSystem.isFolder(folder) else { continue }
      let snapshots = folder + "/snapshots/"
      let commit = Self.commit(repository.revision, in: folder)
      if FileSystem.isFolder(snapshots + commit) { return snapshots + commit }
      throw absent(
        repository, "revision '\(repository.revision)' is not among \(FileSystem.names(in: snapshots))",
        searched: [folder])
    }
    throw absent(repository, "is neither a folder nor in the Hugging Face cache", searched: roots)
  }

  /// The commit that a branch or tag means here; the revision itself when it is none.
  private static func commit(_ revision: String, in folder: String) -> String {
    guard let bytes = try? FileBytes.read("\(folder)/refs/\(revision)", limit: 1024) else { return revision }
    let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    return RepositoryName.isName(text) ? text : revision
  }

  private func absent(_ repository: RepositoryName, _ problem: String, searched: [String]) -> ApusError {
    let revision = repository.revision == "main" ? "" : " --revision \(repository.revision)"
    return ApusError(
      .file, problem, expected: "a folder, or a repository in \(searched.joined(separator: " or "))",
      file: repository.id, advice: "Fetch it with: hf download \(repository.id)\(revision)")
  }
}

/// The name of a model repository: `owner/name`, or `name` for a few old ones, and a revision.
package struct RepositoryName: Sendable, Equatable {
  /// `owner/name`.
  package let id: String
  /// A branch, tag or commit.
  package let revision: String

  /// - Returns: nil when the text is no such name. `@revision` may follow it.
  package init?(_ text: String) {
    let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let parts = halves[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard 1...2 ~= parts.count, parts.allSatisfy({ Self.isName($0) && !$0.contains("--") }) else {
      return nil
    }
    let revision = halves.count == 2 ? halves[1] : "main"
    guard
      revision.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({ Self.isName(String($0)) })
    else { return nil }
    id = halves[0]
    self.revision = revision
  }

  /// The folder of the repository below the cache's root.
  package var folderName: String { "models--" + id.replacing("/", with: "--") }

  /// Letters, digits, `-`, `_` and `.`, not with a dot or dash at either end, and at most 96.
  static func isName(_ text: String) -> Bool {
    let isAllowed = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    let ends = [text.utf8.first, text.utf8.last]
    return isAllowed && 1...96 ~= text.utf8.count
      && !ends.contains(UInt8(ascii: ".")) && !ends.contains(UInt8(ascii: "-"))
  }
}
