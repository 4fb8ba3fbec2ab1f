/// The name of a model repository: `owner/name`, or `name` for a few old ones, and a revision.
package struct RepositoryName: Sendable, Equatable {
  /// `owner/name`.
  package let id: String
  /// A branch, tag or commit.
  package let revision: String

  private static let main = "main"

  /// Whether the main branch is asked for, as when no revision is named.
  var isMain: Bool { revision == Self.main }

  /// - Returns: nil when the text is no such name. `@revision` may follow it.
  package init?(_ text: String) {
    let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let parts = halves[0].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard 1...2 ~= parts.count, parts.allSatisfy({ Self.isName($0) && !$0.contains("--") }) else {
      return nil
    }
    let revision = halves.count == 2 ? halves[1] : Self.main
    guard
      revision.split(separator: "/", omittingEmptySubsequences: false).allSatisfy({ Self.isName(String($0)) })
    else { return nil }
    id = halves[0]
    self.revision = revision
  }

  /// How a reader gets its files.
  var fetchAdvice: String {
    "Fetch it with: hf download \(id)" + (isMain ? "" : " --revision \(revision)")
  }

  /// The folder of the repository below the cache's root.
  package var folderName: String { "models--" + id.replacing("/", with: "--") }

  /// The repository that a folder below the cache's root is of.
  /// - Returns: nil for a folder that is no model's.
  init?(folderName: String) {
    let parts = folderName.split(separator: "--", omittingEmptySubsequences: false)
    guard parts.first == "models", 2...3 ~= parts.count else { return nil }
    self.init(parts.dropFirst().joined(separator: "/"))
  }

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
