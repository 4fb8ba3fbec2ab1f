import Apus
import Kernels
import TensorCore

/// The measurements of a monitor at one moment: plain values, for a file, a program or a page.
public struct PerformanceSnapshot: Sendable, Hashable, Codable {
  /// The device.
  public struct Machine: Sendable, Hashable, Codable {
    /// The processor's name.
    public let processor: String
    /// The kernels in use.
    public let kernels: String
    /// How many threads an inference may use.
    public let threads: Int
    /// The memory that this process may use.
    public let memoryByteCount: Int
  }

  /// The memory of this process.
  public struct Memory: Sendable, Hashable, Codable {
    /// Its current reading.
    public let residentByteCount: Int
    /// The most it ever had.
    public let peakByteCount: Int
  }

  /// The energy of processors and memory since the monitor began, for all programs together.
  public struct Energy: Sendable, Hashable, Codable {
    /// One counter of the system.
    public struct Domain: Sendable, Hashable, Codable {
      /// `package-0`, say, or `dram`.
      public let name: String
      /// Its count since the monitor began.
      public let joules: Double
    }

    /// Of all domains.
    public let joules: Double
    /// The average of the last minute; nil in the first moment.
    public let watts: Double?
    /// The parts of the sum.
    public let domains: [Domain]
  }

  /// The version of this format.
  public let format: Int
  /// The version of Apus that it was made with.
  public let apus: String
  /// When it was taken, in seconds since 1970.
  public let time: Double
  /// How long the monitor had been there.
  public var duration: Duration { Duration(milliseconds: seconds * 1e3) }
  package let seconds: Double
  /// The device.
  public let machine: Machine
  /// The memory of the process; nil where the system does not say.
  public let memory: Memory?
  /// The energy used; nil where it cannot be read.
  public let energy: Energy?
  /// Why it cannot be read.
  public let energyObstacle: String?
  /// By name.
  public let models: [ModelPerformance]
  /// Active alerts, by model.
  public let alerts: [PerformanceAlert]
  /// The last hundred that came or ended, the newest last.
  public let recentAlerts: [PerformanceAlert]

  /// The version that this Apus writes, and reads.
  static let currentFormat = 1
}

extension PerformanceMonitor {
  /// The measurements now. It takes some microseconds per model, and does not block recording.
  public func snapshot() -> PerformanceSnapshot {
    let models = known.map { ModelPerformance($0) }
    let now = commons.clock.nanoseconds()
    let alerts = commons.alerts.alerts
    return PerformanceSnapshot(
      format: PerformanceSnapshot.currentFormat, apus: ApusVersion.current, time: commons.clock.timeOfDay(),
      seconds: Double(now &- start) / 1e9, machine: .current, memory: .current,
      energy: commons.energy.energy(at: now), energyObstacle: commons.energy.obstacle, models: models,
      alerts: alerts.active, recentAlerts: alerts.recent)
  }
}

extension PerformanceSnapshot.Machine {
  /// This one.
  static let current = Self(
    processor: ProcessorFeatures.host.model, kernels: "\(KernelSet.best.choice)", threads: HostLimits.threads,
    memoryByteCount: HostLimits.memory)
}
