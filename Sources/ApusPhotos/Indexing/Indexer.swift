import Apus
import CLibrary
import GRDB
import Images
import TensorCore

/// One indexing: walks folders, reads what is new, and writes it as it comes.
struct Indexer {
  private let store: PhotoStore
  private let model: PhotoModel
  private let stored: StoredModel
  private let options: IndexOptions
  private let conditions: DecodingConditions
  private let report: @Sendable (IndexEvent) -> Void
  private var progress = IndexProgress()
  private var jobs: [ReadingRun.Job] = []
  private var gone = GoneFiles()
  /// Folders and files that were looked through.
  private var scanned: Set<ExactText> = []

  init(
    _ store: PhotoStore, _ model: PhotoModel, _ options: IndexOptions,
    report: @escaping @Sendable (IndexEvent) -> Void
  ) throws(ApusError) {
    (self.store, self.model, self.options, self.report) = (store, model, options, report)
    conditions = DecodingConditions(options.limits)
    // A folder keeps its patterns: one that means nothing must not get there.
    _ = try Exclusions(adding: options.excluded)
    try store.bringUp()
    stored = try store.write { database in
      try StoredReading.settle(again: options.retriesLeftOut, in: database)
      return try model.stored.store(at: Self.now, in: database)
    }
  }

  private static var now: Int64 { Int64(time(nil)) }

  /// Compares a folder with the index, and writes all that needs no reading. A folder comes before those in it.
  mutating func scan(_ folder: String) throws(ApusError) {
    if let refused = try refusedRoot(in: folder) {
      report(.kept(folder: refused.path, reason: RootState.otherDisk.reason))
      return
    }
    let (root, below) = try store.write { [options] in
      try StoredRoot.containing(folder, excluded: options.excluded, inherits: true, in: $0)
    }
    let exclusions = try Exclusions(adding: root.excluded + options.excluded)
    guard !wasScanned(folder, below, leavingOut: exclusions) else { return }
    scanned.insert(ExactText(folder))
    report(.walking(folder))
    // Held open from when it is asked until it is walked: its disk may be unmounted at any moment.
    let place = WalkRoot(root.path, knownOn: root.disk)
    guard try !isRefused(root, place) else {
      report(.kept(folder: folder, reason: RootState.otherDisk.reason))
      return
    }
    let parts = try RootParts(
      of: root, in: place, on: place.disk, around: below, takesOtherDisks: options.takesOtherDisks, store)
    if let kept = parts.keptPart(around: below) {
      report(.kept(folder: folder, reason: kept.state.reason))
      return
    }
    for kept in parts.kept { report(.kept(folder: root.path(of: kept.path), reason: kept.state.reason)) }
    let walk = PictureWalk(
      below.isEmpty ? place : WalkRoot(below, in: place),
      WalkOptions(exclusions, below: below, leftAlone: Set(parts.kept.map { FileName.bytes($0.path) })))
    let plan = try plan(root, below, walk, parts)
    try settle(plan, root, walk, parts, isWhole: below.isEmpty)
    note(plan, of: root)
  }

  /// The work for a folder of a root, from the index's entries and a walk.
  private mutating func plan(
    _ root: StoredRoot, _ below: String, _ walk: PictureWalk, _ parts: RootParts
  ) throws(ApusError) -> IndexPlan {
    let (known, unfinished, failed) = try store.read { [stored, conditions] in
      (
        try StoredFile.all(of: root.id, below: below, in: $0),
        try StoredContent.unfinished(of: root.id, below: below, by: stored.id, under: conditions, in: $0),
        try FailedFiles(of: root.id, below: below, in: $0)
      )
    }
    var plan = IndexPlan(known: known, unfinished: unfinished, failed: failed)
    while let walked = try walk.next() {
      plan.add(walked, below: below, of: options.shard)
      progress.failed += walked.failures.count
      for failure in walked.failures {
        report(.failure(path: StoredRoot.path(walk.path, failure.path), failure.error))
      }
    }
    for kept in parts.kept { plan.leave(kept.path) }
    for (part, disk) in parts.present { plan.renumber(part.disk.device, as: disk.device) }
    return plan
  }

  private mutating func note(_ plan: IndexPlan, of root: StoredRoot) {
    progress.found += plan.unchanged + plan.moved.count + plan.toRead.count
    progress.unchanged += plan.unchanged
    for (ending, kind) in plan.passedOver {
      if kind == .video { progress.videos.add(ending) } else { progress.raw.add(ending) }
    }
    progress.done += plan.moved.count
    progress.total += plan.moved.count + plan.toRead.count
    jobs += plan.toRead.map { ReadingRun.Job(root: root, item: $0) }
  }

  /// Whether a folder that was looked through holds a path, and does not leave it out.
  private func wasScanned(_ path: String, _ below: String, leavingOut exclusions: Exclusions) -> Bool {
    guard !scanned.contains(ExactText(path)) else { return true }
    let isFolder = FileSystem.isFolder(path)
    guard isFolder || MediaKind(path) == .photograph, !exclusions.excludes(below, isFolder: isFolder) else {
      return false
    }
    var folder = path
    while folder.utf8.count > 1 {
      folder = FileName.folder(of: folder)
      if scanned.contains(ExactText(folder)) { return true }
    }
    return false
  }

  /// A root that would become a part of a folder around it, and where another disk is now.
  private func refusedRoot(in folder: String) throws(ApusError) -> StoredRoot? {
    let roots = try store.read { try StoredRoot.all(in: $0) }
    for root in roots {
      guard let below = ExactText(root.path).below(folder), !below.isEmpty else { continue }
      if try isRefused(root, WalkRoot(root.path, knownOn: root.disk)) { return root }
    }
    return nil
  }

  /// Whether another disk is where a root was, without permission to replace it. A disk with the files of the index is the
  /// same disk under another number, or a copy.
  private func isRefused(_ root: StoredRoot, _ place: WalkRoot) throws(ApusError) -> Bool {
    guard place.state == .otherDisk, !options.takesOtherDisks, let disk = root.disk else { return false }
    return try store.read { try !StoredFile.lie(in: place, of: root, knownOn: disk, in: $0) }
  }

  /// Writes what was renamed, found again, or is missing.
  /// - Parameter isWhole: whether all of the root was walked.
  private mutating func settle(
    _ plan: IndexPlan, _ root: StoredRoot, _ walk: PictureWalk, _ parts: RootParts, isWhole: Bool
  ) throws(ApusError) {
    let isThere = Self.isThere(walk.state, isWhole: isWhole)
    if !isThere { report(.kept(folder: walk.path, reason: walk.state.reason)) }
    let old = isThere && isWhole ? root.disk?.device : nil
    var plan = plan
    if let old, let disk = walk.disk { plan.renumber(old, as: disk.device) }
    let exclusions = try Exclusions(adding: root.excluded)
    let missing = isThere ? plan.missing(leavingOut: exclusions, of: options.shard) : []
    for file in missing {
      gone.add(file, isOnDisk: walk.state != .otherDisk && !options.takesOtherDisks)
    }
    let (forgotten, broken, gone) = try store.write { [options, plan, gone] database in
      var gone = gone
      // Before what is on another disk, which may have the number that this one had.
      if let old, let disk = walk.disk, old != disk.device {
        try StoredFile.move(
          of: root.id, but: parts.paths, fromDevice: old, to: disk.device, in: database)
      }
      try parts.store(of: root, in: database)
      for (id, device) in plan.renumbered { try StoredFile.move(id, to: device, in: database) }
      try StoredFile.mark(plan.found, missingSince: nil, in: database)
      try StoredFile.mark(missing.map(\.id), missingSince: Self.now, in: database)
      let broken = try Self.write(plan.moved, of: root, &gone, in: database)
      guard isThere, isWhole, let disk = walk.disk else { return (Forgotten(), broken, gone) }
      let kept = parts.kept.map(\.path)
      try root.scanned(on: disk, at: Self.now, but: kept, in: database)
      try StoredFile.dateMissing(of: root.id, at: Self.now, in: database)
      guard let time = options.forgetsAfter else { return (Forgotten(), broken, gone) }
      let (limit, isTooLate) = Self.now.subtractingReportingOverflow(time.components.seconds)
      let forgotten = try Forgotten(
        missingBefore: isTooLate ? .max : limit, of: root.id, but: kept, in: database)
      return (forgotten, broken, gone)
    }
    self.gone = gone
    count(broken, of: plan.moved.count)
    progress.forgotten += forgotten.files
    for model in forgotten.models { try StoredVectors(store, model).remove(forgotten.contents) }
  }

  /// Writes what has another name now; what it was renamed from is forgotten.
  /// - Returns: those that are no pictures that can be read, with the reason.
  private static func write(
    _ moved: [(item: IndexPlan.Item, content: Int64)], of root: StoredRoot, _ gone: inout GoneFiles,
    in database: Database
  ) throws -> [(path: String, error: String)] {
    var broken: [(path: String, error: String)] = []
    for (item, content) in moved {
      try StoredFile.store(item, of: root.id, content: content, in: database)
      if let old = gone.take(content) { try StoredFile.remove(old, in: database) }
      if let error = try StoredContent.error(of: content, in: database) {
        broken.append((root.path(of: item.path), error))
      }
    }
    return broken
  }

  private mutating func count(_ broken: [(path: String, error: String)], of moved: Int) {
    progress.missing = gone.count
    progress.known += moved - broken.count
    progress.failed += broken.count
    for (path, error) in broken { report(.failure(path: path, ApusError(.image, error))) }
  }

  /// Whether what was not found may be gone. Another disk that is walked was recognized or taken; a folder below a root may
  /// be empty, as files of a disk that is not mounted there are known by its number.
  private static func isThere(_ state: RootState, isWhole: Bool) -> Bool {
    switch state {
    case .present, .otherDisk: true
    case .empty: !isWhole
    case .absent: false
    }
  }

  /// Reads what is new or changed, the newest first.
  /// - Throws: ``ApusError``: `cancelled` when what was done by then is written, or when the index cannot be.
  mutating func read() async throws(ApusError) -> IndexProgress {
    jobs.sort {
      $0.item.stamp.modified == $1.item.stamp.modified
        ? $0.path.utf8.lexicographicallyPrecedes($1.path.utf8)
        : $0.item.stamp.modified > $1.item.stamp.modified
    }
    let width = max(1, options.width ?? WorkerThreads.count)
    let reader = PictureReader(
      model, id: stored.id, store, options.limits, conditions, ReadingMemory(width: width))
    var run = ReadingRun(
      store, reader, width: width, try IndexWriter(store, model: stored, under: conditions), gone, progress,
      report: report)
    try await run.read(jobs)
    return run.progress
  }
}
