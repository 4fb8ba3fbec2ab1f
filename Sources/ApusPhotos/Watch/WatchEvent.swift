import TensorCore

/// An event of a ``FolderWatch``.
package enum WatchEvent: Sendable, Equatable {
  /// Things to look at again.
  case changes(FolderChanges)
  /// A folder to walk again with all below it, as changes may have been missed: the root itself where `folder` is
  /// empty.
  case rescan(root: String, folder: String, RescanReason)
  /// From now on a folder and all below it is only walked again from time to time; told once, with why.
  case unwatched(root: String, folder: String, ApusError)
  /// The root was removed, moved away, or its disk is no longer there. Nothing below it is to be forgotten; when it
  /// comes back it is walked again.
  case lost(root: String)
}

/// Why a folder has to be walked again.
package enum RescanReason: Sendable, Equatable {
  /// The watch begins: what changed before it stood is not told.
  case started
  /// The root was lost, or another disk was mounted there.
  case returned
  /// A disk was mounted below the root, or is no longer.
  case mounted
  /// There were more changes than the system keeps, or than are worth a list.
  case manyChanges
  /// Time has passed, and the folder is not watched.
  case interval
}

/// Changes below a root, gathered until there was a short time without any. Paths are from the root.
package struct FolderChanges: Sendable, Equatable {
  /// A file or folder that has another name now: what is known of `from` is true of `to`. That saves work and is no
  /// more: both are in ``files`` or ``folders`` as well, as they may have changed besides.
  package struct Rename: Sendable, Equatable {
    package let from: String
    package let to: String
    package let isFolder: Bool
  }

  package let root: String
  /// In the order in which they happened; they come before what follows.
  package let renames: [Rename]
  /// Pictures to look at: there, new or written again, or gone. Sorted by their bytes; empty where the root is a file.
  package let files: [String]
  /// Folders to walk with all below them: there, or gone. None is below another, and no file is.
  package let folders: [String]
}
