import Apus
import TensorCore

/// Writes what was read of files, in their order, many in one transaction.
struct IndexWriter {
  /// A file below a root, and what came of it.
  struct Entry: Sendable {
    let root: StoredRoot
    /// The file that was read, or as the walk found it where none could be.
    let item: IndexPlan.Item
    let reading: PictureReader.Reading

    /// From `/`.
    var path: String { root.path(of: item.path) }
  }

  private let store: PhotoStore
  private let model: StoredModel
  private let vectors: StoredVectors
  private let conditions: DecodingConditions
  /// Files that wait for the content that they are copies of.
  private var copies: [ContentKey: [Entry]] = [:]

  /// - Throws: ``ApusError`` of kind `file` when the index cannot be written, or the file of vectors not be made.
  init(
    _ store: PhotoStore, model: StoredModel, under conditions: DecodingConditions
  ) throws(ApusError) {
    (self.store, self.model, self.conditions) = (store, model, conditions)
    vectors = StoredVectors(store, model)
    try vectors.bringUp()
  }

  /// The clause that stands behind the path of a file.
  private static func reason(_ error: ApusError, for path: String) -> String {
    var error = error
    if let file = error.file, ExactText(file) == ExactText(path) { error.file = nil }
    return String(error.summary.dropLast())
  }

  /// When this returns, the entries are safe on the disk, but for copies of what is still being read.
  mutating func write(_ entries: [Entry]) throws(ApusError) {
    guard !entries.isEmpty else { return }
    var copies = self.copies
    let added = try store.write { [model, conditions] database in
      var added: [VectorRow] = []
      func put(_ entry: Entry, content: Int64) throws {
        try StoredFile.store(entry.item, of: entry.root.id, content: content, in: database)
        try StoredFile.wasRead(entry.item, in: database)
      }
      for entry in entries {
        switch entry.reading {
        case .known(let id): try put(entry, content: id)
        case .unreadable(let error):
          try StoredFile.fail(
            entry.item, of: entry.root.id, error: Self.reason(error, for: entry.path), in: database)
        // Whether it is missing is for a walk to say, which knows whether its disk is there.
        case .gone: break
        case .fresh(let content, let vector):
          let id = try content.store(in: database)
          if let vector, try vector.store(of: id, by: model.id, in: database) {
            added.append(VectorRow(contentID: id, numbers: vector.values))
          }
          try put(entry, content: id)
          for copy in copies.removeValue(forKey: content.key) ?? [] { try put(copy, content: id) }
        case .copy(let key):
          if let id = try StoredContent.finished(key, by: model.id, under: conditions, in: database) {
            try put(entry, content: id)
          } else {
            copies[key, default: []].append(entry)
          }
        }
      }
      if !added.isEmpty { try StoredModel.advance(CollectionOfOne(model.id), in: database) }
      return added
    }
    self.copies = copies
    try vectors.append(added)
  }
}
