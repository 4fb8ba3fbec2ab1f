import TensorCore

extension ComparedPicture {
  /// The pictures with those of their files that are on the disk as they were indexed, by size and time; a picture without
  /// one is left out. Which names are links to one file is as it is now: disks number their files anew.
  static func atHand(_ pictures: [ComparedPicture]) -> [ComparedPicture] {
    pictures.compactMap { picture in
      let files = picture.files.compactMap { $0.atHand(byteCount: picture.byteCount) }
      guard !files.isEmpty else { return nil }
      return ComparedPicture(
        content: picture.content, files: files, width: picture.width, height: picture.height,
        byteCount: picture.byteCount, hash: picture.hash, takenAt: picture.takenAt)
    }
  }
}

extension ComparedPicture.File {
  /// The file as it is now; nil where it has gone or changed.
  fileprivate func atHand(byteCount: Int) -> ComparedPicture.File? {
    guard let now = FileSystem.version(of: path), now.byteCount == byteCount, now.modified == modified else {
      return nil
    }
    return ComparedPicture.File(path: path, device: now.device, inode: now.inode, modified: modified)
  }
}
