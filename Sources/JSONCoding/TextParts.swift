extension String {
  /// The text in parts of some `count` bytes of UTF-8, cut between scalars.
  package func parts(ofLength count: Int) -> some Sequence<Substring> {
    sequence(state: self[...]) { rest in
      guard !rest.isEmpty else { return nil }
      var end = rest.endIndex
      if let place = rest.utf8.index(rest.startIndex, offsetBy: count, limitedBy: end), place < end {
        // That of the scalar in which the place lies.
        end = rest.unicodeScalars.index(after: place)
      }
      defer { rest = rest[end...] }
      return rest[..<end]
    }
  }
}
