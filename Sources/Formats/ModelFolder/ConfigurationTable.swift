import TensorCore

/// A table of the keys of configuration files and what is made of them, by the code that reads them: readers of files
/// with few keys know what they were asked for.
package struct ConfigurationTable {
  /// A kind of use of a key, and of what models or classes.
  private struct Use: Hashable {
    let file: ExactText
    let kind: Kind
    let what: ExactText
  }

  private enum Kind: Int { case used, restricted, withoutEffect }

  /// The keys of each use, and the families that have it.
  private var families: [Use: [ExactText: [String]]] = [:]
  private var files: [ExactText] = []

  package init() {}

  /// Adds what was made of the keys of a file.
  /// - Parameters:
  ///   - name: the file's name.
  ///   - family: the models or the class that it belongs to.
  package mutating func add(_ reader: ConfigurationReader, file name: String, family: String) {
    let file = ExactText(name)
    if !files.contains(file) { files.append(file) }
    let prefix = reader.path.isEmpty ? "" : reader.path + "."
    let restricted = reader.use.restricted
    for key in reader.use.asked {
      let use =
        restricted[key].map { Use(file: file, kind: .restricted, what: ExactText($0)) }
        ?? Use(file: file, kind: .used, what: "")
      families[use, default: [:]]["\(prefix)\(key)", default: []].append(family)
    }
    for (key, reason) in reader.use.passedOver where !reader.use.asked.contains(key) {
      let use = Use(file: file, kind: .withoutEffect, what: ExactText(reason))
      families[use, default: [:]]["\(prefix)\(key)", default: []].append(family)
    }
    for part in reader.use.parts { add(part, file: name, family: family) }
  }

  package static let columns = ["file", "keys", "use", "of"]

  /// The rows, of a cell for each of the columns. Keys of the same use share a row.
  package var rows: [[String]] {
    files.flatMap { file in [Kind.used, .restricted, .withoutEffect].flatMap { rows(file, $0) } }
  }

  private func rows(_ file: ExactText, _ kind: Kind) -> [[String]] {
    let uses = families.filter { $0.key.file == file && $0.key.kind == kind }.sorted {
      $0.key.what < $1.key.what
    }
    return uses.flatMap { use, keys in
      Dictionary(grouping: keys.keys) { ExactText(keys[$0, default: []].joined(separator: ", ")) }
        .sorted { $0.key < $1.key }
        .map { families, keys in
          let names = keys.sorted().map { "`\($0)`" }.joined(separator: ", ")
          let text =
            switch kind {
            case .used: "used"
            case .restricted: "refused unless \(use.what)"
            case .withoutEffect: "no effect: \(use.what)"
            }
          return [file.text, names, text, families.text]
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
