import CLibrary
import CommandSupport
import KernelBenchmarks
import TensorCore

/// The output of `bench model`.
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
      StandardStreams.printText(model.computation.summary)
      StandardStreams.printLine("memory of a run: \(Format.bytes(model.compiled.plan.byteCount))")
    }
    if let peak = peakMemory {
      StandardStreams.printLine("most memory of this process so far: \(Format.bytes(peak))")
    }
  }

  /// Messages for numbers of threads whose median run exceeds a limit in milliseconds.
  static func misses(of limit: Double, _ models: [BenchedModel]) -> [String] {
    models.compactMap { model -> String? in
      guard let median = model.medianMilliseconds, median > limit else { return nil }
      let threads = "\(model.threads) thread\(model.threads == 1 ? "" : "s")"
      return "the median run on \(threads) takes \(Format.significant(median, 4)) ms, more than --at-most "
        + Format.significant(limit, 6)
    }
  }

  /// - Parameters:
  ///   - profile: of the last number of threads.
  ///   - limit: the limit of the median run in milliseconds; nil for none.
  static func json(
    _ models: [BenchedModel], model path: String, profile: ProfileReport?, atMost limit: Double?
  ) -> JSON {
    var members = JSON.file(path, as: "model")
    members.append(("results", .array(models.compactMap { result($0, atMost: limit) })))
    if let limit { members.append(("at_most_ms", .number(limit))) }
    if let profile { members.append(("profile", profile.json)) }
    members.append(("peak_resident_bytes", peakMemory.map(JSON.integer) ?? .null))
    members.append(models.last?.computation.member ?? ("computed", .null))
    if let miss = limit.flatMap({ misses(of: $0, models).first }) {
      members.append(("error", .string(miss)))
    }
    members.append(JSON.madeBy)
    return .object(members)
  }

  private static func result(_ model: BenchedModel, atMost limit: Double?) -> JSON? {
    guard let samples = model.samples else { return nil }
    var members: [JSON.Member] = [
      ("threads", .integer(model.threads)), ("load_ms", .number(model.loadMilliseconds)),
      ("first_ms", .number(model.firstMilliseconds)), ("runs", .integer(samples.nanoseconds.count)),
    ]
    for (name, share) in [("min", 0), ("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99)] {
      members.append(("\(name)_ms", .number(samples.quantile(share) / 1e6)))
    }
    members.append(("runs_per_second", .number(throughput(samples))))
    members.append(("arena_bytes", .integer(model.compiled.plan.byteCount)))
    if let limit, let median = model.medianMilliseconds {
      members.append(("within", .bool(median <= limit)))
    }
    return .object(members)
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
