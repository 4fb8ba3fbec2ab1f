import Formats
import TensorCore

/// The classes of a data set, with the synset of WordNet that stands for each, where there is one.
package struct ClassTable: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package let synset: String?
    package let name: String
  }

  /// By the index of the class.
  package let entries: [Entry]

  package var names: [String] { entries.map(\.name) }

  /// - Parameter path: a line for each class: its index, synset and name divided by tabs, in any order and with
  ///   any of them left out; synset and name divided by a space; or whatever a file of labels may be.
  /// - Throws: ``ApusError``: kind `file`, or `configuration` when the lines make no classes, or one line with commas may
  ///   be one or several.
  package init(contentsOf path: String) throws(ApusError) {
    let bytes = try FileBytes.read(path, limit: LabelFile.maximumByteCount)
    do throws(ApusError) {
      try self.init(bytes)
    } catch {
      throw error.inFile(path)
    }
  }

  package init(_ bytes: [UInt8]) throws(ApusError) {
    if bytes.contains(UInt8(ascii: "\t")) {
      let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
      try ListContent.checkText(bytes)
      entries = try Self.entries(SeparatedValues(body, separator: .tab).rows)
    } else {
      let file = try LabelFile(bytes)
      let lines = file.labels
      guard lines.count > 1 || !lines.allSatisfy(Self.isTitles) else { throw Self.titlesAlone }
      try file.refuseList()
      entries = lines.map(Self.entry)
    }
  }

  /// Whether a text is the name of a synset: `n` and eight digits.
  static func isSynset(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 9 && text.utf8.first == UInt8(ascii: "n")
      && text.utf8.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// A line without tabs: a name, or a synset and a name.
  private static func entry(_ line: String) -> Entry {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard let first = parts.first, isSynset(first) else { return Entry(synset: nil, name: line) }
    return Entry(synset: String(first), name: parts.count > 1 ? String(parts[1]) : String(first))
  }

  private static let titles: Set = [
    "category", "class", "class_id", "class_index", "class_name", "classes", "file", "id", "index", "label",
    "labels", "name", "names", "path", "synset", "wnid",
  ]

  /// Whether a line names columns and no class.
  private static func isTitles(_ line: String) -> Bool {
    line.lowercased().split { ",; ".contains($0) }.allSatisfy { titles.contains(String($0)) }
  }

  private static var titlesAlone: ApusError {
    ApusError(.configuration, "no class below the names of columns", expected: "at least one")
  }

  private static func entries(_ rows: [SeparatedValues.Row]) throws(ApusError) -> [Entry] {
    // Titles are the only row in which the column of indices, or of synsets, holds something else.
    let body = rows.count > 1 ? rows.dropFirst() : rows[...]
    let width = rows.map(\.values.count).max() ?? 0
    let (index, synset) = (column(body, width) { Int($0) != nil }, column(body, width, isSynset))
    guard rows.count > 1 || index != nil || synset != nil else { throw titlesAlone }
    let isTitled =
      index.map { Int(value(rows[0], $0)) == nil } ?? synset.map { !isSynset(value(rows[0], $0)) } ?? false
    let rows = isTitled ? Array(body) : rows
    let name = (0..<width).first { $0 != index && $0 != synset }
    var entries = [Entry?](repeating: nil, count: rows.count)
    for (position, row) in rows.enumerated() {
      let place = index.flatMap { Int(value(row, $0)) } ?? position
      let synset = synset.map { value(row, $0) }
      guard entries.indices.contains(place), entries[place] == nil else {
        throw ApusError(
          .configuration, "class \(place)", expected: "each of 0 to \(rows.count - 1) once",
          at: "line \(row.line)")
      }
      entries[place] = Entry(synset: synset, name: name.map { value(row, $0) } ?? synset ?? "\(place)")
    }
    return entries.compactMap(\.self)
  }

  /// The first column of which every value passes `test`.
  private static func column(
    _ rows: ArraySlice<SeparatedValues.Row>, _ width: Int, _ test: (String) -> Bool
  ) -> Int? {
    rows.isEmpty ? nil : (0..<width).first { column in rows.allSatisfy { test(value($0, column)) } }
  }

  private static func value(_ row: SeparatedValues.Row, _ column: Int) -> String {
    row.values.indices.contains(column) ? row.values[column] : ""
  }
}
