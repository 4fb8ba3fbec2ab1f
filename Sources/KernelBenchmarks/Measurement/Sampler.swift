import Dispatch

/// Measures things that do the same work, in turns, so that a change of the machine's speed meets all alike.
package struct Sampler: Sendable {
  /// How long each is measured.
  package var secondsEach = 0.2
  /// The least number of samples, whatever the time.
  package var fewestSamples = 5
  /// How long one sample takes at least: many executions of something short.
  package var nanosecondsOfSample = 500_000.0

  package init() {}

  /// - Parameter bodies: each executes its work as often as it is told.
  /// - Returns: the samples of each body.
  package func measure<Failure: Error>(
    _ bodies: [(_ count: Int) throws(Failure) -> Void]
  ) throws(Failure) -> [Samples?] {
    var plans: [Plan] = []
    for body in bodies { plans.append(try plan(body)) }
    var times = [[Double]](repeating: [], count: bodies.count)
    let rounds = plans.map(\.rounds).max() ?? 0
    for round in 0..<rounds {
      for turn in bodies.indices {
        // Each body follows every other one as often.
        let index = (turn + round) % bodies.count
        // One with fewer samples takes them over the whole time, too.
        guard round * plans[index].rounds / rounds != (round + 1) * plans[index].rounds / rounds else {
          continue
        }
        // The caches hold what the turn before has read.
        if plans[index].isShort { try bodies[index](1) }
        times[index].append(try Self.time(bodies[index], plans[index].count))
      }
    }
    return times.map(Samples.init)
  }

  private struct Plan {
    /// Executions of one sample.
    var count: Int
    var rounds: Int
    /// Whether one execution takes no longer than a sample, so that how it begins makes a difference.
    var isShort: Bool
  }

  /// Warms the body up and finds out how long it takes.
  private func plan<Failure: Error>(
    _ body: (_ count: Int) throws(Failure) -> Void
  ) throws(Failure) -> Plan {
    var count = 1
    var nanoseconds = try Self.time(body, 1)
    while nanoseconds * Double(count) < nanosecondsOfSample, count < 1 << 24 {
      let wanted = nanosecondsOfSample / max(nanoseconds, 1)
      count = min(count * 8, max(count + 1, Int(wanted.rounded(.up))))
      nanoseconds = try Self.time(body, count)
    }
    let rounds = secondsEach * 1e9 / (nanoseconds * Double(count))
    return Plan(
      count: count, rounds: max(fewestSamples, Int(min(rounds, 1000))),
      isShort: nanoseconds <= nanosecondsOfSample)
  }

  /// Nanoseconds of one of `count` executions.
  private static func time<Failure: Error>(
    _ body: (_ count: Int) throws(Failure) -> Void, _ count: Int
  ) throws(Failure) -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try body(count)
    return Double(DispatchTime.now().uptimeNanoseconds - start) / Double(count)
  }
}
