import Dispatch
import KernelBenchmarks
import Testing

@Suite struct SamplerTests {
  /// What was executed, in its order.
  private final class Log {
    var turns: [(body: Int, count: Int)] = []

    func body(_ index: Int, nanoseconds: UInt64 = 0) -> (_ count: Int) -> Void {
      { count in
        self.turns.append((index, count))
        let end = DispatchTime.now().uptimeNanoseconds + nanoseconds * UInt64(count)
        while DispatchTime.now().uptimeNanoseconds < end {}
      }
    }
  }

  private func sampler(nanosecondsOfSample: Double) -> Sampler {
    var sampler = Sampler()
    (sampler.secondsEach, sampler.fewestSamples) = (0.001, 3)
    sampler.nanosecondsOfSample = nanosecondsOfSample
    return sampler
  }

  /// A sample of short executions begins with one that is not timed, which brings its operands back into the caches.
  @Test func whatIsShortBeginsWarm() {
    let log = Log()
    // Far more than one takes, even where other programs take the processor meanwhile.
    _ = sampler(nanosecondsOfSample: 5e6).measure([
      log.body(0, nanoseconds: 100_000), log.body(1, nanoseconds: 100_000),
    ])
    // Behind the search for a number of executions: each body's turn is one and then as many as fill a sample.
    let turns = log.turns.suffix(8)
    let pairs = stride(from: turns.startIndex, to: turns.endIndex, by: 2).map { (turns[$0], turns[$0 + 1]) }
    #expect(pairs.allSatisfy { $0.body == $1.body && $0.count == 1 && $1.count > 1 })
  }

  @Test func whatIsLongIsOnlyTimed() throws {
    let log = Log()
    let samples = sampler(nanosecondsOfSample: 50_000).measure([log.body(0, nanoseconds: 200_000)])
    #expect(log.turns.allSatisfy { $0.count == 1 })
    // One more to find out how long it takes.
    #expect(log.turns.count == 1 + (try #require(samples[0]).nanoseconds.count))
  }
}
