import Apus
import CLibrary
import Kernels
import Synchronization
import TensorCore
import TestSupport
import Testing

@testable import ApusService

struct MemoryPressureTests {
  private typealias Level = MemoryPressure.Level

  @Test func theShareDecides() {
    var gauge = PressureGauge(MemoryPressure.Options())
    let levels = [0.5, 0.84, 0.85, 0.94, 0.95, 1.2].map { share in
      gauge.note(share: share)
      return gauge.level(at: .now)
    }
    #expect(levels == [.normal, .normal, .warning, .warning, .critical, .critical])
  }

  /// A share that goes to and fro about a threshold changes the level once.
  @Test func levelsEndOnlyWhenTheShareHasGoneBackByTheMargin() {
    var gauge = PressureGauge(MemoryPressure.Options())
    let levels = [0.96, 0.94, 0.96, 0.91, 0.89, 0.86, 0.84, 0.81, 0.79, 0.84].map { share in
      gauge.note(share: share)
      return gauge.level(at: .now)
    }
    #expect(
      levels == [
        .critical, .critical, .critical, .critical, .warning, .warning, .warning, .warning, .normal, .normal,
      ])
  }

  @Test func aShareThatFallsFarEndsAllLevels() {
    var gauge = PressureGauge(MemoryPressure.Options())
    gauge.note(share: 0.99)
    gauge.note(share: 0.2)
    #expect(gauge.level(at: .now) == .normal)
  }

  @Test func wordsOfTheKernelLastAWhile() {
    var gauge = PressureGauge(MemoryPressure.Options())
    let start = ContinuousClock.now
    gauge.note(share: 0.1)
    gauge.note(.critical, at: start)
    gauge.note(.warning, at: start + .seconds(3))
    #expect(gauge.level(at: start + .seconds(4)) == .critical)
    #expect(gauge.level(at: start + .seconds(6)) == .warning)
    #expect(gauge.level(at: start + .seconds(8)) == .normal)
  }

  /// Whatever happens, the level is at least what the share alone says, and never one that nothing called for.
  @Test func levelsFollowFromWhatWasSeen() {
    var random = SeededRandom(seed: 16)
    var gauge = PressureGauge(MemoryPressure.Options())
    var now = ContinuousClock.now
    var lastWord: [Level: ContinuousClock.Instant] = [:]
    for _ in 0..<10_000 {
      now += .milliseconds(Int.random(in: 0...3000, using: &random))
      let share = Double.random(in: 0...1.1, using: &random)
      gauge.note(share: share)
      if Bool.random(using: &random) {
        let level: Level = Bool.random(using: &random) ? .warning : .critical
        gauge.note(level, at: now)
        lastWord[level] = now
      }
      let level = gauge.level(at: now)
      let spoken = lastWord.filter { now - $0.value < .seconds(5) }.keys.max() ?? .normal
      #expect(level >= spoken)
      #expect(level >= (share >= 0.95 ? .critical : share >= 0.85 ? .warning : .normal))
      #expect(level <= max(spoken, share >= 0.9 ? .critical : share >= 0.8 ? .warning : .normal))
    }
  }

  /// Shares that a test sets.
  private final class Shares: Sendable {
    private let share: Mutex<Double>
    init(_ share: Double) { self.share = Mutex(share) }
    func set(_ new: Double) { share.withLock { $0 = new } }
    var value: Double { share.withLock(\.self) }
  }

  private var quick: MemoryPressure.Options {
    var options = MemoryPressure.Options()
    options.interval = .milliseconds(5)
    options.calm = .milliseconds(50)
    return options
  }

  @Test(.timeLimit(.minutes(20))) func changesAreTold() async {
    let shares = Shares(0.5)
    var levels = PressureWatch.levels(quick, triggers: [], share: { shares.value }).makeAsyncIterator()
    #expect(await levels.next() == .normal)
    shares.set(0.99)
    #expect(await levels.next() == .critical)
    shares.set(0.88)
    #expect(await levels.next() == .warning)
    shares.set(0.1)
    #expect(await levels.next() == .normal)
  }

  /// What is looked at holds the shares until the watch's thread has ended.
  @Test(.timeLimit(.minutes(20))) func theThreadEndsWithTheStream() async {
    weak var held: Shares?
    do {
      let shares = Shares(0.99)
      held = shares
      for await _ in PressureWatch.levels(quick, triggers: [], share: { shares.value }) { break }
    }
    while held != nil { await Task.yield() }
    #expect(held == nil)
  }

  /// Where the system grants none.
  @Test(.timeLimit(.minutes(20))) func withoutAThreadSharesAreLookedAt() async {
    weak var held: Shares?
    do {
      let shares = Shares(0.5)
      held = shares
      let stream = PressureWatch.levels(
        quick, triggers: [], start: { _ in false }, share: { shares.value })
      var levels = stream.makeAsyncIterator()
      #expect(await levels.next() == .normal)
      shares.set(0.99)
      #expect(await levels.next() == .critical)
      shares.set(0.1)
      #expect(await levels.next() == .normal)
    }
    while held != nil { await Task.yield() }
    #expect(held == nil)
  }

  /// More than Dispatch has threads for: other work goes on beside them.
  @Test(.timeLimit(.minutes(20))) func manyWatchesKeepNobodyWaiting() async {
    var watches: [AsyncStream<MemoryPressure.Level>.Iterator] = []
    for _ in 0..<300 {
      let levels = PressureWatch.levels(MemoryPressure.Options(), triggers: [], share: { 0.1 })
      watches.append(levels.makeAsyncIterator())
    }
    for index in watches.indices { #expect(await watches[index].next() == .normal) }
    let answer = await WorkerThreads.run { _ in 1 }
    #expect(answer == 1)
  }

  /// The protocol of a manager of services: a pipe that it writes to.
  @Test(.timeLimit(.minutes(20))) func theManagersWordIsTaken() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pressure"
    #expect(mkfifo(path, 0o600) == 0)
    let triggers = PressureTrigger.all(in: ["MEMORY_PRESSURE_WATCH": path])
    #expect(triggers.map(\.path) == [path])
    var options = quick
    // So that the level does not end while a busy machine keeps the test waiting.
    options.calm = .seconds(1000)
    var levels = PressureWatch.levels(options, triggers: triggers, share: { 0.1 }).makeAsyncIterator()
    #expect(await levels.next() == .normal)
    let pipe = open(path, O_WRONLY)
    defer { close(pipe) }
    #expect(write(pipe, "1", 1) == 1)
    #expect(await levels.next() == .warning)
  }

  @Test func whatIsToBeWrittenIsWritten() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("memory.pressure", "")
    // `some 100000 1000000` and a byte of zero.
    let words = "c29tZSAxMDAwMDAgMTAwMDAwMAA="
    let triggers = PressureTrigger.all(
      in: ["MEMORY_PRESSURE_WATCH": path, "MEMORY_PRESSURE_WRITE": words])
    #expect(triggers.map(\.level) == [.warning])
    #expect(try FileBytes.read(path) == Array("some 100000 1000000".utf8) + [0])
  }

  @Test func theManagerMayTurnItOff() {
    #expect(PressureTrigger.all(in: ["MEMORY_PRESSURE_WATCH": "/dev/null"]).isEmpty)
  }

  private func unified(_ folder: TemporaryFolder) -> ControlGroups {
    ControlGroups(
      of: "memory", memberships: "0::/", mounts: "1 2 0:3 / \(folder.path) rw - cgroup2 cgroup2 rw")
  }

  @Test func theOwnGroupComesBeforeTheMachine() throws {
    let (group, machine) = (try TemporaryFolder(), try TemporaryFolder())
    let whole = try machine.write("memory", "")
    #expect(
      PressureTrigger.all(in: [:], groups: unified(group), machine: whole).allSatisfy { $0.path == whole })
    let own = try group.write("memory.pressure", "")
    let triggers = PressureTrigger.all(in: [:], groups: unified(group), machine: whole)
    #expect(triggers.map(\.level) == [.warning, .critical])
    #expect(triggers.allSatisfy { $0.path == own })
  }

  @Test func withoutAnythingToWatchSharesAreLeft() throws {
    let folder = try TemporaryFolder()
    for watch in ["", "/nowhere/at/all", folder.path] {
      let triggers = PressureTrigger.all(
        in: ["MEMORY_PRESSURE_WATCH": watch, "MEMORY_PRESSURE_WRITE": "no base64"], groups: unified(folder),
        machine: "/nowhere")
      #expect(triggers.isEmpty)
    }
  }
}
