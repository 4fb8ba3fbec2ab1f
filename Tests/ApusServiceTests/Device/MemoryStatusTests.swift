import CLibrary
import Kernels
import TensorCore
import TestSupport
import Testing

@testable import ApusService

struct MemoryStatusTests {
  @Test func thisProcessIsWithinItsLimits() throws {
    let status = try MemoryStatus.current()
    #expect(status.bounds.first?.source == .machine)
    #expect(status.bounds.allSatisfy { $0.limit > 0 && $0.used > 0 })
    #expect(status.available == status.bounds.map(\.available).min())
    #expect(status.available == status.limit - status.used)
    #expect(status.process.resident >= status.process.anonymous)
    #expect(status.process.addresses >= status.process.resident)
  }

  @Test func whatIsTakenIsCounted() throws {
    let before = try #require(ProcessMemory.current)
    let count = 64 << 20
    let memory = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 1 << 12)
    defer { memory.deallocate() }
    memset(memory, 1, count)
    let after = try #require(ProcessMemory.current)
    // Other tests give memory back meanwhile.
    #expect(after.anonymous - before.anonymous > count / 2)
  }

  private func group(_ files: [String: String], isUnified: Bool) throws -> MemoryStatus.Bound? {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text) }
    let groups = ControlGroups(
      of: "memory", memberships: isUnified ? "0::/" : "4:memory:/",
      mounts: "1 2 0:3 / \(folder.path) rw - "
        + (isUnified ? "cgroup2 cgroup2 rw" : "cgroup cgroup rw,memory"))
    return groups.folders.first.flatMap { MemoryStatus.bound(of: $0, among: groups) }
  }

  /// Files that are cached go first when a group needs memory, but for those that are mapped.
  @Test func cachedFilesOfAGroupAreNotUsed() throws {
    let unified = try #require(
      try group(
        [
          "memory.max": "1000000\n", "memory.current": "900000\n",
          "memory.stat":
            "anon 100000\nfile 800000\nfile_mapped 300000\ninactive_file 500000\nactive_file 200000\n",
        ], isUnified: true))
    #expect((unified.limit, unified.used) == (1_000_000, 500_000))
    #expect(unified.share == 0.5)
    let old = try #require(
      try group(
        [
          "memory.limit_in_bytes": "1000000\n", "memory.usage_in_bytes": "900000\n",
          "memory.stat": """
          inactive_file 1
          active_file 1
          mapped_file 1
          total_mapped_file 300000
          total_inactive_file 500000
          total_active_file 200000
          """,
        ], isUnified: false))
    #expect((old.limit, old.used) == (1_000_000, 500_000))
  }

  @Test(arguments: [
    ["memory.max": "max", "memory.current": "1"], ["memory.max": "1000"],
    ["memory.max": "1000", "memory.current": "-1"], ["memory.max": "1000", "memory.current": "many"],
    ["memory.max": "99999999999999999999", "memory.current": "1"],
  ])
  func groupsThatSetNoLimitOrSayNothingAreLeftOut(files: [String: String]) throws {
    #expect(try group(files, isUnified: true) == nil)
  }

  @Test func statisticsThatMakeNoSenseCountNothing() throws {
    let bound = try #require(
      try group(
        [
          "memory.max": "1000", "memory.current": "600",
          "memory.stat": "inactive_file 9223372036854775807\nactive_file -5\nfile_mapped\n\nx y z\n",
        ], isUnified: true))
    #expect(bound.used == 600)
  }

  @Test func theLimitThatLeavesTheLeastCounts() throws {
    let process = try #require(ProcessMemory.current)
    let status = MemoryStatus(
      bounds: [
        MemoryStatus.Bound(.machine, limit: 1000, used: 500),
        MemoryStatus.Bound(.addressSpace, limit: 400, used: 100),
        MemoryStatus.Bound(.controlGroup(folder: "/a"), limit: 900, used: 850),
      ], process: process)
    #expect((status.limit, status.used, status.available) == (900, 850, 50))
    #expect(status.narrowest.source == .controlGroup(folder: "/a"))
    #expect(status.share == 850.0 / 900)
    #expect(MemoryStatus.Bound(.data, limit: 10, used: 12).available == 0)
    #expect(MemoryStatus(bounds: [], process: process).available == 0)
  }

  @Test func limitsOfTheProcessCount() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit()
      limit.rlim_cur = 1 << 40
      limit.rlim_max = 1 << 40
      #expect(setrlimit(Int32(RLIMIT_AS.rawValue), &limit) == 0)
      let bound = try MemoryStatus.current().bounds.first { $0.source == .addressSpace }
      #expect(bound?.limit == 1 << 40)
    }
  }
}
