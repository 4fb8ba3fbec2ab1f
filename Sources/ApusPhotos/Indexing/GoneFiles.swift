/// The files that an indexing found gone. One whose content is found under another name was renamed, and is not gone.
struct GoneFiles {
  /// By their contents, in the index's numbers of both.
  private var files: [Int64: [Int64]] = [:]
  private(set) var count = 0

  /// - Parameter isOnDisk: whether the disk that the file was on is there; else it may be there still, under its name.
  mutating func add(_ file: StoredFile, isOnDisk: Bool) {
    count += 1
    // What it held when it could not be read, the index does not know.
    guard isOnDisk, !file.isFailed, let content = file.content else { return }
    files[content, default: []].append(file.id)
  }

  /// A file that had a content which another name has now; nil where none is gone that had it.
  mutating func take(_ content: Int64) -> Int64? {
    guard let file = files[content]?.popLast() else { return nil }
    count -= 1
    return file
  }
}
