/// Whether a model answers.
public enum ServedModelState: Sendable, Equatable {
  /// It is not in memory, and is opened when it is asked for.
  case unloaded
  /// It is being opened.
  case loading
  /// It is in memory.
  case ready
  /// It was taken out by a client, and answers again when it is loaded again.
  case withdrawn
  /// It could not be opened, for the reason given.
  case failed(String)
}
