import TensorCore

/// Keys of a `meta.json` that are nearly one that counts, and so were meant to change results.
enum MisspelledKey {
  private static let known = ["threshold_default", "input_size", "preprocessing", "temperature", "rejection"]

  /// What a key of fewer letters begins like is chance.
  private static let beginning = 8

  /// - Throws: ``ApusError`` of kind `configuration` for a key that is written like one that counts but for its case and
  ///   what stands between words, differs from it in up to a fifth of its letters or in their order, or is its beginning.
  static func check(_ keys: [String]) throws(ApusError) {
    for key in keys where !known.contains(key) {
      if let meant = known.first(where: { isLike(letters(key), letters($0)) }) {
        throw ApusError(.configuration, "the key \"\(key.clipped)\"", expected: "\"\(meant)\"")
      }
    }
  }

  private static func isLike(_ key: String, _ known: String) -> Bool {
    // Long keys are no misspelling, and distances take time.
    guard key.utf8.count <= 2 * known.utf8.count else { return false }
    return NearestNames.distance(key, known) <= known.utf8.count / 5 || key.sorted() == known.sorted()
      || key.utf8.count >= beginning && known.hasPrefix(key)
  }

  private static func letters(_ key: String) -> String { key.lowercased().filter(\.isLetter) }
}
