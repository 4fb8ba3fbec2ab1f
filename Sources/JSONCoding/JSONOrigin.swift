/// What JSON is read from, which decides what errors say of it.
public enum JSONOrigin: Sendable {
  /// A file of a model, a data set or a program: errors are of kind `configuration` and name line and column.
  case file
  /// What people write for a server: errors are of kind `argument` and name line and column.
  case settings
  /// What a client sent: errors are of kind `argument` and name the byte.
  case message
}
