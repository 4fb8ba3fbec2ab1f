import CommandSupport
import Glibc
import KernelBenchmarks
import TensorCore

/// What `bench model` prints.
enum ModelBenchReport {
  static func print(_ models: [BenchedModel]) {
    var table = Table(
      ["threads", "load ms", "first ms", "runs", "min ms", "p50", "p90", "p95", "p99", "runs/s"].map {
        ($0, .right)
      })
    for model in models {
      guard let samples = model.samples else { continue }
      let times = [0, 0.5, 0.9, 0.95, 0.99].map { Format.decimal(samples.quantile($0) / 1e6, 3) }
      table.append(
        [
          "\(model.threads)", Format.decimal(model.loadMilliseconds, 1),
          Format.decimal(model.firstMilliseconds, 3), "\(samples.nanoseconds.count)",
        ] + times + [Format.decimal(throughput(samples), 1)])
    }
    table.print()
    if let model = models.last {
      StandardStreams.printLine(model.computation.summary)
      StandardStreams.printLine("memory of a run: \(Format.bytes(model.compiled.plan.byteCount))")
    }
    if let peak = peakMemory {
      StandardStreams.printLine("most memory of this process so far: \(Format.bytes(peak))")
    }
  }

  /// - Parameter profile: of the last number of threads.
  static func json(_ models: [BenchedModel], model path: String, profile: ProfileReport?) -> JSON {
    let results = models.compactMap { model -> JSON? in
      guard let samples = model.samples else { return nil }
      let times = [("min", 0), ("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99)]
      return .object(
        [
          ("threads", .integer(model.threads)), ("load_ms", .number(model.loadMilliseconds)),
          ("first_ms", .number(model.firstMilliseconds)), ("runs", .integer(samples.nanoseconds.count)),
        ]
          + times.map { ("\($0.0)_ms", .number(samples.quantile($0.1) / 1e6)) }
          + [
            ("runs_per_second", .number(throughput(samples))),
            ("arena_bytes", .integer(model.compiled.plan.byteCount)),
          ])
    }
    return .object(
      JSON.file(path, as: "model") + [
        ("results", .array(results))
      ] + (profile.map { [("profile", $0.json)] } ?? []) + [
        ("peak_resident_bytes", peakMemory.map(JSON.integer) ?? .null),
        models.last?.computation.member ?? ("computed", .null), JSON.madeBy,
      ])
  }

  /// Runs per second over the whole measurement.
  private static func throughput(_ samples: Samples) -> Double {
    Double(samples.nanoseconds.count) * 1e9 / samples.nanoseconds.reduce(0, +)
  }

  /// The greatest resident set of the process, in bytes; nil where the system does not tell.
  private static var peakMemory: Int? {
    guard let text = KernelFile.text("/proc/self/status"),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = line.split(separator: " ").compactMap({ Int($0) }).first
    else { return nil }
    return kilobytes * 1024
  }
}
