extension String {
  /// The beginning, for messages: a name from outside may be as long as a body, and a single character too.
  var clipped: String {
    let beginning = unicodeScalars.prefix(81)
    return beginning.count > 80 ? String(beginning.prefix(79)) + "…" : self
  }
}
