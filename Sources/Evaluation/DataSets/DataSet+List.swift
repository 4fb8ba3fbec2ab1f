import TensorCore

extension DataSet {
  /// A file of samples, with or without labels. Paths of pictures are relative to the file's folder.
  /// - Throws: ``ApusError``: kind `file`, or `configuration` with the line that makes no sense.
  init(list path: String, kind: Kind, table: ClassTable?) throws(ApusError) {
    let values = try SeparatedValues(
      contentsOf: path, decoding: kind == .pictures ? SeparatedValues.fileNames : SeparatedValues.utf8,
      expected: kind == .pictures ? "a folder or a list" : "a list of texts")
    let rows =
      kind == .pictures && values.separator == .none ? values.rows.map(\.dividedAtComma) : values.rows
    do throws(ApusError) {
      let columns = try ListColumns(rows)
      let folder = FileName.folder(of: path)
      var items: [Item] = []
      var labels = StatedLabels()
      for row in columns.hasHeader ? rows[1...] : rows[...] {
        try row.checkWidth(rows[0].values.count)
        let (name, label) = try Self.sample(in: row, columns)
        if kind == .pictures, let label { try labels.add(label, of: name, line: row.line) }
        let isRelative = kind == .pictures && !name.hasPrefix("/") && !folder.isEmpty
        let content: SampleReport.Content =
          kind == .texts ? .text(name) : .picture(isRelative ? "\(folder)/\(name)" : name)
        items.append(Item(content: content, label: label))
      }
      guard !items.isEmpty else {
        throw ApusError(.configuration, "no sample below the names of columns", expected: "at least one")
      }
      let form: Form = kind == .texts ? .textList : .pictureList
      self.init(path: path, form: form, items: items, table: table)
    } catch {
      throw error.inFile(path)
    }
  }

  private static func sample(
    in row: SeparatedValues.Row, _ columns: ListColumns
  ) throws(ApusError) -> (name: String, label: String?) {
    func value(_ column: Int, _ what: String) throws(ApusError) -> String {
      guard row.values.indices.contains(column), !row.values[column].isEmpty else {
        throw ApusError(.configuration, "no \(what)", at: "line \(row.line)")
      }
      return row.values[column]
    }
    let label = try columns.label.map { column throws(ApusError) in try value(column, "label") }
    if let label, FileName.isEscaped(label) { throw SeparatedValues.notUTF8(line: row.line) }
    return (try value(columns.content, "sample"), label)
  }
}

/// The labels that a list states of its pictures. Texts may mean several things.
private struct StatedLabels {
  /// By the bytes of names: two that are one to Swift, with an accent composed or not, are two files.
  private var first: [[UInt8]: (label: String, line: Int)] = [:]

  /// - Throws: ``ApusError`` of kind `configuration` when the picture has another label already.
  mutating func add(_ label: String, of name: String, line: Int) throws(ApusError) {
    let bytes = FileName.bytes(name)
    guard let own = first[bytes] else {
      first[bytes] = (label, line)
      return
    }
    guard ExactText(own.label) != ExactText(label) else { return }
    throw ApusError(
      .configuration, "'\(name)' with the label '\(label)'",
      expected: "'\(own.label)', as line \(own.line) says", at: "line \(line)")
  }
}

extension SeparatedValues.Row {
  /// A line of a list of pictures that is not named `.csv`: it may have a label behind its last comma.
  fileprivate var dividedAtComma: SeparatedValues.Row {
    guard values.count == 1, let comma = values[0].lastIndex(of: ",") else { return self }
    let parts = [values[0][..<comma], values[0][values[0].index(after: comma)...]]
    return SeparatedValues.Row(line: line, values: parts.map(\.trimmed))
  }
}
