import CLibrary
import FoundationEssentials
import Kernels
import TensorCore

/// Versions of what takes part in a comparison besides the models.
enum HostVersions {
  /// The release; the program by the digest of its file, which names a build as no number does; the operating
  /// system.
  static var all: [Provenance.Version] {
    let versions: [(String, String?)] = [
      ("apus", ApusVersion.current), ("program", program), ("operating system", system),
    ]
    return versions.compactMap { name, version in version.map { .init(name: name, version: $0) } }
  }

  private static var system: String {
    var name = utsname()
    guard uname(&name) == 0 else { return ProcessInfo.processInfo.operatingSystemVersionString }
    let release = withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return "\(ProcessInfo.processInfo.operatingSystemVersionString), kernel \(release)"
  }

  private static var program: String? {
    guard let bytes = try? FileBytes.read("/proc/self/exe", limit: 1 << 30) else { return nil }
    return bytes.withUnsafeBytes { ContentDigest($0) }.hexadecimal
  }
}
