import Apus

/// What came of a picture that a command was given, or of an argument that stands for none.
struct PictureOutcome<Output> {
  let path: String
  /// Whether it is a picture: not a pattern that nothing matches, nor a folder.
  let isPicture: Bool
  let result: Result<Output, ApusError>
}
