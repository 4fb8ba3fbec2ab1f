/// Which names among many a reader may have meant.
package enum NearestNames {
  /// Up to `count` of `names`: those that end alike, in as many parts as possible, and differ little.
  package static func find(_ wanted: String, among names: [String], count: Int = 3) -> [String] {
    let parts = wanted.split(separator: ".")
    let ranked = names.map { name in
      (name, suffix: sharedSuffix(parts, name.split(separator: ".")), name.utf8.count)
    }
    // Distances take time: only names that end alike most, or whose length is near, are measured.
    let candidates = ranked.sorted {
      let a = abs($0.2 - wanted.utf8.count), b = abs($1.2 - wanted.utf8.count)
      return ($1.suffix, a, $0.0) < ($0.suffix, b, $1.0)
    }.prefix(200)
    let measured = candidates.map { ($0.0, distance(wanted, $0.0) - 8 * $0.suffix) }
    return measured.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(count).map(\.0)
  }

  /// How many parts at the end are the same.
  private static func sharedSuffix(_ a: [Substring], _ b: [Substring]) -> Int {
    zip(a.reversed(), b.reversed()).prefix { $0 == $1 }.count
  }

  /// The edit distance of Levenshtein over the first bytes of two names.
  package static func distance(_ a: String, _ b: String, limit: Int = 200) -> Int {
    let a = Array(a.utf8.prefix(limit)), b = Array(b.utf8.prefix(limit))
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let substituted = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
      }
    }
    return row[b.count]
  }
}
