import Formats
import TensorCore

/// Which class each label of the data means.
struct LabelMatching: Equatable {
  let classes: [ExactText: Int]
  /// How they were found, in words.
  let method: String

  /// - Parameters:
  ///   - labels: the labels that occur, each once, in the order of their bytes.
  ///   - table: the data's classes, where a file names them.
  /// - Throws: ``ApusError`` of kind `configuration` with the labels that are no class, and some of the classes.
  init(_ labels: [String], in space: ClassSpace, table: ClassTable?) throws(ApusError) {
    if space.isNamedByData {
      self.init(
        classes: Dictionary(labels.enumerated().map { (ExactText($1), $0) }) { first, _ in first },
        method: "by the order of the folders' names, as the models name no classes")
      return
    }
    var unmatched = labels
    for (method, find) in Self.methods(space, table) {
      let found = labels.map(find)
      let missing = zip(labels, found).filter { $0.1 == nil }.map(\.0)
      if missing.isEmpty {
        let pairs = zip(labels.map { ExactText($0) }, found.compactMap(\.self))
        self.init(classes: Dictionary(pairs) { first, _ in first }, method: method)
        return
      }
      if missing.count < unmatched.count { unmatched = missing }
    }
    throw ApusError(
      .configuration, "the labels \(ClassName.few(unmatched)) of the data are no classes of the models",
      expected: "classes such as \(ClassName.few(space.names))",
      advice: "Give the models' classes with \(Setting.labels), or those of the data with \(Setting.classes)."
    )
  }

  private init(classes: [ExactText: Int], method: String) {
    self.classes = classes
    self.method = method
  }

  private static func methods(
    _ space: ClassSpace, _ table: ClassTable?
  ) -> [(String, (String) -> Int?)] {
    let exact = ClassName.positions(space.names.map { ExactText($0) })
    let normalized = ClassName.positions(space.names.map { ClassName.normalized($0) })
    let synonyms = ClassName.positions(space.names.map(ClassName.firstSynonym))
    let rows = rows(of: table, in: space)
    let synsets = Dictionary(
      rows.compactMap { row in row.entry.synset.map { (ExactText($0), row.label) } },
      uniquingKeysWith: { first, _ in first })
    let listed = ClassName.positions(rows.map { ClassName.normalized($0.entry.name) })
    return [
      ("by name", { exact[ExactText($0)] }),
      ("by name, but for case and spaces", { normalized[ClassName.normalized($0)] }),
      ("by synset", { synsets[ExactText($0)] }),
      ("by the first of each class's names", { synonyms[ClassName.firstSynonym($0)] }),
      ("by name in the file of classes", { listed[ClassName.normalized($0)].map { rows[$0].label } }),
      (
        "by index in the file of classes",
        { label in Int(label).flatMap { index in rows.first { $0.index == index } }?.label }
      ),
      ("by index", { label in Int(label).flatMap { space.names.indices.contains($0) ? $0 : nil } }),
    ]
  }

  /// The entries of the file of classes that are classes of the baseline.
  private static func rows(
    of table: ClassTable?, in space: ClassSpace
  ) -> [(index: Int, entry: ClassTable.Entry, label: Int)] {
    guard let table, let count = space.positions.first?.count,
      let alignment = try? LabelAlignment(labels: table.names, classCount: count)
    else { return [] }
    return (0..<count).compactMap { label in
      alignment.label(ofClass: label).flatMap { index in
        table.entries.indices.contains(index) ? (index, table.entries[index], label) : nil
      }
    }
  }
}
