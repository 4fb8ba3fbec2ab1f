import CLibrary
import TensorCore

/// A folder that a walk has still to enter, by the bytes of its path from the root.
struct WalkPlace {
  let path: [UInt8]
  let isLink: Bool

  static let root = WalkPlace(path: [], isLink: false)

  /// The last part of the path.
  var name: [UInt8] { Array(path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]) }

  /// The path of what is in it.
  func path(of name: [UInt8]) -> [UInt8] { path.isEmpty ? name : path + [UInt8(ascii: "/")] + name }

  /// The whole path, below a root.
  func path(below root: [UInt8]) -> [UInt8] { path.isEmpty ? root : root + [UInt8(ascii: "/")] + path }

  /// Why it, or a name in it, could not be looked at.
  /// - Returns: nil when it is no longer there, or something else is.
  func failure(_ reason: CInt, at name: [UInt8]? = nil, in root: String) -> WalkFailure? {
    guard reason != ENOENT, reason != ENOTDIR, reason != ELOOP else { return nil }
    let path = FileName.text(name.map(path(of:)) ?? self.path)
    return WalkFailure(
      path: path,
      error: ApusError(
        .file, "cannot be looked at: \(String(cString: strerror(reason)))", file: StoredRoot.path(root, path))
    )
  }
}
