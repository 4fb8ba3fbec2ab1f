/// The folders of a ``FolderWatch``, and how often it reports.
package struct WatchOptions: Sendable {
  /// As for the walks of the same roots.
  package var walk: WalkOptions
  /// Changes are told when none came for this time, as programs write files in bursts,
  package var quiet: Duration = .milliseconds(500)
  /// or when the first of them is this old.
  package var longest: Duration = .seconds(5)
  /// A picture that is not closed after it got its name is told when it stays as it is for this time.
  package var unclosed: Duration = .seconds(1)
  /// How often folders are walked again that cannot be watched.
  package var rescanInterval: Duration = .seconds(600)
  /// How often it is looked whether roots are still the same folders: mounting a disk is no change in a folder.
  package var rootInterval: Duration = .seconds(10)
  /// The most folders that are watched below a root, so that other programs find watches left; nil for as many as the
  /// system has.
  package var mostFolders: Int?

  package init(_ walk: WalkOptions) { self.walk = walk }
}
