import TensorCore

/// A file that says which samples go together: CSV or TSV rows of sample and group, with or without names of columns; or,
/// beside a list, the name of a group on each line, in the order of its samples.
struct SampleGroups {
  private let path: String
  /// Rows of sample and group; the sample is nil where rows stand in the order of the data.
  private let rows: [(sample: String?, group: String, line: Int)]

  private static let groupNames: Set = [
    "group", "groups", "cluster", "source", "original", "photograph", "series",
  ]

  /// - Throws: ``ApusError``: kind `file`, or `configuration` with the line that makes no sense.
  init(contentsOf path: String) throws(ApusError) {
    self.path = path
    let values = try SeparatedValues(
      contentsOf: path, decoding: SeparatedValues.fileNames, expected: "rows of sample and group")
    let names = values.rows.first?.values.map { $0.lowercased() } ?? []
    let named = names.firstIndex(where: Self.groupNames.contains)
    let isAlone = names.count == 1
    guard isAlone || names.count == 2 || named != nil else {
      throw ApusError(
        .configuration, "\(names.count) columns, and no first row that names them",
        expected: "two, or a row such as 'path,group'", file: path)
    }
    let group = named ?? (isAlone ? 0 : 1)
    let sample = isAlone ? nil : names.indices.first { $0 != group }
    rows = try values.rows.dropFirst(named == nil ? 0 : 1).map { (row) throws(ApusError) in
      do throws(ApusError) { try row.checkWidth(names.count) } catch { throw error.inFile(path) }
      guard row.values.indices.contains(max(group, sample ?? 0)), !row.values[group].isEmpty else {
        throw ApusError(.configuration, "no group", at: "line \(row.line)", file: path)
      }
      return (sample.map { row.values[$0] }, row.values[group], row.line)
    }
  }

  /// The group of each sample.
  /// - Throws: ``ApusError`` of kind `configuration` when a sample has none, or two.
  func names(of data: DataSet) throws(ApusError) -> [String] {
    if rows.allSatisfy({ $0.sample == nil }) { return try inOrder(of: data) }
    let stated = Dictionary(grouping: rows.indices) { ExactText(rows[$0].sample ?? "") }
    var groups: [String] = []
    var missing: [DataSet.Item] = []
    for (keys, item) in zip(Self.keys(of: data), data.items) {
      let own = Set(keys).flatMap { stated[$0] ?? [] }.sorted().map { rows[$0] }
      if let other = own.first(where: { ExactText($0.group) != ExactText(own[0].group) }) {
        throw ApusError(
          .configuration, "'\(item.name)' in the group '\(other.group)'",
          expected: "'\(own[0].group)', as line \(own[0].line) says", at: "line \(other.line)", file: path)
      }
      if let first = own.first { groups.append(first.group) } else { missing.append(item) }
    }
    guard let first = missing.first else { return groups }
    throw ApusError(
      .configuration,
      "no group for \(missing.count) of \(data.items.count.counted("sample")), such as '\(first.name)'",
      expected: "one for each", file: path,
      advice:
        "Pictures are named by their path below the data's folder, or by their file's name where no other has it."
    )
  }

  private func inOrder(of data: DataSet) throws(ApusError) -> [String] {
    guard data.form == .textList || data.form == .pictureList, rows.count == data.items.count else {
      throw ApusError(
        .configuration, "\(rows.count.counted("group")) without names of samples",
        expected: data.form == .textList || data.form == .pictureList
          ? "as many as there are samples, \(data.items.count)" : "rows of sample and group", file: path)
    }
    return rows.map(\.group)
  }

  /// What a sample may be called: as the data call it, by its path below the data's folder, and by its file's name where
  /// no other has that.
  private static func keys(of data: DataSet) -> [[ExactText]] {
    let names = data.items.map(\.name)
    let isFolder = data.form != .textList && data.form != .pictureList
    let folder = isFolder ? data.path : FileName.folder(of: data.path)
    func last(_ name: String) -> ExactText { ExactText(FileName.last(of: name)) }
    let counts = Dictionary(names.map { (last($0), 1) }, uniquingKeysWith: +)
    return zip(names, data.items).map { name, item in
      let whole = ExactText(name)
      guard case .picture = item.content else { return [whole] }
      let below = folder.isEmpty ? whole : whole.below(folder).map { ExactText($0) } ?? whole
      return [whole, below] + (counts[last(name)] == 1 ? [last(name)] : [])
    }
  }
}
