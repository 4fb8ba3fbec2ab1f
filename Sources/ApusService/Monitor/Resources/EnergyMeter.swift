import TensorCore

/// Reads the energy counters of processors and memory (RAPL), where the system lets this process: since 2020, Linux lets
/// root alone.
final class EnergyMeter: Sendable {
  static let systemFolder = "/sys/class/powercap"

  /// A counter of microjoules, which begins again at 0.
  private struct Domain {
    let name: String
    let file: String
    /// The value at which it wraps.
    let range: UInt64
    var last: UInt64
    var microjoules: UInt64 = 0
  }

  private struct State {
    var domains: [Domain] = []
    /// Microjoules of all domains, at times in nanoseconds, the oldest first.
    var readings: [(time: UInt64, microjoules: UInt64)] = []
  }

  private let state: Lock<State>
  /// Why nothing is read; nil where something is.
  let obstacle: String?

  init(folder: String, at time: UInt64) {
    let (domains, obstacle) = Self.domains(in: folder)
    state = Lock(State(domains: domains, readings: [(time, 0)]))
    self.obstacle = obstacle
  }

  /// Processor packages, and memory where it is counted beside them. The parts of a package, and the whole of a
  /// computer (`psys`), would count the same energy twice.
  private static func domains(in folder: String) -> ([Domain], obstacle: String?) {
    let zones = (FileSystem.names(in: folder) ?? []).filter { $0.hasPrefix("intel-rapl:") }
    let named = zones.compactMap { zone -> (name: String, path: String)? in
      let path = "\(folder)/\(zone)"
      guard let name = KernelFile.text(path + "/name")?.trimmed else { return nil }
      return name.hasPrefix("package") || name == "dram" ? (name, path) : nil
    }
    guard let first = named.first else { return ([], "this system has no energy counters in \(folder)") }
    let domains = named.compactMap { name, path -> Domain? in
      let file = path + "/energy_uj"
      guard let now = number(file), let range = number(path + "/max_energy_range_uj") else { return nil }
      return Domain(name: name, file: file, range: range, last: now)
    }
    return (domains, domains.isEmpty ? "this process may not read \(first.path)/energy_uj" : nil)
  }

  private static func number(_ file: String) -> UInt64? {
    KernelFile.text(file).flatMap { UInt64($0.trimmed) }
  }

  /// Reads the counters, unless another thread does so.
  func sample(at time: UInt64) {
    guard obstacle == nil else { return }
    _ = state.withLockIfAvailable { Self.read(&$0, at: time) }
  }

  private static func read(_ state: inout State, at time: UInt64) {
    for index in state.domains.indices {
      let domain = state.domains[index]
      guard let now = number(domain.file) else { continue }
      let used = now >= domain.last ? now - domain.last : domain.range &- domain.last &+ now
      state.domains[index].microjoules &+= used
      state.domains[index].last = now
    }
    let total = state.domains.reduce(0) { $0 &+ $1.microjoules }
    // One older than a minute stays, to have the whole minute.
    let minute: UInt64 = 60_000_000_000
    while state.readings.count > 1, time >= state.readings[1].time, time - state.readings[1].time >= minute {
      state.readings.removeFirst()
    }
    state.readings.append((time, total))
  }

  /// Energy used so far; nil if there is no readable counter.
  func energy(at time: UInt64) -> PerformanceSnapshot.Energy? {
    guard obstacle == nil else { return nil }
    return state.withLock { state in
      Self.read(&state, at: time)
      guard let first = state.readings.first, let last = state.readings.last else { return nil }
      let seconds = Double(last.time &- first.time) / 1e9
      let used = Double(last.microjoules &- first.microjoules) / 1e6
      return PerformanceSnapshot.Energy(
        joules: Double(last.microjoules) / 1e6, watts: last.time > first.time ? used / seconds : nil,
        domains: state.domains.map { .init(name: $0.name, joules: Double($0.microjoules) / 1e6) })
    }
  }
}
