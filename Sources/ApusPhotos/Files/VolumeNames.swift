import CLibrary
import TensorCore

/// The names that volumes were given when they were formatted, as `/dev/disk/by-uuid` has them: what tells two
/// disks apart whose file systems go by the number of their device, as XFS, FAT and exFAT do.
package struct VolumeNames: Sendable {
  /// A link for each volume, named by it, to its device.
  private let volumes: String
  /// A link for each device, named by its numbers, to what the system knows of it.
  private let devices: String

  /// - Parameter root: what stands before the paths of the system's folders.
  package init(root: String = "") {
    volumes = "\(root)/dev/disk/by-uuid"
    devices = "\(root)/sys/dev/block"
  }

  /// The name of the volume on a device; nil where the system does not tell, and of what is on no disk.
  /// - Parameter device: as `stat` gives it.
  package func name(ofDevice device: Int) -> String? {
    let number = DeviceNumber(device)
    let slash = UInt8(ascii: "/")
    guard let place = Self.target(of: "\(devices)/\(number.major):\(number.minor)") else { return nil }
    // Below /sys a `!` stands for a `/` of a device's name.
    let name = place[(place.lastIndex(of: slash).map { $0 + 1 } ?? 0)...].map {
      $0 == UInt8(ascii: "!") ? slash : $0
    }
    let end = [slash] + name
    return (FileSystem.names(in: volumes) ?? []).first { volume in
      Self.target(of: "\(volumes)/\(volume)").map { $0.suffix(end.count).elementsEqual(end) } ?? false
    }
  }

  /// The target of a link; nil if there is none.
  private static func target(of link: String) -> [UInt8]? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = link.withFileName { readlink($0, &bytes, bytes.count) }
    return count > 0 ? bytes[..<count].map { UInt8(bitPattern: $0) } : nil
  }
}
