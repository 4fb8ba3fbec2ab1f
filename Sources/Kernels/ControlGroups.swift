import TensorCore

/// The control groups of this process for one controller: a limit of any of them holds for the process.
package struct ControlGroups: Sendable {
  /// Their folders, the process's own first, then those around it as far out as can be seen.
  package let folders: [String]
  /// Whether they are of version 2, whose files have other names.
  package let isUnified: Bool

  /// The groups as they are now; none where the system has none, or does not show them.
  /// - Parameter controller: `memory`, say, or `cpu`.
  package init(of controller: String) {
    self.init(
      of: controller, memberships: KernelFile.text("/proc/self/cgroup") ?? "",
      mounts: KernelFile.text("/proc/self/mountinfo") ?? "")
  }

  /// - Parameters:
  ///   - memberships: as `/proc/self/cgroup` has them, described in cgroups(7): `4:memory:/a/b`, of version 2 `0::/a/b`.
  ///   - mounts: as `/proc/self/mountinfo` has them, described in proc(5).
  package init(of controller: String, memberships: String, mounts: String) {
    let groups = memberships.split(separator: "\n").map {
      $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    }.filter { $0.count == 3 }
    let own = groups.first { $0[1].split(separator: ",").contains(Substring(controller)) }
    let unified = groups.first { $0[0] == "0" && $0[1].isEmpty }
    isUnified = own == nil
    folders =
      (own ?? unified).map { group in
        Self.folders(of: String(group[2]), on: Self.mount(of: own == nil ? nil : controller, in: mounts))
      } ?? []
  }

  /// Where the groups of a controller are to be seen: the group that the folder shows, and the folder.
  /// - Parameter controller: nil for version 2.
  private static func mount(of controller: String?, in mounts: String) -> (root: String, folder: String)? {
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash > 4, dash + 3 < fields.count else { continue }
      let options = fields[dash + 3].split(separator: ",")
      let isIt =
        if let controller {
          fields[dash + 1] == "cgroup" && options.contains(Substring(controller))
        } else {
          fields[dash + 1] == "cgroup2"
        }
      if isIt { return (String(fields[3]), String(fields[4])) }
    }
    return nil
  }

  private static func folders(of group: String, on mount: (root: String, folder: String)?) -> [String] {
    guard let mount else { return [] }
    let root = mount.root == "/" ? "" : mount.root
    // In a container the mount may show another part of the tree than the one that the group is named in.
    guard group.hasPrefix(root + "/"), !group.hasPrefix("/..") else { return [mount.folder] }
    var names = group.dropFirst(root.count).split(separator: "/")
    var folders: [String] = []
    while !names.isEmpty {
      folders.append(([mount.folder[...]] + names).joined(separator: "/"))
      names.removeLast()
    }
    return folders + [mount.folder]
  }
}

extension ControlGroups {
  /// The bytes of memory that one of the groups grants; nil where it sets no limit. Version 2 has one beyond which
  /// processes are ended, and one beyond which they are slowed until they hardly run: the lower counts.
  package func memoryLimit(of folder: String) -> Int? {
    let names = isUnified ? ["memory.max", "memory.high"] : ["memory.limit_in_bytes"]
    let limits = names.compactMap { KernelFile.text("\(folder)/\($0)").flatMap { Int($0.trimmed) } }
    // Where none is set, version 1 says a number that no machine has.
    return limits.filter { $0 >= 0 && $0 < HostLimits.physicalMemory }.min()
  }

  /// The processors' worth of time that one of the groups grants; nil where it sets no limit.
  package func processorTime(of folder: String) -> Double? {
    if isUnified {
      return Self.processorTime(
        KernelFile.text("\(folder)/cpu.max")?.split(whereSeparator: \.isWhitespace).map(String.init) ?? [])
    }
    return Self.processorTime(
      ["quota_us", "period_us"].compactMap { KernelFile.text("\(folder)/cpu.cfs_\($0)")?.trimmed })
  }

  /// - Parameter fields: microseconds in so many microseconds; `max` or a negative number stand for no limit.
  private static func processorTime(_ fields: [String]) -> Double? {
    guard fields.count == 2, let quota = Int(fields[0]), let period = Int(fields[1]), quota > 0, period > 0
    else { return nil }
    return min(Double(quota) / Double(period), 4096)
  }
}
