import ApusService
import CLibrary
import Dispatch
import Synchronization

/// Records into a monitor, for `Benchmarks/monitor-record`, which measures what that costs, and `Tools/checks/quantiles`,
/// which holds its numbers against NumPy's.
///
/// Usage: monitor-record snapshot <NANOSECONDS, prints the snapshot as JSON; monitor-record prometheus, the same as
/// Prometheus reads it; monitor-record time THREADS RUNS, prints nanoseconds of processor time for a recording of each
/// thread, and for one that closes five seconds' counts, which takes it fifteen seconds.
@main struct MonitorRecord {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    switch (arguments.first, numbers.count) {
    case ("snapshot", 0): print(String(decoding: recorded().snapshot().json, as: UTF8.self), terminator: "")
    case ("prometheus", 0): print(recorded().prometheus, terminator: "")
    case ("time", 2) where numbers.allSatisfy { $0 > 0 }: time(threads: numbers[0], runs: numbers[1])
    default:
      print("usage: monitor-record snapshot|prometheus <NANOSECONDS, or monitor-record time THREADS RUNS")
      exit(2)
    }
  }

  /// A monitor with the runs that standard input has, a number in a line.
  private static func recorded() -> PerformanceMonitor {
    let monitor = PerformanceMonitor()
    monitor.register("model", target: .milliseconds(50))
    let recorder = monitor.recorder(for: "model")
    while let line = readLine() {
      guard let nanoseconds = UInt64(line) else { continue }
      recorder.record(.total, nanoseconds: nanoseconds)
    }
    return monitor
  }

  /// Threads record as fast as they can into one model: more contention than inferences ever make.
  private static func time(threads: Int, runs: Int) {
    let monitor = PerformanceMonitor()
    monitor.register("model", target: .milliseconds(50))
    let recorder = monitor.recorder(for: "model")
    let means = Mutex<[Double]>([])
    let group = DispatchGroup()
    for thread in 0..<threads {
      DispatchQueue(label: "recorder \(thread)").async(group: group) {
        // Times of inferences around 10 ms, which lie in some hundred buckets.
        var time: UInt64 = 10_000_000 &+ UInt64(thread)
        let start = now()
        for _ in 0..<runs {
          time = time &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          recorder.record(.total, nanoseconds: 8_000_000 &+ time >> 42)
        }
        means.withLock { $0.append(Double(now() - start) / Double(runs)) }
      }
    }
    group.wait()
    let closings = (0..<3).map { _ in
      usleep(5_050_000)
      let start = now()
      recorder.record(.total, nanoseconds: 10_000_000)
      return now() - start
    }
    let texts = means.withLock { $0.map { "\(($0 * 10).rounded() / 10)" } }
    print("\(texts.joined(separator: " ")) closing \(closings.sorted()[1])")
  }

  /// The processor time of this thread: others use the machine too.
  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
