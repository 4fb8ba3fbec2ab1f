import TensorCore

/// A table of the keys of configuration files and what is made of them, by the code that reads them: readers of files
/// with few keys know what they were asked for.
package struct ConfigurationTable {
  /// A kind of use of a key, and of what models or classes.
  private struct Use: Hashable {
    let file: String
    let kind: Kind
    let what: String
  }

  private enum Kind: Int { case used, restricted, withoutEffect }

  /// The keys of each use, and the families that have it.
  private var families: [Use: [String: [String]]] = [:]
  private var files: [String] = []

  package init() {}

  /// Adds what was made of the keys of a file.
  /// - Parameters:
  ///   - file: the file's name.
  ///   - family: the models or the class that it belongs to.
  package mutating func add(_ reader: ConfigurationReader, file: String, family: String) {
    if !files.contains(file) { files.append(file) }
    let prefix = reader.path.isEmpty ? "" : reader.path + "."
    let restricted = reader.use.restricted
    for key in reader.use.asked {
      let use =
        restricted[key].map { Use(file: file, kind: .restricted, what: $0) }
        ?? Use(file: file, kind: .used, what: "")
      families[use, default: [:]][prefix + key, default: []].append(family)
    }
    for (key, reason) in reader.use.passedOver where !reader.use.asked.contains(key) {
      families[Use(file: file, kind: .withoutEffect, what: reason), default: [:]][prefix + key, default: []]
        .append(family)
    }
    for part in reader.use.parts { add(part, file: file, family: family) }
  }

  package static let columns = ["file", "keys", "use", "of"]

  /// The rows, of a cell for each of the columns. Keys of the same use share a row.
  package var rows: [[String]] {
    files.flatMap { file in [Kind.used, .restricted, .withoutEffect].flatMap { rows(file, $0) } }
  }

  private func rows(_ file: String, _ kind: Kind) -> [[String]] {
    let uses = families.filter { $0.key.file == file && $0.key.kind == kind }.sorted {
      $0.key.what < $1.key.what
    }
    return uses.flatMap { use, keys in
      Dictionary(grouping: keys.keys) { keys[$0, default: []].joined(separator: ", ") }
        .sorted { $0.key < $1.key }
        .map { families, keys in
          let names = keys.sorted().map { "`\($0)`" }.joined(separator: ", ")
          let text =
            switch kind {
            case .used: "used"
            case .restricted: "refused unless \(use.what)"
            case .withoutEffect: "no effect: \(use.what)"
            }
          return [file, names, text, families]
        }
    }
  }
}

extension ConfigurationReader {
  /// A file with these bytes, for the table.
  package init(sample text: String) throws(ApusError) {
    try self.init(Array(text.utf8), file: "sample")
  }
}
