import Apus
import TensorCore

/// Reads the files of an indexing, and writes what comes of them.
///
/// The index knows of each file that it is being read before it is: one that ends the process, by the memory that it takes or
/// by a fault of a library, is known by the next indexing. Files that a process was at when it was ended, of which most only
/// waited, come behind all others: first as many at a time as are read, and what a process was ended at again alone. They are
/// left out when that ends processes, too. That costs no time: what is done and what is begun is written in one transaction.
struct ReadingRun {
  /// A file to be read, and the root that it lies below.
  struct Job: Sendable {
    let root: StoredRoot
    let item: IndexPlan.Item

    /// From `/`.
    var path: String { root.path(of: item.path) }
  }

  /// A commit after so many files, or so many seconds.
  private static let commit = (files: 64, seconds: 1.0)

  private let store: PhotoStore
  private let reader: PictureReader
  /// How many files are read at a time.
  private let width: Int
  private let report: @Sendable (IndexEvent) -> Void
  private var writer: IndexWriter
  private var gone: GoneFiles
  private(set) var progress: IndexProgress
  private let start = ContinuousClock.now
  private var buffer: [IndexWriter.Entry] = []
  /// Files that one process was ended at, which was at others as well.
  private var suspected: [Job] = []
  /// Files that are read behind all others, one at a time.
  private var alone: [Job] = []

  init(
    _ store: PhotoStore, _ reader: PictureReader, width: Int, _ writer: IndexWriter, _ gone: GoneFiles,
    _ progress: IndexProgress, report: @escaping @Sendable (IndexEvent) -> Void
  ) {
    (self.store, self.reader, self.width, self.writer) = (store, reader, width, writer)
    (self.gone, self.progress, self.report) = (gone, progress, report)
  }

  /// Reads files in their order, but for those that are put aside.
  /// - Throws: ``ApusError``: `cancelled` when what was done by then is written, or when the index cannot be.
  mutating func read(_ jobs: [Job]) async throws(ApusError) {
    guard !jobs.isEmpty else { return report(.progress(progress)) }
    // Whatever ends the reading in order, no file did.
    defer { _ = try? store.write { try StoredReading.leave(in: $0) } }
    let together = try sorted(jobs)
    try await readTogether(together)
    try await readSuspected()
    // Copies of what there was no memory for.
    alone += writer.takeWaiting().map(\.job)
    try await readAlone()
    guard !Task.isCancelled else {
      throw ApusError(.cancelled, "the indexing was stopped; what was done is kept")
    }
  }

  /// The files of which nothing is known but that they are there; what is left out is written at once.
  private mutating func sorted(_ jobs: [Job]) throws(ApusError) -> [Job] {
    let ends = try store.read { try StoredReading.ends(in: $0) }
    guard !ends.isEmpty else { return jobs }
    var together: [Job] = []
    for job in jobs {
      switch ends[job.item.stamp] ?? 0 {
      case 0: together.append(job)
      case 1: suspected.append(job)
      case StoredReading.mostEnds...:
        buffer.append(IndexWriter.Entry(job: job, item: job.item, reading: .leftOut(Self.leftOut)))
      default: alone.append(job)
      }
    }
    alone = alone.enumerated().sorted {
      let (first, second) = (ends[$0.element.item.stamp] ?? 0, ends[$1.element.item.stamp] ?? 0)
      return first == second ? $0.offset < $1.offset : first < second
    }.map(\.element)
    let aside = suspected.count + alone.count
    if aside > 0 { report(.putAside(files: aside)) }
    return together
  }

  private static var leftOut: ApusError {
    ApusError(
      .resources,
      "left out, as indexing was ended \(StoredReading.mostEnds) times while it read this file, twice nothing else: it is "
        + "read again when it changes, or once with \(Setting.retriesLeftOut)")
  }

  private mutating func readTogether(_ jobs: [Job]) async throws(ApusError) {
    // As many as are read, or wait to be written.
    var begun = min(jobs.count, Self.commit.files + width)
    var done = 0
    try write(beginning: jobs[..<begun])
    var written = ContinuousClock.now
    for await entry in jobs.orderedMap(width: width, { [reader] in await Self.entry($0, reader) }) {
      let entry = try entry.get()
      done += 1
      keep(entry)
      let now = ContinuousClock.now
      guard buffer.count >= Self.commit.files || now - written >= .seconds(Self.commit.seconds) else {
        continue
      }
      let end = min(jobs.count, done + Self.commit.files + width)
      try write(beginning: jobs[begun..<max(begun, end)])
      (begun, written) = (max(begun, end), now)
    }
    try write(beginning: [])
  }

  /// Keeps what came of a file to be written, or the file to be read when nothing else is.
  private mutating func keep(_ entry: IndexWriter.Entry) {
    if case .unreadable(let error) = entry.reading, error.kind == .resources {
      // There may be memory for it then.
      alone.append(entry.job)
    } else {
      buffer.append(entry)
    }
  }

  /// As many at a time as are read, so that none of them only waits when the process is ended.
  private mutating func readSuspected() async throws(ApusError) {
    for start in stride(from: 0, to: suspected.count, by: width) where !Task.isCancelled {
      let group = suspected[start..<min(start + width, suspected.count)]
      try write(beginning: group)
      for await entry in group.orderedMap(width: width, { [reader] in await Self.entry($0, reader) }) {
        keep(try entry.get())
      }
    }
    try write(beginning: [])
  }

  private mutating func readAlone() async throws(ApusError) {
    for job in alone where !Task.isCancelled {
      try write(beginning: [job])
      buffer.append(try await Self.entry(job, reader).get())
    }
    try write(beginning: [])
  }

  private static func entry(_ job: Job, _ reader: PictureReader) async -> Result<IndexWriter.Entry, ApusError>
  {
    await reader.reading(job.path).map { outcome in
      let item = outcome.version.map { IndexPlan.Item(path: job.item.path, $0) } ?? job.item
      return IndexWriter.Entry(job: job, item: item, reading: outcome.reading)
    }
  }

  /// Writes what waits, and which files are read next.
  private mutating func write(beginning next: some Collection<Job>) throws(ApusError) {
    guard !buffer.isEmpty || !next.isEmpty else { return }
    for (entry, outcome) in try writer.write(buffer, beginning: next.map(\.item.stamp), &gone) {
      count(outcome, of: entry.path)
    }
    buffer.removeAll()
    progress.missing = gone.count
    progress.seconds = (ContinuousClock.now - start) / .seconds(1)
    report(.progress(progress))
  }

  private mutating func count(_ outcome: IndexWriter.Outcome, of path: String) {
    progress.done += 1
    switch outcome {
    case .embedded: progress.embedded += 1
    case .known: progress.known += 1
    case .failed(let error):
      progress.failed += 1
      report(.failure(path: path, error))
    }
  }
}
