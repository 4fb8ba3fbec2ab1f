/// How much pictures have in common that are shown as one group.
public enum DuplicateLevel: String, Sendable, CaseIterable {
  /// Files with the same bytes.
  case sameBytes
  /// One picture: files with the same bytes, and what was written anew, smaller, in another format, or with other metadata.
  case samePicture
  /// Pictures of the same thing. They are shown separately, because none should be deleted unseen.
  case alike
}

/// Pictures that are one, or alike. All are within the limits of the level as seen from the first, so that frames of
/// a film, each like the one before, do not end in one group.
public struct DuplicateGroup: Sendable, Equatable {
  /// A picture of a group.
  public struct Member: Sendable, Equatable {
    /// The number of its content in the index.
    public let content: Int64
    /// The paths of each of its files, all of the same bytes, the oldest first; a file has several paths where links lead
    /// to it. Members of ``DuplicateLevel/sameBytes`` have one file each.
    public let files: [[String]]
    /// In how many of 64 bits its perceptual hash differs from the first member's; nil where one has none.
    public let differentBits: Int?
    /// The cosine of its embedding and the first member's; 1 for the first, and for the same bytes.
    public let cosine: Float

    /// The paths of all its files.
    public var paths: [String] { files.flatMap(\.self) }
  }

  /// The level of similarity of the members.
  public let level: DuplicateLevel
  /// The best first: most pixels, then most bytes, then the oldest, then by path. Two at least, or of
  /// ``DuplicateLevel/samePicture`` one of several files.
  public let members: [Member]

  /// The paths of all files but the best: its links are no others, its copies are.
  public var others: [String] {
    let best = members.first?.files.dropFirst() ?? []
    return best.flatMap(\.self) + members.dropFirst().flatMap(\.paths)
  }
}
