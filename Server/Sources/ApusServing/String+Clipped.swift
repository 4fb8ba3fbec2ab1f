extension String {
  /// The beginning of it, for errors: what clients send may be long, a single character too.
  package var clipped: String {
    let beginning = unicodeScalars.prefix(41)
    return beginning.count > 40 ? String(beginning.dropLast()) + "…" : self
  }
}
