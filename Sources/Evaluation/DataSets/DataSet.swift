import TensorCore

/// Samples with or without labels, as they lie in a folder or stand in a list. Nothing of them is read yet.
package struct DataSet: Sendable {
  package struct Item: Sendable, Hashable {
    package let content: SampleReport.Content
    /// The label as the data have it: the name of a folder, a name or a number in a list, a synset.
    package let label: String?
    /// What it goes together with, by name; nil where nobody says.
    package var group: String?

    package init(content: SampleReport.Content, label: String?) {
      self.content = content
      self.label = label
    }
  }

  package enum Form: String, Sendable {
    case folderPerClass = "a folder per class"
    case synsetNames = "pictures named by synset"
    case pictures = "a folder of pictures"
    case pictureList = "a list of pictures"
    case textList = "a list of texts"
  }

  /// What samples are.
  package enum Kind: Sendable {
    case pictures, texts
  }

  package let path: String
  package let form: Form
  package private(set) var items: [Item]
  /// The classes, where a file names them.
  package let table: ClassTable?

  package init(path: String, form: Form, items: [Item], table: ClassTable?) {
    self.path = path
    self.form = form
    self.items = items
    self.table = table
  }

  /// The same, with the group of each sample.
  func grouped(by groups: SampleGroups) throws(ApusError) -> DataSet {
    var grouped = self
    let names = try groups.names(of: self)
    for index in items.indices { grouped.items[index].group = names[index] }
    return grouped
  }

  package var isLabelled: Bool { items.allSatisfy { $0.label != nil } }

  /// The labels that occur, each once, sorted by their bytes.
  package var labels: [String] {
    Set(items.compactMap { $0.label.map { ExactText($0) } }).sorted().map(\.text)
  }

  /// The names of the classes, for models that choose between labels: those of the file of classes, or else the
  /// labels, with spaces for what divides words. None when labels are only numbers or synsets.
  var classNames: [String] {
    if let table { return table.names }
    let labels = labels
    guard !labels.allSatisfy({ Int($0) != nil || ClassTable.isSynset($0) }) else { return [] }
    return labels.map { String($0.map { $0 == "_" ? " " : $0 }) }
  }

  /// - Parameters:
  ///   - path: a folder, or a list: CSV, TSV or lines.
  ///   - classes: a file that names the classes by index or synset; nil takes a `classes.tsv` beside pictures that
  ///     are named by synset.
  /// - Throws: ``ApusError``: kind `file` when nothing is there or nothing of that kind in it, `configuration` when
  ///   a list makes no sense.
  package init(_ path: String, kind: Kind, classes: String? = nil) throws(ApusError) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let table = try classes.map { (path) throws(ApusError) in try ClassTable(contentsOf: path) }
    if FileSystem.isFolder(path) {
      guard kind == .pictures else {
        throw ApusError(
          .file, "is a folder", expected: "a list of texts: a .tsv or .csv file of text and label", file: path
        )
      }
      self = try DataSet(folder: path, table: table)
    } else {
      self = try DataSet(list: path, kind: kind, table: table)
    }
  }
}
