import TensorCore

/// The findings of a walk in one folder.
package struct WalkedFolder: Sendable, Equatable {
  /// From the root; empty for the root itself. A text as ``FileName`` makes it, as all paths are.
  package let path: String
  /// nil when it could not be opened.
  package let device: Int?
  /// The pictures right in it, sorted by the bytes of their names.
  package let files: [WalkedFile]
  /// The paths from the root of videos and raw photographs right in it, which are not indexed.
  package var passedOver: [String] = []
  /// Paths that could not be read. Known files at and below them do not count as gone.
  package let failures: [WalkFailure]
}

/// A picture file: a regular one, or a link to one.
package struct WalkedFile: Sendable, Hashable {
  /// From the root; empty where the root is the file.
  package let path: String
  /// Size, times, inode and device, of what a link leads to.
  package let version: FileVersion

  /// Newest first, as people look for recent photographs first; equal times by the bytes of their paths.
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
