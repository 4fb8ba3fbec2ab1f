/// Which Apus this is.
public enum ApusVersion {
  /// The release, in semantic versioning: `apus --version` prints it, every report records it, and `CHANGELOG.md` says
  /// what it brought and whether numbers changed.
  public static let current = "0.2.0"

  /// Whether it was built for release, so that times mean something.
  package static var isOptimized: Bool {
    #if DEBUG
      false
    #else
      true
    #endif
  }
}
