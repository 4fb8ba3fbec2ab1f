/// Pictures that are one, or alike, and how many files were not looked at for that.
public struct FoundDuplicates: Sendable, Equatable {
  /// In the order of their best pictures.
  public let groups: [DuplicateGroup]
  /// Files of the index that are in no group because they cannot be read, or never could be, or are not on the disk as they
  /// were when they were indexed, ``unsound`` among them. Bringing the index up looks at the others again. Those that it
  /// found gone the last time are not counted, nor are those that can be read and not be decoded.
  public let leftOut: Int
  /// The paths of files of groups that cannot be read, or have other bytes than when they were indexed; empty if no file was
  /// read.
  public let unsound: [String]

  init(groups: [DuplicateGroup], leftOut: Int, unsound: [String] = []) {
    (self.groups, self.leftOut, self.unsound) = (groups, leftOut, unsound)
  }
}
