import TensorCore

/// Patterns, as in `.gitignore`, of files and folders below a root that are excluded.
///
/// - A pattern without `/` is for a name at any depth: `node_modules`, `*.tmp.jpg`.
/// - One with `/` before its end is for the path from the root: `2019/raw`, `/raw`. `**` stands for any number of
///   folders: `**/cache/small`; at the end it stands for all that is inside: `2019/**`.
/// - One with `/` at its end is for folders only.
/// - `!` before a pattern takes back what an earlier one leaves out: `!.private`. The last that matches decides; a
///   folder that is left out is not looked into.
///
/// `*`, `?`, `[a-z]`, `[!a-z]` and `\` work as in shells; none of them matches `/`. Case matters. A root itself is never
/// excluded, whatever its name.
public struct Exclusions: Sendable, Equatable {
  /// The default patterns.
  ///
  /// - `.*`: what is hidden: caches of programs, `.thumbnails`, `.git`, `.Trash-1000`, previews that disks of
  ///   QNAP keep, and `._IMG_1.jpg`, which is no picture.
  /// - `@eaDir`, `#recycle`, `#snapshot`, `@Recycle`: previews, bins and snapshots of Synology's and QNAP's disks.
  /// - `$RECYCLE.BIN`, `System Volume Information`: Windows's.
  /// - `lost+found`: what a repair of the file system left.
  /// - `node_modules`, `__pycache__`, `__MACOSX`: programs, and what macOS adds to archives.
  /// - `*.photoslibrary/…`, `*.lrdata`: previews that Apple's and Adobe's programs make beside the originals.
  public static let defaults = [
    ".*", "@eaDir", "#recycle", "#snapshot", "@Recycle", "$RECYCLE.BIN", "System Volume Information",
    "lost+found", "node_modules", "__pycache__", "__MACOSX", "**/*.photoslibrary/resources",
    "**/*.photoslibrary/Thumbnails", "*.lrdata",
  ]

  /// As they were given.
  public let patterns: [String]
  private let rules: [ExclusionRule]

  /// The ``defaults``, and more.
  /// - Throws: ``ApusError`` of kind `argument` for a pattern that means nothing.
  public init(adding patterns: [String] = []) throws(ApusError) { try self.init(Self.defaults + patterns) }

  /// These, and nothing else.
  /// - Throws: ``ApusError`` of kind `argument` for a pattern that means nothing.
  public init(_ patterns: [String]) throws(ApusError) {
    self.patterns = patterns
    rules = try patterns.map { pattern throws(ApusError) in
      guard let rule = ExclusionRule(pattern) else {
        throw ApusError(
          .argument, "'\(FileName.readable(pattern))' is no pattern of names",
          expected:
            "names or paths below a root, such as '*.tmp.jpg', 'raw/' or '2019/**', with every '[' closed")
      }
      return rule
    }
  }

  /// Whether something is left out, or a folder on the way to it.
  /// - Parameters:
  ///   - path: from the root.
  ///   - isFolder: what it is.
  public func excludes(_ path: String, isFolder: Bool = false) -> Bool {
    let names = FileName.bytes(path).split(separator: UInt8(ascii: "/"))
    return names.indices.contains { index in
      Array(names[index]).withUnsafeBytes {
        excludes(
          $0, in: names[..<index].joined(separator: "/".utf8), isFolder: isFolder || index + 1 < names.count)
      }
    }
  }

  /// Whether a name in a folder is left out, where the folder is not.
  /// - Parameter folder: its path from the root, asked for only by a pattern with `/`.
  func excludes(
    _ name: UnsafeRawBufferPointer, in folder: @autoclosure () -> some Sequence<UInt8>, isFolder: Bool
  ) -> Bool {
    for rule in rules.reversed() where isFolder || !rule.isForFolders {
      if rule.name.matches(name), rule.matches(folder: folder()) { return !rule.isTakenBack }
    }
    return false
  }
}
