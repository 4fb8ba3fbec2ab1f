import Apus
import GRDB
import TensorCore

/// Writes what was read of files, in their order, many in one transaction.
struct IndexWriter {
  /// A file below a root, and what came of it.
  struct Entry: Sendable {
    let job: ReadingRun.Job
    /// The file that was read, or as the walk found it where none could be.
    let item: IndexPlan.Item
    let reading: PictureReader.Reading

    /// From `/`.
    var path: String { job.path }
  }

  /// The outcome of a file, once it is written.
  enum Outcome: Sendable {
    case embedded
    /// Its content was in the index, or comes from another file of this indexing.
    case known
    case failed(ApusError)
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
  /// - Parameters:
  ///   - next: files that are read from now on.
  ///   - gone: of which those that were renamed are forgotten.
  /// - Returns: what came of files, copies among them that waited for one of the entries.
  mutating func write(
    _ entries: [Entry], beginning next: some Sequence<FileStamp>, _ gone: inout GoneFiles
  ) throws(ApusError) -> [(entry: Entry, outcome: Outcome)] {
    var state = Transaction(model, conditions, copies, gone)
    try store.write { [model] database in
      for entry in entries {
        try state.write(entry, in: database)
      }
      try StoredReading.begin(next, in: database)
      if !state.added.isEmpty { try StoredModel.advance(CollectionOfOne(model.id), in: database) }
    }
    (copies, gone) = (state.copies, state.gone)
    try vectors.append(state.added)
    return state.written
  }

  /// The files that wait for a content which nothing reads any more.
  mutating func takeWaiting() -> [Entry] {
    defer { copies = [:] }
    return copies.values.flatMap(\.self)
  }
}

extension IndexWriter {
  /// The changes of one transaction, counted when it is done.
  private struct Transaction {
    let model: StoredModel
    let conditions: DecodingConditions
    var copies: [ContentKey: [Entry]]
    var gone: GoneFiles
    var added: [VectorRow] = []
    var written: [(entry: Entry, outcome: Outcome)] = []

    init(
      _ model: StoredModel, _ conditions: DecodingConditions, _ copies: [ContentKey: [Entry]],
      _ gone: GoneFiles
    ) {
      (self.model, self.conditions, self.copies, self.gone) = (model, conditions, copies, gone)
    }

    mutating func write(_ entry: Entry, in database: Database) throws {
      if case .leftOut(let error) = entry.reading { return try fail(entry, error, in: database) }
      try StoredReading.end(entry.job.item.stamp, in: database)
      switch entry.reading {
      case .known(let id): try putKnown(entry, content: id, in: database)
      case .unreadable(let error), .leftOut(let error): try fail(entry, error, in: database)
      // Whether it is missing is for a walk to say, which knows whether its disk is there.
      case .gone(let error): written.append((entry, .failed(error)))
      case .fresh(let content, let vector): try write(entry, content, vector, in: database)
      case .copy(let key):
        if let id = try StoredContent.finished(key, by: model.id, under: conditions, in: database) {
          try putKnown(entry, content: id, in: database)
        } else {
          copies[key, default: []].append(entry)
        }
      }
    }

    private mutating func fail(_ entry: Entry, _ error: ApusError, in database: Database) throws {
      try StoredFile.fail(
        entry.item, of: entry.job.root.id, error: IndexWriter.reason(error, for: entry.path), in: database)
      written.append((entry, .failed(error)))
    }

    private mutating func write(
      _ entry: Entry, _ content: StoredContent, _ vector: StoredVector?, in database: Database
    ) throws {
      let id = try content.store(in: database)
      if let vector, try vector.store(of: id, by: model.id, in: database) {
        added.append(VectorRow(contentID: id, numbers: vector.values))
      }
      try put(entry, content: id, in: database)
      written.append((entry, content.error.map { .failed(ApusError(.image, $0)) } ?? .embedded))
      for copy in copies.removeValue(forKey: content.key) ?? [] {
        try putKnown(copy, content: id, in: database)
      }
    }

    private mutating func putKnown(_ entry: Entry, content: Int64, in database: Database) throws {
      try put(entry, content: content, in: database)
      let error = try StoredContent.error(of: content, in: database)
      written.append((entry, error.map { .failed(ApusError(.image, $0)) } ?? .known))
    }

    private mutating func put(_ entry: Entry, content: Int64, in database: Database) throws {
      try StoredFile.store(entry.item, of: entry.job.root.id, content: content, in: database)
      try StoredFile.wasRead(entry.item, in: database)
      if let old = gone.take(content) { try StoredFile.remove(old, in: database) }
    }
  }
}
