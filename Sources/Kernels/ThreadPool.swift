import CIntrinsics
import CLibrary
import Dispatch
import Synchronization

/// The process's worker threads.
///
/// The caller always takes part, each thread does its share of the chunks and then helps with those of others, and a second
/// caller that finds the pool busy works alone: so more threads are never needed for progress. Shares lie in the order of
/// the chunks, so that a thread meets in its cache what it wrote of the node before. Workers spin briefly after a job,
/// because the next node of a model follows within microseconds, and then sleep. They are started by the first job that is
/// shared, and by the first in a process that was forked.
package final class ThreadPool: Sendable {
  package static let shared = ThreadPool(size: HostLimits.threads)

  /// The threads that can work at once, the caller among them.
  package let size: Int

  /// Even while a job is open, odd between jobs; a worker that saw the even number may join that job.
  private let epoch = Atomic<UInt64>(1)
  /// Workers that wait read the epoch all the time: what others write lies in other lines of the cache.
  private let distance = CacheLines()
  private let joined = Atomic<Int>(0)
  private let seats = Atomic<Int>(0)
  private let shares: [ChunkShare]
  private let finishedChunks = Atomic<Int>(0)
  private let busy = Atomic<Bool>(false)
  private let sleepers = Atomic<Int>(0)
  /// How many do work at the moment.
  private let working = Atomic<Int>(0)
  /// Whether the workers were started in this process.
  private let isStaffed = Atomic<Bool>(false)
  private let sharingPause = SharingPause()
  private let recorder = JobRecorder()
  private let job = JobSlot()
  private let gate = ThreadGate()

  package init(size: Int) {
    self.size = max(size, 1)
    shares = (0..<max(size, 1)).map { _ in ChunkShare() }
  }

  /// Workers that have to do with a job.
  var workersInside: Int { joined.load(ordering: .sequentiallyConsistent) }

  /// Takes it that there are no workers, in a process that was forked: the next job starts some. No job is open.
  func forgetWorkers() {
    isStaffed.store(false, ordering: .relaxed)
    joined.store(0, ordering: .relaxed)
    seats.store(0, ordering: .relaxed)
    sleepers.store(0, ordering: .relaxed)
    working.store(0, ordering: .relaxed)
    epoch.store(epoch.load(ordering: .relaxed) | 1, ordering: .relaxed)
    gate.forgetSleepers()
    busy.store(false, ordering: .releasing)
  }

  /// Does work, and tells which threads worked on the jobs that were shared meanwhile, and when. For one at a time; the jobs
  /// of other callers are among them.
  package func recordingParts<Value, Failure: Error>(
    _ work: () throws(Failure) -> Value
  ) throws(Failure) -> (Value, [JobPart]) {
    recorder.begin()
    defer { _ = recorder.take() }
    let value = try work()
    return (value, recorder.take())
  }

  /// Does work that calls the pool. While several are doing so, a job gets a thread less for each of the others: it would
  /// wait for threads that have no processor, and who finds the pool free would be done in half the time of who does not.
  package func working<Value>(_ work: () -> Value) -> Value {
    working.wrappingAdd(1, ordering: .relaxed)
    defer { working.wrappingSubtract(1, ordering: .relaxed) }
    return work()
  }

  /// The threads that a job gets now, its caller among them, which is taken for one of those that work.
  private var freeThreads: Int { size - max(0, working.load(ordering: .relaxed) - 1) }

  /// Calls `body` with ranges that cover `0..<count`, each about `grain` items or more; returns when all
  /// are done. The split between threads depends on `count` and `grain` only; one thread gets it whole.
  /// - Parameters:
  ///   - wakesSleepers: whether threads are woken for it; if not, it is for those that wait awake.
  ///   - makesWay: whether its caller holds no lock, and its chunks make way for a process that forks: then so does the
  ///     caller that waits for them.
  ///   - body: gets a range, and a number below `max(threads, 1)` that no other thread has at the
  ///     same time, to choose its working memory by.
  package func parallel(
    count: Int, grain: Int, threads: Int, wakesSleepers: Bool = true, makesWay: Bool = false,
    _ body: (_ range: Range<Int>, _ worker: Int) -> Void
  ) {
    guard count > 0 else { return }
    let chunks = Self.chunkCount(count: count, grain: grain)
    let threads = min(threads, freeThreads)
    guard chunks > 1, threads > 1, size > 1,
      wakesSleepers || sleepers.load(ordering: .relaxed) < size - 1,
      sharingPause.isOver(Self.now()),
      busy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    else {
      body(0..<count, 0)
      return
    }
    withoutActuallyEscaping(body) { body in
      run(
        Job(
          body: body, count: count, chunks: chunks, threads: min(threads, size), wakesSleepers: wakesSleepers,
          makesWay: makesWay, isRecorded: recorder.isOn))
    }
    busy.store(false, ordering: .releasing)
  }

  /// The same for items of which one takes about so many nanoseconds: chunks of a microsecond or more, no sharing of work
  /// that is done before another thread has begun, and no waking, which takes some ten microseconds of the caller's, for
  /// what is done in as many.
  package func parallel(
    count: Int, nanosecondsPerItem: Int, threads: Int, _ body: (_ range: Range<Int>, _ worker: Int) -> Void
  ) {
    let (total, overflow) = count.multipliedReportingOverflow(by: nanosecondsPerItem)
    func isShorter(than nanoseconds: Int) -> Bool { !overflow && total < nanoseconds }
    parallel(
      count: count, grain: max(1, 1500 / max(1, nanosecondsPerItem)),
      threads: isShorter(than: 3000) ? 1 : threads, wakesSleepers: !isShorter(than: 12_000), body)
  }

  /// At most 64 chunks, so that a result never depends on how many threads there are, and none smaller
  /// than the grain.
  static func chunkCount(count: Int, grain: Int) -> Int {
    min(64, max(1, count / max(grain, 1)))
  }

  private func run(_ work: Job) {
    if !isStaffed.load(ordering: .relaxed) {
      isStaffed.store(true, ordering: .relaxed)
      for number in 1..<size { startWorker(number) }
    }
    job.current = work
    for seat in 0..<work.threads {
      shares[seat].next.store(work.share(seat).lowerBound, ordering: .relaxed)
    }
    finishedChunks.store(0, ordering: .relaxed)
    seats.store(work.threads - 1, ordering: .relaxed)
    epoch.wrappingAdd(1, ordering: .sequentiallyConsistent)
    if work.wakesSleepers, sleepers.load(ordering: .sequentiallyConsistent) > 0 { gate.wakeAll() }
    let begin = Self.now()
    takePart(as: 0, thread: 0)
    let idle = work.isRecorded ? Self.now() : 0
    var spins = 0
    var end: UInt64 = 0
    func wait() {
      Self.pause()
      spins += 1
      // Some ten microseconds; most waits are over before, and need no clock.
      guard spins >= 512 else { return }
      if spins == 512 { end = Self.now() }
      if work.makesWay { ForkGate.pass() }
      // The other may be behind this thread on its own processor.
      sched_yield()
    }
    while finishedChunks.load(ordering: .acquiring) < work.chunks { wait() }
    epoch.wrappingAdd(1, ordering: .sequentiallyConsistent)
    // A worker that joined late may still be looking at the job; the closure dies only after it left.
    while joined.load(ordering: .sequentiallyConsistent) > 0 { wait() }
    job.current = nil
    if work.isRecorded {
      recorder.add(JobPart(thread: 0, activity: .wait, start: idle, end: Self.now()))
    }
    if end > 0 {
      let now = Self.now()
      sharingPause.note(worked: end - begin, waited: now - end, now: now)
    }
  }

  private func takePart(as worker: Int, thread: Int) {
    guard let work = job.current else { return }
    let begin = work.isRecorded ? Self.now() : 0
    var finished = 0
    for turn in 0..<work.threads {
      let seat = (worker + turn) % work.threads
      let end = work.share(seat).upperBound
      let share = shares[seat]
      var next = share.next.load(ordering: .relaxed)
      while next < end {
        // Half of what was left when last seen: few writes to what others read, and single chunks at the end.
        let claimed = max(1, (end - next) / 2)
        let first = share.next.wrappingAdd(claimed, ordering: .relaxed).oldValue
        next = first + claimed
        for chunk in first..<max(first, min(next, end)) {
          work.body(work.range(chunk), worker)
          finished += 1
        }
      }
    }
    guard finished > 0 else { return }
    // Before the job can be over, so that no part ends after it.
    if work.isRecorded {
      recorder.add(JobPart(thread: thread, activity: .work, start: begin, end: Self.now()))
    }
    finishedChunks.wrappingAdd(finished, ordering: .releasing)
  }

  private func startWorker(_ number: Int) {
    WorkerThread.start(stackByteCount: 1 << 20) { [self] in
      var seen: UInt64 = 1
      while true {
        seen = waitForJob(after: seen)
        joined.wrappingAdd(1, ordering: .sequentiallyConsistent)
        if epoch.load(ordering: .sequentiallyConsistent) == seen {
          let seat = seats.wrappingSubtract(1, ordering: .relaxed).oldValue
          if seat > 0 { takePart(as: seat, thread: number) }
        }
        joined.wrappingSubtract(1, ordering: .sequentiallyConsistent)
      }
    }
  }

  /// Returns the epoch of an open job other than `seen`: spins for about 50 µs, then sleeps.
  private func waitForJob(after seen: UInt64) -> UInt64 {
    var deadline = Self.now() + 50_000
    var spins = 0
    while true {
      let now = epoch.load(ordering: .acquiring)
      if now != seen, now % 2 == 0 { return now }
      Self.pause()
      spins += 1
      guard spins % 64 == 0 else { continue }
      // Its caller may be behind this thread on its own processor.
      if spins >= 512 { sched_yield() }
      guard Self.now() > deadline else { continue }
      sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
      gate.sleep {
        let now = epoch.load(ordering: .sequentiallyConsistent)
        return now == seen || now % 2 == 1
      }
      sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
      deadline = Self.now() + 50_000
    }
  }

  private static func now() -> UInt64 { DispatchTime.now().uptimeNanoseconds }

  @inline(__always) private static func pause() { _ = apus_pause() }
}

/// Two lines of the cache, because processors fetch lines in pairs.
private struct CacheLines {
  private let words: (SIMD8<UInt64>, SIMD8<UInt64>) = (.zero, .zero)
}

/// How far the chunks that one thread begins with are given out, in lines of the cache of its own.
private final class ChunkShare: Sendable {
  private let before = CacheLines()
  let next = Atomic<Int>(0)
  private let after = CacheLines()
}

/// Work to be done in chunks.
private struct Job {
  let body: (Range<Int>, Int) -> Void
  let count: Int
  let chunks: Int
  /// How many may take part.
  let threads: Int
  let wakesSleepers: Bool
  let makesWay: Bool
  let isRecorded: Bool

  /// The chunks that a thread begins with.
  func share(_ seat: Int) -> Range<Int> { (chunks * seat / threads)..<(chunks * (seat + 1) / threads) }

  /// Products stay below `count` × 64.
  func range(_ chunk: Int) -> Range<Int> { (count * chunk / chunks)..<(count * (chunk + 1) / chunks) }
}

/// The job in progress. Written by the caller that owns the pool before it opens the epoch, read by workers
/// that joined it: the epoch's ordering makes that safe.
private final class JobSlot: @unchecked Sendable {
  var current: Job?
}
