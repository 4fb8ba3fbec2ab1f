import TestSupport
import Testing

@testable import ApusService

/// Counters as Linux has them below /sys/class/powercap, in files of the test's own.
@Suite struct EnergyMeterTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try zone("intel-rapl:0", "package-0", 900_000, range: 1_000_000)
    try zone("intel-rapl:0:0", "core", 5, range: 1_000_000)
    try zone("intel-rapl:0:1", "dram", 100, range: 1_000_000)
    try zone("intel-rapl:1", "psys", 7, range: 1_000_000)
    try zone("intel-rapl-mmio:0", "package-0", 900_000, range: 1_000_000)
    try folder.write("intel-rapl/enabled", "1\n")
  }

  private func zone(_ name: String, _ title: String, _ energy: Int, range: Int) throws {
    try folder.write("\(name)/name", "\(title)\n")
    try folder.write("\(name)/energy_uj", "\(energy)\n")
    try folder.write("\(name)/max_energy_range_uj", "\(range)\n")
  }

  /// Packages and memory are counted, once; a counter that begins again loses nothing.
  @Test func countersAddUpAndWrapAround() throws {
    let meter = EnergyMeter(folder: folder.path, at: 0)
    #expect(meter.obstacle == nil)
    try zone("intel-rapl:0", "package-0", 150_000, range: 1_000_000)
    try zone("intel-rapl:0:0", "core", 500_000, range: 1_000_000)
    try zone("intel-rapl:0:1", "dram", 50_100, range: 1_000_000)
    let energy = try #require(meter.energy(at: 2_000_000_000))
    #expect(energy.domains.map(\.name) == ["package-0", "dram"])
    #expect(energy.domains.map(\.joules) == [0.25, 0.05])
    #expect(energy.joules == 0.3 && energy.watts == 0.15)
  }

  /// The power is the last minute's, the energy that since the beginning.
  @Test func powerIsOfTheLastMinute() throws {
    let meter = EnergyMeter(folder: folder.path, at: 0)
    #expect(meter.energy(at: 0)?.watts == nil)
    for second in 1...300 {
      // 1 mW, then 2 mW.
      let used = second <= 200 ? second * 1000 : 200_000 + (second - 200) * 2000
      try zone("intel-rapl:0", "package-0", (900_000 + used) % 1_000_000, range: 1_000_000)
      meter.sample(at: UInt64(second) * 1_000_000_000)
    }
    let energy = try #require(meter.energy(at: 300_000_000_000))
    #expect(abs(energy.joules - 0.4) < 1e-9 && abs((energy.watts ?? 0) - 0.002) < 1e-9)
  }

  /// The clock is not trusted, nor the files.
  @Test func nonsenseIsNoTrap() throws {
    let meter = EnergyMeter(folder: folder.path, at: 5_000_000_000)
    for (time, text) in [(0, "-1"), (1, "x"), (.max, "18446744073709551615"), (3, ""), (2, "0")]
      as [(UInt64, String)]
    {
      try folder.write("intel-rapl:0/energy_uj", text)
      meter.sample(at: time)
      _ = meter.energy(at: time)
    }
  }

  @Test func whatCannotBeReadSaysWhy() throws {
    let nowhere = EnergyMeter(folder: "/nonexistent", at: 0)
    #expect(nowhere.energy(at: 1) == nil)
    #expect(nowhere.obstacle == "this system has no energy counters in /nonexistent")
    try folder.write("intel-rapl:0/energy_uj", "")
    try folder.write("intel-rapl:0:1/energy_uj", "")
    let closed = EnergyMeter(folder: folder.path, at: 0)
    #expect(closed.energy(at: 1) == nil)
    #expect(closed.obstacle == "this process may not read \(folder.path)/intel-rapl:0/energy_uj")
  }
}
