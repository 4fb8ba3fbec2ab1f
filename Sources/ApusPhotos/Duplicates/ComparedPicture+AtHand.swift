import CLibrary
import TensorCore

extension ComparedPicture {
  /// The pictures with their files that can be read and are unchanged by size and time; a picture without one is left out.
  /// Links to one file are determined now, because disks may renumber their files.
  /// - Parameter isReadable: whether this process may read a file.
  /// - Returns: the pictures, and how many files were left out.
  static func atHand(
    _ pictures: [ComparedPicture], isReadable: (String) -> Bool = ComparedPicture.isReadable
  ) -> (pictures: [ComparedPicture], leftOut: Int) {
    var found: [ComparedPicture] = []
    var leftOut = 0
    for picture in pictures {
      let files = picture.files.compactMap { $0.atHand(byteCount: picture.byteCount, isReadable) }
      leftOut += picture.files.count - files.count
      guard !files.isEmpty else { continue }
      found.append(
        ComparedPicture(
          content: picture.content, files: files, width: picture.width, height: picture.height,
          byteCount: picture.byteCount, hash: picture.hash, takenAt: picture.takenAt))
    }
    return (found, leftOut)
  }

  private static func isReadable(_ path: String) -> Bool { path.inPlace { faccessat($0, $1, R_OK, 0) } == 0 }
}

extension ComparedPicture.File {
  /// The file as it is now; nil where it has gone or changed, or cannot be read.
  fileprivate func atHand(byteCount: Int, _ isReadable: (String) -> Bool) -> ComparedPicture.File? {
    guard !isFailed, let now = FileSystem.version(of: path), now.byteCount == byteCount,
      now.modified == modified, isReadable(path)
    else { return nil }
    return ComparedPicture.File(path: path, device: now.device, inode: now.inode, modified: modified)
  }
}
