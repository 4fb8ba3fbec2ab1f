import FoundationEssentials
import GRDB
import Kernels
import TensorCore

/// The file of a model's vectors that searches read: made from the database, and anew whenever it is not what the
/// database says.
struct StoredVectors {
  private let store: PhotoStore
  private let model: StoredModel
  private let freeBytes: @Sendable (String) -> Int?
  let path: String

  /// - Parameter freeBytes: the free bytes of a folder's disk; see ``FreeSpace/bytes(in:)``.
  init(
    _ store: PhotoStore, _ model: StoredModel,
    freeBytes: @escaping @Sendable (String) -> Int? = FreeSpace.bytes
  ) {
    (self.store, self.model, self.freeBytes) = (store, model, freeBytes)
    path = "\(store.folder)/vectors-\(model.digest.hexadecimal).i8"
  }

  private var digest: [UInt8] { Array(model.digest.data) }

  /// The file, for a search. Where another process is changing the index, as it was a moment ago.
  /// - Parameter opened: the file as it was opened before, which it still is while the database does not change.
  /// - Throws: ``ApusError`` of kind `file` when it is not what the database says, and cannot be made anew.
  func open(_ opened: VectorFile? = nil) throws(ApusError) -> VectorFile {
    let fault: VectorFileFault
    do throws(VectorFileFault) {
      return try current(opened)
    } catch {
      fault = error
    }
    // Else every search would fill the disk with what it then cannot end.
    if fault.isOfEarlier, !hasRoom(), let behind = try? openBehind(fault) { return behind }
    guard let lock = try? StoreLock(store.folder) else { return try openBehind(fault) }
    return try withExtendedLifetime(lock) { () throws(ApusError) in
      try store.checkIdentity()
      do throws(ApusError) {
        try rebuild()
      } catch {
        // Where it cannot be written, what is there may do.
        guard let behind = try? openBehind(fault) else { throw error }
        return behind
      }
      return try made()
    }
  }

  /// How often the database is asked again that changed before its file of vectors was opened.
  private static let attempts = 3

  /// The file as the database says.
  private func current(_ opened: VectorFile?) throws(VectorFileFault) -> VectorFile {
    for _ in 1..<Self.attempts {
      let revision = revision()
      if let opened, opened.revision == revision { return opened }
      do throws(VectorFileFault) {
        return try file(revision: revision)
      } catch {
        guard error.isOfLater else { throw error }
        store.refresh()
      }
    }
    return try file(revision: revision())
  }

  /// The file as another process left it, or as it is if it cannot be changed.
  private func openBehind(_ fault: VectorFileFault) throws(ApusError) -> VectorFile {
    guard fault.isOfEarlier else {
      throw ApusError(
        .file, "the file \(fault)", file: path,
        advice: "It is rebuilt as soon as the index is writable and no other program is changing it.")
    }
    do throws(VectorFileFault) { return try file(revision: nil) } catch { throw failure(error) }
  }

  /// Whether the disk has room for the file beside the one that is there, as far as the system says.
  private func hasRoom() -> Bool {
    guard let free = freeBytes(store.folder), let layout = VectorFileLayout(width: model.width) else {
      return true
    }
    let rows = try? store.read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM vector WHERE model_id = ?", arguments: [model.id])
    }
    guard let rows, rows <= VectorFileLayout.mostRows else { return true }
    return layout.fileByteCount(rows: rows) <= free
  }

  private func file(revision: Int64?) throws(VectorFileFault) -> VectorFile {
    try VectorFile.open(path, width: model.width, model: digest, revision: revision)
  }

  /// The file, right after it was made.
  private func made() throws(ApusError) -> VectorFile {
    do throws(VectorFileFault) { return try file(revision: nil) } catch { throw failure(error) }
  }

  private func failure(_ fault: VectorFileFault) -> ApusError {
    ApusError(.file, "the file \(fault)", file: path)
  }

  /// The revision in the database; -1, which no file has, if it cannot be read.
  private func revision() -> Int64 {
    (try? store.read { try model.revision(in: $0) }) ?? -1
  }

  /// Makes the file as the database says, unless it is that and has few rows that were removed. For who may
  /// change the index.
  func bringUp() throws(ApusError) {
    guard let file = try? file(revision: revision()) else { return try rebuild() }
    // One that is as the database says serves where the disk has no room for a smaller one beside it.
    if file.isWorthCompacting, hasRoom() { try? rebuild() }
  }

  /// The first fault of the file, which is read completely; nil if it is sound.
  func fault() -> VectorFileFault? {
    do throws(VectorFileFault) {
      let file = try file(revision: revision())
      if let fault = file.firstFault() { return fault }
      return isOfOtherContents(file) ? VectorFileFault.otherContents : nil
    } catch {
      return error
    }
  }

  /// Whether the database has vectors of other contents than the file; not where it changed since the file was opened.
  private func isOfOtherContents(_ file: VectorFile) -> Bool {
    let now = try? store.read { database in
      let contents = try Int64.fetchAll(
        database, sql: "SELECT content_id FROM vector WHERE model_id = ? ORDER BY content_id",
        arguments: [model.id])
      return (revision: try model.revision(in: database), contents: contents)
    }
    guard let now, now.revision == file.revision else { return false }
    return now.contents != file.contentIDs.sorted()
  }

  /// Makes the file from the database, and removes what processes left that ended while they did.
  func rebuild() throws(ApusError) {
    // The folder may be anybody's, with what a browser has not yet loaded whole.
    NewFile.removeAbandoned(in: store.folder, startingWith: FileName.last(of: path))
    let builder = try VectorFileBuilder(replacing: path, width: model.width, model: digest)
    // Of the file that is written, which lies in the folder of the index: it is none of what was read.
    var failure: ApusError?
    let read = { (database: Database) throws -> Int64 in
      let rows = try Row.fetchCursor(
        database, sql: "SELECT content_id, v FROM vector WHERE model_id = ? ORDER BY id",
        arguments: [model.id])
      while let row = try rows.next() {
        let (content, bytes): (Int64, Data) = (try row.at(0), try row.at(1))
        guard let vector = StoredVector(bytes, width: model.width) else {
          throw ApusError(
            .file, "the vector of content \(content) has \(bytes.count) bytes", file: store.folder)
        }
        do throws(ApusError) {
          try builder.add(VectorRow(contentID: content, numbers: vector.values))
        } catch {
          if error.kind == .argument {
            throw ApusError(.file, error.problem, at: "content \(content)", file: store.folder)
          }
          failure = error
          throw error
        }
      }
      return try model.revision(in: database)
    }
    let revision: Int64
    do throws(ApusError) { revision = try store.read(repeats: false, read) } catch { throw failure ?? error }
    // Once it is known that all was read of one state.
    try builder.commit(revision: revision)
  }

  /// Adds what the database has now, by the last change of it.
  func append(_ rows: [VectorRow]) throws(ApusError) {
    guard !rows.isEmpty else { return }
    let revision = revision()
    let change = try VectorFile.append(
      rows, to: path, width: model.width, model: digest, from: revision &- 1, to: revision)
    if case .refused = change { try rebuild() }
  }

  /// Removes what the database has no more, by the last change of it.
  func remove(_ contents: Set<Int64>) throws(ApusError) {
    guard !contents.isEmpty else { return }
    let revision = revision()
    let change = try VectorFile.remove(
      contents, from: path, width: model.width, model: digest, from: revision &- 1, to: revision)
    if case .refused = change { try rebuild() }
  }
}
