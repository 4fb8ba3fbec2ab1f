import FoundationEssentials
import GRDB
import TensorCore

extension PhotoIndex {
  /// Holds everything that the index has to what it must be, which reads all of it. The file that searches read is made
  /// anew where it is not what the database says.
  /// - Returns: what was wrong, each in a sentence; nothing when all is sound.
  /// - Throws: ``ApusError`` of kind `file` when the index cannot be read at all.
  public func check() throws(ApusError) -> [String] {
    var problems = try store.read { database in
      var problems = try String.fetchAll(database, sql: "PRAGMA integrity_check").filter { $0 != "ok" }.map {
        "index.sqlite: \($0)."
      }
      let orphans = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").count
      if orphans > 0 { problems.append("index.sqlite: \(orphans) rows belong to nothing.") }
      for model in try StoredModel.all(in: database) {
        let sizes = StoredVector.byteCounts(width: model.width)
        let wrong = try Int.fetchOne(
          database, sql: "SELECT count(*) FROM vector WHERE model_id = ? AND length(v) NOT IN (?, ?)",
          arguments: [model.id] + StatementArguments(sizes))
        if let wrong, wrong > 0 {
          problems.append("index.sqlite: \(wrong) vectors of \(model.name) have another width.")
        }
      }
      return problems
    }
    for model in try store.read({ try StoredModel.all(in: $0) }) {
      let vectors = StoredVectors(store, model)
      guard let fault = vectors.fault() else { continue }
      let lock = try StoreLock(folder)
      try withExtendedLifetime(lock) { () throws(ApusError) in
        try store.checkIdentity()
        try vectors.rebuild()
      }
      problems.append("\(vectors.path) \(fault); it was made anew.")
    }
    return problems
  }
}
