import TensorCore

/// Files that SwiftPM puts beside a program or a test bundle for a target of this package.
package enum PackageResources {
  /// The folder of a target's resources. (`Bundle.module`, which SwiftPM writes, ends the process where it is missing.)
  /// - Parameters:
  ///   - bundle: the package's name, an underscore, the target's.
  ///   - code: the handle of the program or library that the target's code is in.
  /// - Throws: ``ApusError`` of kind `file` with the place where it is not.
  package static func folder(_ bundle: String, beside code: UnsafeRawPointer) throws(ApusError) -> String {
    let files = [file(mappedAt: UInt(bitPattern: code)), FileSystem.resolved("/proc/self/exe")].compactMap(
      \.self)
    let folders = files.map { "\(FileName.folder(of: $0))/\(bundle).resources" }
    guard let found = folders.first(where: FileSystem.isFolder) else {
      throw ApusError(
        .file, "no resources of the package", expected: "the folder beside the program", file: folders.last,
        advice: "Install '\(bundle).resources' together with the program.")
    }
    return found
  }

  /// The file of which a part is mapped at an address (proc(5), `/proc/pid/maps`).
  private static func file(mappedAt address: UInt) -> String? {
    for line in KernelFile.text("/proc/self/maps")?.split(separator: "\n") ?? [] {
      let columns = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      let ends = columns[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard columns.count == 6, ends.count == 2, ends[0]..<max(ends[0], ends[1]) ~= address else { continue }
      return columns[5].trimmed
    }
    return nil
  }
}
