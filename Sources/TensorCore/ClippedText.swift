extension String {
  /// The start of a name out of a file, short enough for an error.
  package var clipped: String { count > 120 ? prefix(120) + "…" : self }
}

extension ExactText {
  /// The beginning of a long text, for errors.
  package var clipped: String { text.clipped }
}
