import KernelBenchmarks
import Testing

@Suite struct SamplesTests {
  @Test func quantilesLieBetweenNeighbours() throws {
    let samples = try #require(Samples([40, 10, 30, 20]))
    #expect(samples.minimum == 10)
    #expect(samples.median == 25)
    // As numpy.quantile([10, 20, 30, 40], 0.95).
    #expect(abs(samples.quantile(0.95) - 38.5) < 1e-12)
    #expect(samples.quantile(1) == 40)
    #expect(samples.quantile(2) == 40)
    #expect(abs(samples.spread - 1.5) < 1e-12)
  }

  @Test func noneAreNoSamples() { #expect(Samples([]) == nil) }

  @Test func eachBodyIsMeasuredInTurns() throws {
    var sampler = Sampler()
    sampler.secondsEach = 0.002
    sampler.fewestSamples = 4
    sampler.nanosecondsOfSample = 1000
    var order: [Int] = []
    let samples = sampler.measure(
      (0..<3).map { index in
        { (count: Int) in
          order.append(index)
          var sum = 0.0
          for step in 0..<(count * 2000) { sum += Double(step).squareRoot() }
          #expect(sum >= 0)
        }
      })
    #expect(samples.count == 3)
    for sample in samples { #expect(try #require(sample).nanoseconds.count >= 4) }
    // No body has its samples all in a row.
    let last = order.suffix(9)
    #expect(Set(last).count > 1)
  }
}
