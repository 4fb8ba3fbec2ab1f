import Graph
import TensorCore

/// A model's requirements on a device. A requirement that is nil does not apply.
///
///     let needs = ModelRequirements(
///       weights: [.float32: 344 << 20, .int8: 88 << 20], memory: 60 << 20, operations: 35e9, runsPerSecond: 5)
///     let device = try DeviceCapabilities.current()
///     for shortfall in needs.check(on: device) { print(shortfall) }
///     print("best opened as \(device.recommendedPrecision(for: needs))")
public struct ModelRequirements: Sendable, Hashable {
  /// Bytes that the weights take in memory, for each precision in which the model may be opened. Empty where that is not
  /// known: then any precision will do, and ``memory`` holds for all.
  public var weights: [Precision: Int]
  /// Bytes that must be available beside the weights, for what is computed on the way, say.
  public var memory: Int
  /// Additions and multiplications of one run, counted each.
  public var operations: Double
  /// How many runs a second are expected.
  public var runsPerSecond: Double
  /// The least number of threads.
  public var threads: Int
  /// Instructions that the processor must have, by Linux' names for them, such as `avx512_vnni`.
  public var instructions: [String]
  /// The least tier.
  public var tier: PerformanceTier

  /// - Parameters:
  ///   - weights: bytes of the weights in memory, for each precision in which the model may be opened.
  ///   - memory: bytes beside them.
  ///   - operations: additions and multiplications of one run, counted each.
  ///   - runsPerSecond: how many runs a second are expected.
  ///   - threads: the least number of threads.
  ///   - instructions: those that the processor must have, by Linux' names for them.
  ///   - tier: the least tier.
  public init(
    weights: [Precision: Int] = [:], memory: Int = 0, operations: Double = 0, runsPerSecond: Double = 0,
    threads: Int = 1, instructions: [String] = [], tier: PerformanceTier = .low
  ) {
    (self.weights, self.memory) = (weights, memory)
    (self.operations, self.runsPerSecond, self.threads) = (operations, runsPerSecond, threads)
    (self.instructions, self.tier) = (instructions, tier)
  }

  /// The precisions in which the model may be opened, the most exact first.
  public var precisions: [Precision] {
    Precision.allCases.filter { weights.isEmpty || weights[$0] != nil }
  }

  /// Bytes that must be available to open the model in a precision and run it.
  public func memory(in precision: Precision) -> Int {
    let (sum, overflow) = memory.addingReportingOverflow(weights[precision] ?? 0)
    return overflow ? .max : sum
  }

  /// The shortfalls of the device for running the model in its recommended precision; empty if there are none.
  public func check(on device: DeviceCapabilities) -> [Shortfall] {
    check(on: device, in: device.recommendedPrecision(for: self))
  }

  /// The shortfalls of the device for running the model in a precision.
  public func check(on device: DeviceCapabilities, in precision: Precision) -> [Shortfall] {
    var shortfalls: [Shortfall] = []
    let (needed, available) = (memory(in: precision), device.memory.available)
    if needed > available { shortfalls.append(.memory(needed: needed, present: available)) }
    let (wanted, rate) = (operations * runsPerSecond / 1e9, device.rates[precision] ?? 0)
    if wanted > rate { shortfalls.append(.rate(needed: wanted, present: rate)) }
    if threads > device.threads { shortfalls.append(.threads(needed: threads, present: device.threads)) }
    let missing = instructions.filter { !device.instructions.contains($0) }
    if !missing.isEmpty { shortfalls.append(.instructions(missing: missing, present: device.instructions)) }
    if tier > device.tier { shortfalls.append(.tier(needed: tier, present: device.tier)) }
    return shortfalls
  }

  /// Refuses a device that lacks something.
  /// - Throws: ``ApusError`` of kind `resources`, with all that is needed, what is there, and what helps.
  public func require(of device: DeviceCapabilities) throws(ApusError) {
    let shortfalls = check(on: device)
    guard !shortfalls.isEmpty else { return }
    throw ApusError(
      .resources, "the device falls short: \(shortfalls.map(\.description).joined(separator: "; "))",
      advice: shortfalls.map(\.advice).joined(separator: " "))
  }
}
