/// How far a walk goes.
package struct WalkOptions: Sendable, Equatable {
  /// What is left out.
  package var exclusions: Exclusions
  /// Whether links to folders are gone into, each folder once. Links to pictures are pictures either way.
  package var followsLinks: Bool
  /// Whether disks that are mounted below the root are left out.
  package var staysOnDevice: Bool

  package init(_ exclusions: Exclusions, followsLinks: Bool = false, staysOnDevice: Bool = false) {
    self.exclusions = exclusions
    self.followsLinks = followsLinks
    self.staysOnDevice = staysOnDevice
  }
}
