import TensorCore

/// A picture when duplicates are searched: one content, with any number of files.
package struct ComparedPicture: Sendable {
  package struct File: Sendable {
    package let path: String
    /// Where a path leads: links to one file are one.
    package let device: Int
    package let inode: Int
    /// In nanoseconds.
    package let modified: Int
    /// Whether it could not be read when that was last tried.
    package let isFailed: Bool

    package init(path: String, device: Int, inode: Int, modified: Int, isFailed: Bool = false) {
      (self.path, self.device, self.inode) = (path, device, inode)
      (self.modified, self.isFailed) = (modified, isFailed)
    }
  }

  /// The unique number of the content in the index.
  package let content: Int64
  /// Sorted by the bytes of their paths.
  package let files: [File]
  /// In pixels, as it is seen: upright.
  package let width: Int
  package let height: Int
  package let byteCount: Int
  /// The 64 bits of its perceptual hash; nil where it has none.
  package let hash: UInt64?
  /// When it was taken, in any unit that all share; nil where that is unknown.
  package let takenAt: Int64?

  package init(
    content: Int64, files: [File], width: Int, height: Int, byteCount: Int, hash: UInt64?, takenAt: Int64?
  ) {
    (self.content, self.width, self.height) = (content, width, height)
    self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    (self.byteCount, self.hash, self.takenAt) = (byteCount, hash, takenAt)
  }

  /// The paths of each file, the oldest first: links to one file are one.
  var pathsOfFiles: [[String]] {
    let files = Dictionary(grouping: files) { [$0.device, $0.inode] }.values.sorted(by: Self.isOlder)
    return files.map { $0.map(\.path) }
  }

  private static func isOlder(_ first: [File], _ second: [File]) -> Bool {
    guard let one = first.first, let other = second.first else { return false }
    guard one.modified == other.modified else { return one.modified < other.modified }
    return one.path.utf8.lexicographicallyPrecedes(other.path.utf8)
  }

  /// Whether both have one ratio of width to height: within a hundredth, or within the pixel of the smaller picture's
  /// short side that rounding takes when a picture is made smaller, which is more than that below 100 pixels.
  func hasAspect(of other: ComparedPicture) -> Bool {
    guard min(width, height, other.width, other.height) > 0 else { return false }
    let (across, down) = (Double(width) * Double(other.height), Double(height) * Double(other.width))
    // How far the short side is from the one that the other ratio gives, times a side of the larger picture.
    let isSmaller = Double(width) * Double(height) < Double(other.width) * Double(other.height)
    let (smaller, larger) = isSmaller ? (self, other) : (other, self)
    let pixel = Double(smaller.width < smaller.height ? larger.height : larger.width)
    return abs(across - down) <= max(0.01 * min(across, down), pixel)
  }

  /// Whether it is at most half as wide and half as high, halves rounded up.
  func isReduction(of other: ComparedPicture) -> Bool {
    width <= other.width - other.width / 2 && height <= other.height - other.height / 2
  }

  /// In how many bits the hashes differ; nil where one has none.
  func differentBits(from other: ComparedPicture) -> Int? {
    guard let hash, let otherHash = other.hash else { return nil }
    return (hash ^ otherHash).nonzeroBitCount
  }
}
