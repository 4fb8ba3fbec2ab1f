import TensorCore

/// How far a walk goes.
package struct WalkOptions: Sendable, Equatable {
  /// The exclusions.
  package var exclusions: Exclusions
  /// Where a walk of a part of a root begins, from the root, from which patterns count; empty for the root itself.
  package var below: String
  /// Whether links to folders are gone into, each folder once. Links to pictures are pictures either way.
  package var followsLinks: Bool
  /// Whether disks that are mounted below the root are left out.
  package var staysOnDevice: Bool
  /// The bytes of the paths from the root of folders that are not gone into.
  package var leftAlone: Set<[UInt8]>

  package init(
    _ exclusions: Exclusions, below: String = "", followsLinks: Bool = false, staysOnDevice: Bool = false,
    leftAlone: Set<[UInt8]> = []
  ) {
    self.exclusions = exclusions
    self.below = below
    self.followsLinks = followsLinks
    self.staysOnDevice = staysOnDevice
    self.leftAlone = leftAlone
  }

  /// Whether a name in a folder of the walk is left out, where the folder is not.
  func excludes(_ name: UnsafeRawBufferPointer, in place: WalkPlace, isFolder: Bool) -> Bool {
    exclusions.excludes(name, in: path(of: place), isFolder: isFolder)
  }

  /// Whether a folder of the walk is not gone into.
  func leavesAlone(_ place: WalkPlace) -> Bool {
    !leftAlone.isEmpty && leftAlone.contains(path(of: place))
  }

  /// The path from the root.
  private func path(of place: WalkPlace) -> [UInt8] {
    below.isEmpty ? place.path : place.path(below: FileName.bytes(below))
  }
}
