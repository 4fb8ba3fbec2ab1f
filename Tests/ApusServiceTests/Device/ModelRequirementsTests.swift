import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

@testable import ApusService

struct ModelRequirementsTests {
  private func device(
    memory: Int = 8 << 30, used: Int = 0, threads: Int = 4, float32: Double = 200, bfloat16: Double? = 400,
    int8: Double = 800
  ) throws -> DeviceCapabilities {
    DeviceCapabilities(
      processor: "of a test", instructions: ["avx2", "fma"], kernels: ["avx2", "avx2", "avx2"],
      processors: threads, cores: threads, processorTime: nil, threads: threads,
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
    let device = try device(memory: 4 << 30, used: 1 << 30)
    let shortfalls = needs.check(on: device)
    let gibibyte = 1 << 30
    let expected: [Shortfall] = [
      .memory(needed: 4 * gibibyte, present: 3 * gibibyte), .rate(needed: 350, present: 200),
      .threads(needed: 8, present: 4), .instructions(missing: ["amx_int8"], present: ["avx2", "fma"]),
      .tier(needed: .high, present: .medium),
    ]
    #expect(shortfalls == expected)
    #expect(
      shortfalls.map(\.description) == [
        "3.0 GiB of memory available, 4.0 GiB needed",
        "200.0·10⁹ operations a second, 350.0·10⁹ needed", "4 threads, 8 needed",
        "the instructions amx_int8 are missing", "tier medium, high needed",
      ])
    let error = #expect(throws: ApusError.self) { try needs.require(of: device) }
    #expect(error?.summary.contains("amx_int8") == true && error?.summary.contains("fma") == false)
    #expect(
      error?.advice?.contains("Let the process use more processors. Run the model on a processor") == true)
  }

  @Test func memoryIsInTheGreatestUnitThatTellsItApart() {
    func text(_ needed: Int, _ present: Int) -> String {
      "\(Shortfall.memory(needed: needed, present: present))"
    }
    #expect(text(640 << 20, 420 << 20) == "420 MiB of memory available, 640 MiB needed")
    #expect(text(2 << 30, 512 << 20) == "0.5 GiB of memory available, 2.0 GiB needed")
    #expect(text((2 << 30) + (1 << 20), 2 << 30) == "2048 MiB of memory available, 2049 MiB needed")
    #expect(text(1001, 1000) == "1000 bytes of memory available, 1001 bytes needed")
  }

  @Test func aDeviceThatLacksSomethingIsRefusedWithTheNumbers() throws {
    let needs = ModelRequirements(memory: 2 << 30)
    try needs.require(of: try device(memory: 2 << 30))
    let error = #expect(throws: ApusError.self) { try needs.require(of: try device(memory: 1 << 30)) }
    #expect(error?.kind == .resources)
    #expect(error?.summary == "the device falls short: 1.0 GiB of memory available, 2.0 GiB needed.")
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

  /// Processors of one core have the same list of siblings.
  @Test func coresAreCountedOnce() throws {
    let folder = try TemporaryFolder()
    for (processor, siblings) in [(0, "0,2"), (1, "1,3"), (2, "0,2"), (3, "1,3"), (8, "8")] {
      try folder.write("cpu\(processor)/topology/thread_siblings_list", siblings + "\n")
    }
    let count = { (list: String) in
      ProcessorCores.count(status: "Cpus_allowed_list:\t\(list)\n", processors: folder.path)
    }
    #expect(["0-3,8", "0-1", "0,2", "1-3", "8"].map(count) == [3, 2, 1, 2, 1])
    // What the system does not say.
    for list in ["0-4", "", "7-3", "0-99999999999", "x"] { #expect(count(list) == HostLimits.affinity) }
  }

  @Test func thisDeviceIsMeasured() throws {
    let device = try DeviceCapabilities.current()
    #expect(device.threads >= 1 && device.threads <= device.processors)
    #expect(device.cores >= 1 && device.cores <= device.processors)
    #expect(device.rates.float32 > 0 && device.rates.float32.isFinite)
    #expect(device.rates.int8 > 0 && device.rates.int8.isFinite)
    #expect((device.rates.bfloat16 == nil) == !Precision.bfloat16.isAvailable)
    #expect(device.memory.available > 0)
    #expect(try DeviceCapabilities.current().rates == device.rates)
  }
}
