import GRDB
import Kernels
import TensorCore

extension PhotoIndex {
  /// Photographs that are one, or alike, in groups: of the files that can be read and are on the disk as they were when
  /// they were indexed, so that none that is lost makes copies of it look like others.
  /// - Parameters:
  ///   - level: what they have in common.
  ///   - model: the model whose vectors are compared, if the index has several; nil for the one used last.
  ///   - least: the least cosine of ``DuplicateLevel/alike``.
  ///   - readsFiles: whether every file of each group is read whole, as a program that removes some of them needs: one
  ///     that cannot be read, or has other bytes than when it was indexed, is left out, and groups are formed without it.
  /// - Throws: ``ApusError``: kind `file` when the index cannot be read, `argument` for a model that nothing was indexed
  ///   with or a cosine that is none.
  public func duplicates(
    _ level: DuplicateLevel, model: String? = nil, atLeast least: Float = 0.95, readsFiles: Bool = false
  ) throws(ApusError) -> FoundDuplicates {
    var reader: OfferedFiles.Reader?
    if readsFiles { reader = { OfferedFiles.fromDisk($0, $1) } }
    return try duplicates(level, model: model, atLeast: least, reading: reader)
  }

  /// - Parameter reader: reads each file of a group; nil to read none.
  func duplicates(
    _ level: DuplicateLevel, model: String? = nil, atLeast least: Float = 0.95,
    reading reader: OfferedFiles.Reader?
  ) throws(ApusError) -> FoundDuplicates {
    let (all, unread) = try store.read { database in
      (try ComparedPicture.all(in: database), try ComparedPicture.unreadFiles(in: database))
    }
    let (pictures, leftOut) = ComparedPicture.atHand(all)
    let grouped = try grouping(of: pictures, level, model: model, atLeast: least)
    guard let reader else {
      return FoundDuplicates(groups: try grouped(pictures), leftOut: leftOut + unread)
    }
    var offered = OfferedFiles(reading: reader) { [store] (content) throws(ApusError) in
      try store.read { try ContentKey.find(content, in: $0) }
    }
    let groups = try offered.groups(of: pictures, grouped)
    return FoundDuplicates(
      groups: groups, leftOut: leftOut + unread + offered.unsound.count, unsound: offered.unsound)
  }

  /// Groups pictures, or some of them.
  private func grouping(
    of pictures: [ComparedPicture], _ level: DuplicateLevel, model: String?, atLeast least: Float
  ) throws(ApusError) -> ([ComparedPicture]) throws(ApusError) -> [DuplicateGroup] {
    guard level != .sameBytes else {
      return { (pictures) throws(ApusError) in Duplicates.sameBytes(pictures) }
    }
    guard (-1...1).contains(least) else {
      throw ApusError(.argument, "a least cosine of \(least)", expected: "a number from -1 to 1")
    }
    let stored = try StoredModel.named(model, in: store)
    guard level == .alike else {
      return { (left) throws(ApusError) in try self.samePicture(left, stored) }
    }
    // Those of fewer pictures are among them.
    let pairs = try nearPairs(pictures, stored, atLeast: least)
    return { (left) throws(ApusError) in
      let same = try self.samePicture(left, stored)
      return Duplicates.alike(left, pairs: pairs, atLeast: least, besides: same)
    }
  }

  private func samePicture(
    _ pictures: [ComparedPicture], _ model: StoredModel
  ) throws(ApusError) -> [DuplicateGroup] {
    try Duplicates.samePicture(pictures, DuplicateLimits()) { (one, other) throws(ApusError) in
      try store.read { database in
        guard let a = try StoredVector.find(one, by: model, in: database),
          let b = try StoredVector.find(other, by: model, in: database)
        else { return nil }
        return VectorRanking.cosine(a.values, b.values)
      }
    }
  }

  /// How many photographs are compared with all others in one pass over them.
  private static let queriesOfPass = 16
  /// The most that are alike to one of them.
  private static let mostAlike = 80

  /// Pairs of photographs whose vectors are near: every one is looked for among all.
  private func nearPairs(
    _ pictures: [ComparedPicture], _ model: StoredModel, atLeast least: Float
  ) throws(ApusError) -> [(Int64, Int64, cosine: Float)] {
    let vectors = try StoredVectors(store, model).open()
    var pairs: [(Int64, Int64, cosine: Float)] = []
    for start in stride(from: 0, to: pictures.count, by: Self.queriesOfPass) {
      let contents = pictures[start..<min(start + Self.queriesOfPass, pictures.count)].map(\.content)
      let queries = try store.read { database in
        try contents.compactMap { content in
          try StoredVector.find(content, by: model, in: database).map { (content, $0.values) }
        }
      }
      let nearest = try vectors.nearest(
        to: queries.map(\.1), count: Self.mostAlike, threads: HostLimits.threads)
      for ((content, query), candidates) in zip(queries, nearest) {
        let near = try store.read { database -> [(Int64, Int64, cosine: Float)] in
          var near: [(Int64, Int64, cosine: Float)] = []
          for candidate in candidates.elements
          where candidate.contentID != content && candidate.score >= least - candidates.uncertainty {
            guard let vector = try StoredVector.find(candidate.contentID, by: model, in: database) else {
              continue
            }
            let cosine = VectorRanking.cosine(query, vector.values)
            if cosine >= least { near.append((content, candidate.contentID, cosine)) }
          }
          return near
        }
        pairs += near
      }
    }
    return pairs
  }
}

extension ComparedPicture {
  /// How many files were there when their folders were last indexed, and could never be read.
  static func unreadFiles(in database: Database) throws -> Int {
    try Int.fetchOne(
      database,
      sql: """
        SELECT count(*) FROM file
        WHERE content_id IS NULL AND error IS NOT NULL AND missing_since IS NULL
        """) ?? 0
  }

  /// All photographs of which a file was there when its folder was last indexed.
  static func all(in database: Database) throws -> [ComparedPicture] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT content.id, width, height, bytes, hash, taken_at, root.path, file.path, file.device, inode, modified,
          file.error IS NOT NULL
        FROM content JOIN file ON file.content_id = content.id JOIN root ON root.id = file.root_id
        WHERE content.error IS NULL AND missing_since IS NULL ORDER BY content.id
        """)
    var pictures: [ComparedPicture] = []
    var (files, last): ([File], Row?) = ([], nil)
    func finish() throws {
      guard let row = last else { return }
      let hash: Int64? = try row.at(4)
      pictures.append(
        try ComparedPicture(
          content: row.at(0), files: files, width: row.at(1) ?? 0, height: row.at(2) ?? 0,
          byteCount: row.at(3),
          hash: hash.map { UInt64(bitPattern: $0) }, takenAt: row.at(5)))
    }
    while let row = try rows.next() {
      if let previous = last, try previous.at(0) as Int64 != row.at(0) as Int64 {
        try finish()
        files = []
      }
      files.append(
        try File(
          path: StoredRoot.path(row.at(6), row.at(7)), device: row.at(8), inode: row.at(9),
          modified: row.at(10), isFailed: row.at(11)))
      last = row.copy()
    }
    try finish()
    return pictures
  }
}
