import TensorCore

/// What a walk found in one folder.
package struct WalkedFolder: Sendable, Equatable {
  /// From the root; empty for the root itself. A text as ``FileName`` makes it, as all paths are.
  package let path: String
  /// nil when it could not be opened.
  package let device: Int?
  /// The pictures right in it, sorted by the bytes of their names.
  package let files: [WalkedFile]
  /// The paths from the root of videos and raw photographs right in it, which are not indexed.
  package var passedOver: [String] = []
  /// What could not be looked at. What was known at these paths and below them is not gone.
  package let failures: [WalkFailure]
}

/// A picture file: a regular one, or a link to one.
package struct WalkedFile: Sendable, Hashable {
  /// From the root; empty where the root is the file.
  package let path: String
  /// Size, times, inode and device, of what a link leads to.
  package let version: FileVersion

  /// Newest first, and those of one time by the bytes of their paths: what people look for first is what they took
  /// last.
  package static func isNewer(_ first: WalkedFile, _ second: WalkedFile) -> Bool {
    guard first.version.modified == second.version.modified else {
      return first.version.modified > second.version.modified
    }
    return first.path.utf8.lexicographicallyPrecedes(second.path.utf8)
  }
}

/// A file or folder that could not be looked at.
package struct WalkFailure: Sendable, Equatable {
  /// From the root.
  package let path: String
  /// Why, with the whole path.
  package let error: ApusError
}
