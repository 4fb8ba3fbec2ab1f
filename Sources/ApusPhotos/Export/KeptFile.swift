import CLibrary
import TensorCore

/// A file that another takes the place of, under a second name until it is known that the other stays.
struct KeptFile {
  /// Where links at its path lead to.
  private let path: String
  /// Nil where there was no file, or its disk knows no second names.
  private let second: String?
  private let wasThere: Bool

  /// - Parameter path: of a file, or where there is none yet.
  init(_ path: String) {
    let target = FileSystem.resolved(path) ?? path
    let name = "\(target).\(String(UInt64.random(in: 0...UInt64.max), radix: 16)).part"
    wasThere = FileSystem.exists(target)
    let isLinked = wasThere && target.withFileName { target in name.withFileName { link(target, $0) } } == 0
    (self.path, second) = (target, isLinked ? name : nil)
  }

  /// Puts it back in the place of the other; where there was none, that is removed.
  func restore() {
    if let second {
      _ = second.withFileName { second in path.withFileName { rename(second, $0) } }
      // Both names may be of one file still, which leaves both.
      FileSystem.removeFile(second)
    } else if !wasThere {
      FileSystem.removeFile(path)
    }
  }

  /// Gives it up for the other.
  func forget() {
    if let second { FileSystem.removeFile(second) }
  }
}
