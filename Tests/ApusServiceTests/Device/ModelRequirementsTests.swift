import Graph
import Kernels
import TensorCore
import Testing

@testable import ApusService

struct ModelRequirementsTests {
  private func device(
    memory: Int = 8 << 30, used: Int = 0, threads: Int = 4, float32: Double = 200, bfloat16: Double? = 400,
    int8: Double = 800
  ) throws -> DeviceCapabilities {
    DeviceCapabilities(
      processor: "of a test", instructions: ["avx2", "fma"], kernels: ["avx2", "avx2", "avx2"],
      processors: threads, processorTime: nil, threads: threads,
      memory: MemoryStatus(
        bounds: [MemoryStatus.Bound(.machine, limit: memory, used: used)],
        process: try #require(ProcessMemory.current)),
      rates: ArithmeticRates(float32: float32, bfloat16: bfloat16, int8: int8))
  }

  @Test func whatIsNotAskedForIsNotLacking() throws {
    #expect(ModelRequirements().check(on: try device(memory: 1, float32: 0.1, int8: 0.1)).isEmpty)
  }

  @Test func eachShortfallHasItsNumbers() throws {
    var needs = ModelRequirements(weights: [.float32: 3 << 30], memory: 1 << 30)
    needs.operations = 35e9
    needs.runsPerSecond = 10
    needs.threads = 8
    needs.instructions = ["avx2", "amx_int8"]
    needs.tier = .high
    let shortfalls = needs.check(on: try device(memory: 4 << 30, used: 1 << 30))
    #expect(
      shortfalls == [
        .memory(needed: 4 << 30, present: 3 << 30), .rate(needed: 350, present: 200),
        .threads(needed: 8, present: 4), .instructions(missing: ["amx_int8"], present: ["avx2", "fma"]),
        .tier(needed: .high, present: .medium),
      ])
    #expect("\(shortfalls[0])" == "3072 MiB of memory available, 4096 MiB of memory needed")
    #expect("\(shortfalls[1])" == "200.0·10⁹ operations a second, 350.0·10⁹ operations a second needed")
  }

  @Test func aDeviceThatLacksSomethingIsRefusedWithTheNumbers() throws {
    let needs = ModelRequirements(memory: 2 << 30)
    try needs.require(of: try device(memory: 2 << 30))
    let error = #expect(throws: ApusError.self) { try needs.require(of: try device(memory: 1 << 30)) }
    #expect(error?.kind == .resources)
    #expect(error?.summary == "the device has 1024 MiB of memory available, expected 2048 MiB of memory.")
  }

  @Test func needsThatOverflowAreNotMet() throws {
    let needs = ModelRequirements(weights: [.float32: .max], memory: .max)
    #expect(
      needs.check(on: try device()) == [.memory(needed: .max, present: 8 << 30)])
  }

  /// The most exact precision that is enough.
  @Test func precisionsGoDownAsMemoryDoes() throws {
    let needs = ModelRequirements(weights: [.float32: 400, .bfloat16: 200, .int8: 100], memory: 10)
    let recommended = try [1000, 410, 409, 210, 209, 110, 109].map {
      try device(memory: $0).recommendedPrecision(for: needs)
    }
    #expect(recommended == [.float32, .float32, .bfloat16, .bfloat16, .int8, .int8, .int8])
  }

  @Test func precisionsGoDownAsRunsGoUp() throws {
    var needs = ModelRequirements()
    needs.operations = 1e9
    let recommended = try [0, 200, 201, 400, 401, 800, 801].map {
      needs.runsPerSecond = Double($0)
      return try device().recommendedPrecision(for: needs)
    }
    #expect(recommended == [.float32, .float32, .bfloat16, .bfloat16, .int8, .int8, .int8])
  }

  @Test func bfloat16NeedsItsProducts() throws {
    let needs = ModelRequirements(weights: [.float32: 400, .bfloat16: 200, .int8: 100])
    #expect(try device(memory: 300, bfloat16: nil).recommendedPrecision(for: needs) == .int8)
    #expect(try device(memory: 300).recommendedPrecision(for: needs) == .bfloat16)
  }

  @Test func onlyPrecisionsThatTheModelHasAreRecommended() throws {
    let needs = ModelRequirements(weights: [.int8: 100])
    #expect(try device(memory: 1).recommendedPrecision(for: needs) == .int8)
    #expect(try device().recommendedPrecision(for: needs) == .int8)
  }

  @Test(arguments: [
    (699.0, 64, PerformanceTier.medium), (700, 8, .high), (700, 7, .medium), (175, 2, .medium),
    (174, 64, .low), (1000, 1, .low), (0, 0, .low),
  ])
  func tiersAreByRateAndMemory(rate: Double, gibibytes: Int, tier: PerformanceTier) {
    #expect(PerformanceTier(rate: rate, memory: gibibytes << 30) == tier)
    #expect(PerformanceTier.low < .medium && PerformanceTier.medium < .high)
  }

  @Test func thisDeviceIsMeasured() throws {
    let device = try DeviceCapabilities.current()
    #expect(device.threads >= 1 && device.threads <= device.processors)
    #expect(device.rates.float32 > 0 && device.rates.float32.isFinite)
    #expect(device.rates.int8 > 0 && device.rates.int8.isFinite)
    #expect((device.rates.bfloat16 == nil) == !Precision.bfloat16.isAvailable)
    #expect(device.memory.available > 0)
    #expect(try DeviceCapabilities.current().rates == device.rates)
  }
}
