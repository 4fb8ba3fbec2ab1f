import Kernels
import TestSupport
import Testing

struct ControlGroupsTests {
  private static let mounts = """
    31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw
    32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:7 - cgroup cgroup rw,cpu,cpuacct
    35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
    41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
    """

  @Test func version1HasAFolderForEachController() {
    let memberships = "9:name=systemd:/\n4:memory:/a/b\n1:cpuacct,cpu:/\n0::/c\n"
    let memory = ControlGroups(of: "memory", memberships: memberships, mounts: Self.mounts)
    #expect(memory.folders == ["/a/b", "/a", ""].map { "/sys/fs/cgroup/memory" + $0 })
    #expect(!memory.isUnified)
    #expect(
      ControlGroups(of: "cpu", memberships: memberships, mounts: Self.mounts).folders == [
        "/sys/fs/cgroup/cpu"
      ])
  }

  @Test func version2HasOneFolderForAll() {
    let groups = ControlGroups(of: "memory", memberships: "0::/user.slice/a b:c\n", mounts: Self.mounts)
    #expect(
      groups.folders == ["/user.slice/a b:c", "/user.slice", ""].map { "/sys/fs/cgroup/unified" + $0 })
    #expect(groups.isUnified)
  }

  /// A container sees its own part of the tree; its group may be named as outside of it, or by the way out.
  @Test(arguments: [
    ("/docker/1", "/docker/1/x", ["/m/x", "/m"]), ("/docker/1", "/docker/1", ["/m"]),
    ("/docker/1", "/docker/12", ["/m"]), ("/", "/../2", ["/m"]),
  ])
  func mountsOfPartsOfTheTree(root: String, group: String, folders: [String]) {
    let groups = ControlGroups(
      of: "memory", memberships: "0::\(group)", mounts: "1 2 0:3 \(root) /m rw - cgroup2 cgroup2 rw")
    #expect(groups.folders == folders)
  }

  @Test(arguments: ["", "4:memory", "::", "0::/a", "1:memory:/a\n36 35", "4:memory:relative"])
  func whatIsNoTableHasNoGroups(memberships: String) {
    for mounts in ["", "-", "1 2 0:3 / /m rw -", "1 2 0:3 / /m rw - cgroup2"] {
      #expect(ControlGroups(of: "memory", memberships: memberships, mounts: mounts).folders.isEmpty)
    }
  }

  private func groups(_ files: [(String, String)], isUnified: Bool) throws -> (ControlGroups, TemporaryFolder)
  {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(name, text) }
    let memberships = isUnified ? "0::/own" : "4:memory,cpu:/own"
    let kind = isUnified ? "cgroup2 cgroup2 rw" : "cgroup cgroup rw,memory,cpu"
    return (
      ControlGroups(
        of: "memory", memberships: memberships, mounts: "1 2 0:3 / \(folder.path) rw - \(kind)"), folder
    )
  }

  @Test func limitsOfMemory() throws {
    let (unified, first) = try groups(
      [("own/memory.max", "max\n"), ("own/memory.high", "4096\n"), ("memory.max", "8192\n")], isUnified: true)
    #expect(unified.folders.map(unified.memoryLimit) == [4096, 8192])
    let (old, second) = try groups(
      [("own/memory.limit_in_bytes", "9223372036854771712\n"), ("memory.limit_in_bytes", "4096\n")],
      isUnified: false)
    #expect(old.folders.map(old.memoryLimit) == [nil, 4096])
    withExtendedLifetime((first, second)) {}
  }

  @Test func timeOfProcessors() throws {
    let (unified, first) = try groups(
      [("own/cpu.max", "150000 100000\n"), ("cpu.max", "max 100000\n")], isUnified: true)
    #expect(unified.folders.map(unified.processorTime) == [1.5, nil])
    let (old, second) = try groups(
      [
        ("own/cpu.cfs_quota_us", "-1\n"), ("own/cpu.cfs_period_us", "100000\n"),
        ("cpu.cfs_quota_us", "50000\n"), ("cpu.cfs_period_us", "100000\n"),
      ], isUnified: false)
    #expect(old.folders.map(old.processorTime) == [nil, 0.5])
    withExtendedLifetime((first, second)) {}
  }
}
