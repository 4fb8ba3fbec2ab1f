import TensorCore

/// Names of classes, which every source spells its own way.
enum ClassName {
  /// In lower case, with single spaces for whatever divides words.
  static func normalized(_ name: some StringProtocol) -> String {
    let words = name.lowercased().split { $0.isWhitespace || $0 == "_" || $0 == "-" }
    return words.joined(separator: " ")
  }

  /// The first of the names that ImageNet's lists give a class: `tench` of `tench, Tinca tinca`.
  static func firstSynonym(_ name: String) -> String {
    normalized(name.split(separator: ",", maxSplits: 1).first ?? "")
  }

  /// A few of many, for errors: `'cat', 'dog' and 8 more`.
  static func few(_ names: [String]) -> String {
    let shown = names.prefix(3).map { "'\($0.count > 40 ? $0.prefix(39) + "…" : $0[...])'" }
    let rest = names.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// The position of each name that occurs once: by its bytes, or by what Swift takes for equal, as the type of names has it.
  static func positions<Name: Hashable>(_ names: [Name]) -> [Name: Int] {
    var positions: [Name: Int] = [:]
    var ambiguous: Set<Name> = []
    for (position, name) in names.enumerated() where positions.updateValue(position, forKey: name) != nil {
      ambiguous.insert(name)
    }
    return positions.filter { !ambiguous.contains($0.key) }
  }
}
