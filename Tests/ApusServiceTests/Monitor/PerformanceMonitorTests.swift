import Apus
import Dispatch
import TestSupport
import Testing

@testable import ApusService

/// What was recorded is found where it belongs: in its stage, in each window for as long as it says, in the total for ever.
@Suite struct PerformanceMonitorTests {
  private let clock = FakeClock()

  @Test func runsLeaveWindowsAsTimePasses() throws {
    let monitor = clock.monitor
    monitor.recorder(for: "leaf").record(10, milliseconds: 20)
    let expected: [(after: Double, runs: [PerformanceWindow: UInt64])] = [
      (0, [.minute: 10, .fiveMinutes: 10, .hour: 10]), (54, [.minute: 10, .fiveMinutes: 10, .hour: 10]),
      (61, [.minute: 0, .fiveMinutes: 10, .hour: 10]), (270, [.minute: 0, .fiveMinutes: 10, .hour: 10]),
      (301, [.minute: 0, .fiveMinutes: 0, .hour: 10]), (3240, [.minute: 0, .fiveMinutes: 0, .hour: 10]),
      (3601, [.minute: 0, .fiveMinutes: 0, .hour: 0]), (1e9, [.minute: 0, .fiveMinutes: 0, .hour: 0]),
    ]
    let start = clock.seconds
    for (after, runs) in expected {
      clock.seconds = start + after
      let model = try #require(monitor.snapshot().models.first)
      #expect(model.windows.mapValues(\.runs) == runs, "\(after) s later")
      #expect(model.all.runs == 10 && model.all.stages[.total]?.average == .milliseconds(20))
    }
  }

  /// A steady stream fills a window with what a window's time holds, within the twelfth by which it moves.
  @Test func windowsHoldTheirTime() throws {
    let monitor = clock.monitor, recorder = monitor.recorder(for: "leaf")
    for _ in 0..<7200 {
      recorder.record(1, milliseconds: 20)
      clock.seconds += 1
    }
    let model = try #require(monitor.snapshot().models.first)
    for window in PerformanceWindow.allCases {
      let runs = try #require(model.windows[window]?.runs), seconds = window.seconds
      #expect((UInt64(seconds - seconds / 12)...UInt64(seconds)).contains(runs), "\(window)")
      #expect(model.course[window]?.reduce(0) { $0 + $1.runs } == runs)
    }
    #expect(model.all.runs == 7200)
  }

  @Test func aClockThatJumpsLosesNothing() throws {
    let monitor = clock.monitor, recorder = monitor.recorder(for: "leaf")
    for seconds in [1e3, 5, 1e9, 1e9 + 1, 0, 1e3, 1.8e10] {
      clock.seconds = seconds
      recorder.record(3, milliseconds: 20)
      #expect(monitor.snapshot().models[0].windows[.minute]?.runs ?? 0 >= 3)
    }
    #expect(monitor.snapshot().models[0].all.runs == 21)
  }

  @Test func targetsHoldForTheRunsToCome() throws {
    let monitor = clock.monitor
    monitor.register("leaf", target: .milliseconds(50))
    let recorder = monitor.recorder(for: "leaf")
    recorder.record(3, milliseconds: 50)
    recorder.record(1, milliseconds: 50.001)
    monitor.register("leaf", target: .milliseconds(10))
    recorder.record(4, milliseconds: 50)
    let model = monitor.snapshot().models[0]
    #expect(model.target == .milliseconds(10) && model.all.missed == 5 && model.all.compliance == 3 / 8)
    monitor.register("leaf")
    #expect(recorder.target == nil && monitor.snapshot().models[0].target == nil)
  }

  @Test func stagesAreKeptApart() throws {
    let monitor = clock.monitor, recorder = monitor.recorder(for: "leaf")
    for (index, stage) in InferenceStage.allCases.enumerated() {
      recorder.record(stage, .milliseconds(index + 1))
    }
    recorder.recordFailure()
    let summary = monitor.snapshot().models[0].all
    #expect(summary.runs == 1 && summary.failures == 1 && summary.compliance == 1)
    for (index, stage) in InferenceStage.allCases.enumerated() {
      #expect(summary.stages[stage]?.p50 == .milliseconds(index + 1))
    }
  }

  /// The stages of a classification are recorded each, and together make its total.
  @Test func aClassificationIsRecordedByStage() async throws {
    let classifier = try await ImageClassifier.load(
      Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite").path, options: .init(), progress: nil)
    let monitor = PerformanceMonitor(), recorder = monitor.recorder(for: "rice")
    let picture = Picture.file(Checkout.file("Weights/scenes/samples/three-red-circles.png").path)
    var totals: [Duration] = []
    for _ in 0..<5 {
      let times = try await classifier.classify(picture).times
      recorder.record(times)
      totals.append(times.total)
    }
    let stages = monitor.snapshot().models[0].all.stages
    #expect(Set(stages.keys) == Set(InferenceStage.allCases).subtracting([.tokenize]))
    #expect(stages.values.allSatisfy { $0.count == 5 })
    let total = try #require(stages[.total]), parts = stages.filter { $0.key != .total }
    #expect(total.average.isNear(totals.reduce(.zero, +) / 5))
    #expect(parts.values.reduce(.zero) { $0 + $1.average }.isNear(total.average))
    #expect(total.maximum.isNear(totals.max() ?? .zero))
  }

  @Test func durationsThatAreNoTime() {
    let monitor = clock.monitor, recorder = monitor.recorder(for: "leaf")
    for duration in [Duration.seconds(-5), .zero, .seconds(Int64.max), .nanoseconds(1)] {
      recorder.record(.total, duration)
    }
    let times = monitor.snapshot().models[0].all.stages[.total]
    #expect(times?.count == 4 && times?.minimum == .zero)
    #expect(times?.maximumMilliseconds == Double(Int64.max) / 1e6)
  }

  @Test func aNameHasOneRecorder() {
    let monitor = clock.monitor
    #expect(monitor.recorder(for: "leaf") === monitor.recorder(for: "leaf"))
    let kept = monitor.recorder(for: "other")
    kept.memoryByteCount = 5
    #expect(monitor.snapshot().models.map(\.memoryByteCount) == [nil, 5])
    monitor.remove("other")
    kept.record(1, milliseconds: 1)
    #expect(monitor.snapshot().models.map(\.name) == ["leaf"])
  }

  /// Threads record while slices close and snapshots are taken; each run is counted once.
  @Test func nothingIsLostBetweenThreads() throws {
    let monitor = clock.monitor
    monitor.register("leaf", target: .microseconds(1))
    let group = DispatchGroup()
    for thread in 0..<4 {
      DispatchQueue(label: "thread \(thread)").async(group: group) {
        let recorder = monitor.recorder(for: "leaf")
        for run in 0..<50_000 { recorder.record(.total, nanoseconds: UInt64(run % 2000 + 1)) }
      }
    }
    var before: UInt64 = 0
    while group.wait(timeout: .now()) == .timedOut {
      clock.seconds += 5
      let runs = monitor.snapshot().models.first?.all.runs ?? 0
      #expect(runs >= before)
      before = runs
    }
    let summary = monitor.snapshot().models[0].all
    #expect(summary.runs == 200_000 && summary.missed == 100_000)
    #expect(summary.stages[.total]?.averageMilliseconds == 1000.5 / 1e6)
  }
}
