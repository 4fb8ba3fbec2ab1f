/// The origin of JSON, which determines the words of errors.
public enum JSONOrigin: Sendable {
  /// A file of a model, a data set or a program: errors are of kind `configuration` and name line and column.
  case file
  /// A person's file for a server: errors are of kind `argument` and name line and column.
  case settings
  /// A client's message: errors are of kind `argument` and name the byte.
  case message
}
