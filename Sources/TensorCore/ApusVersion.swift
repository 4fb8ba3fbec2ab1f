/// Which Apus this is.
public enum ApusVersion {
  /// The release, in semantic versioning: `apus --version` prints it, every report records it, and `CHANGELOG.md` says
  /// what it brought and whether numbers changed.
  public static let current = "0.2.0"
}
