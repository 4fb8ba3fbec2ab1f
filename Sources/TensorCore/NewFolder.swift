import CLibrary

/// A folder that appears under its name whole, or not at all: files go to a temporary folder beside it, which
/// takes the name in the end.
package final class NewFolder {
  /// The folder that is to be.
  private let target: String
  /// Where its files are written before ``commit()``.
  package let path: String
  private var isCommitted = false

  /// - Throws: ``ApusError`` of kind `file` when the folder around it cannot be written.
  package init(replacing path: String) throws(ApusError) {
    var target = path[...]
    while target.count > 1, target.last == "/" { target.removeLast() }
    self.target = String(target)
    self.path = FileName.temporary(String(target), ending: ".part")
    guard self.path.inPlace({ mkdirat($0, $1, 0o777) }) == 0 else { throw failure("cannot be created") }
  }

  deinit { if !isCommitted { FileSystem.remove(path) } }

  /// Makes a folder inside, and those that lead to it.
  package func makeFolder(_ name: String) throws(ApusError) {
    try FileSystem.makeFolder("\(path)/\(name)")
  }

  /// Gives the folder its name. What stood there before, a folder with all its files or a link, is removed.
  package func commit() throws(ApusError) {
    // An empty folder is replaced by the system in one step.
    if FileSystem.rename(path, to: target) {
      isCommitted = true
      return
    }
    guard errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR else {
      throw failure("cannot be written")
    }
    let old = FileName.temporary(target, ending: ".old")
    guard FileSystem.rename(target, to: old) else { throw failure("cannot be replaced") }
    guard FileSystem.rename(path, to: target) else {
      let error = failure("cannot be replaced")
      _ = FileSystem.rename(old, to: target)
      throw error
    }
    isCommitted = true
    FileSystem.remove(old)
  }

  private func failure(_ problem: String) -> ApusError {
    ApusError(.file, "\(problem): \(String(cString: strerror(errno)))", file: target)
  }
}
