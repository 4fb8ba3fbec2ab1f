import CLibrary
import TensorCore

/// A socket that this process has open.
public struct OpenSocket: Sendable, Hashable, Codable {
  /// The number of its descriptor.
  public let descriptor: Int32
  /// `tcp`, `udp`, `unix` and so on, as the kernel's lists of sockets are named; `other` for what is in none.
  public let kind: String

  /// Whether it is one of the standard streams and connected to another program of this computer: what a service
  /// manager's log is behind, say.
  public var isLocalStream: Bool { (0...2).contains(descriptor) && kind == "unix" }

  /// All that there are now.
  static var all: [OpenSocket] {
    (FileSystem.names(in: "/proc/self/fd") ?? []).compactMap { name in
      var status = stat()
      guard let descriptor = Int32(name), fstat(descriptor, &status) == 0,
        status.st_mode & S_IFMT == S_IFSOCK
      else { return nil }
      return OpenSocket(descriptor: descriptor, kind: kind(of: status.st_ino))
    }.sorted { $0.descriptor < $1.descriptor }
  }

  private static func kind(of number: UInt) -> String {
    let (node, tables) = (Substring("\(number)"), "/proc/self/net")
    let names = (FileSystem.names(in: tables) ?? []).filter { columns[$0] != nil }
    return names.first { name in
      let lines = (KernelFile.text("\(tables)/\(name)") ?? "").split(separator: "\n").dropFirst()
      return lines.contains { line in
        let words = line.split(separator: " ")
        return columns[name].map { $0 < words.count && words[$0] == node } ?? false
      }
    } ?? "other"
  }

  /// The kernel's lists of sockets, and which word of a line is the socket's number, from 0.
  private static let columns = [
    "unix": 6, "tcp": 9, "tcp6": 9, "udp": 9, "udp6": 9, "udplite": 9, "udplite6": 9, "raw": 9, "raw6": 9,
    "icmp": 9, "icmp6": 9, "packet": 8, "netlink": 9,
  ]
}
