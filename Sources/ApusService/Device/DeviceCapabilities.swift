import Graph
import Kernels
import TensorCore

/// The resources of the machine this process may use, and their speed.
///
///     let device = try DeviceCapabilities.current()
///     print("\(device.processor): \(device.tier.rawValue), \(device.threads) threads, \(device.rates.float32) GFLOP/s")
public struct DeviceCapabilities: Sendable, Hashable, Codable {
  /// The processor's name.
  public let processor: String
  /// The instructions that the processor and the system offer and that kernels use or could, by Linux' names for them.
  public let instructions: [String]
  /// The instruction sets whose kernels are in use: of float32, integers and bfloat16.
  public let kernels: [String]
  /// Processors that the scheduler may put this process on.
  public let processors: Int
  /// Cores that these are of: two processors of one core compute no more than one.
  public let cores: Int
  /// Processors' worth of time that the control groups grant; nil where none sets a limit.
  public let processorTime: Double?
  /// Threads that models run on unless fewer are asked for.
  public let threads: Int
  /// Memory: its limits, and what is used of them.
  public let memory: MemoryStatus
  /// How fast all threads compute together.
  public let rates: ArithmeticRates

  /// The device's tier, by its rate in float32 and its smallest limit of memory.
  public var tier: PerformanceTier {
    PerformanceTier(rate: rates.float32, memory: memory.bounds.map(\.limit).min() ?? 0)
  }
}

extension DeviceCapabilities {
  /// The capabilities now. Rates are measured once, at the first call, which takes about a fiftieth of a second; memory is
  /// read each time.
  /// - Throws: ``ApusError``: kind `resources` where the system does not say how much memory there is, `argument` when
  ///   `APUS_ISA` asks for kernels that are not there.
  public static func current() throws(ApusError) -> DeviceCapabilities {
    let choice = try KernelSet.selected().choice
    let host = ProcessorFeatures.host
    return DeviceCapabilities(
      processor: host.model,
      instructions: Instruction.allCases.filter(host.instructions.contains).map(\.rawValue),
      kernels: NumericFamily.allCases.map { choice[$0].rawValue },
      processors: HostLimits.affinity, cores: ProcessorCores.allowed, processorTime: HostLimits.processorTime,
      threads: ThreadPool.shared.size, memory: try MemoryStatus.current(), rates: .measured)
  }
}
