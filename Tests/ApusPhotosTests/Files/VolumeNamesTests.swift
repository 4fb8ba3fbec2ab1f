import Foundation
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What tells disks apart, where the system's folders are those of a test.
@Suite struct VolumeNamesTests {
  private let folder: TemporaryFolder
  private var root: String { folder.path }

  init() throws {
    folder = try TemporaryFolder()
    for path in ["dev/disk/by-uuid", "sys/dev/block"] { try FileSystem.makeFolder("\(folder.path)/\(path)") }
  }

  /// - Parameter node: the name of the device below /dev.
  private func add(_ volume: String, on node: String, _ device: Int) {
    let number = DeviceNumber(device)
    let name = node.replacingOccurrences(of: "/", with: "!")
    let place = "\(root)/sys/dev/block/\(number.major):\(number.minor)"
    #expect(symlink("../../devices/virtual/block/\(name)", place) == 0)
    #expect(symlink("../../\(node)", "\(root)/dev/disk/by-uuid/\(volume)") == 0)
  }

  /// By `os.makedev` of Python 3 on Linux.
  @Test func numbersOfADevice() {
    let devices: [(major: UInt32, minor: UInt32, device: Int)] = [
      (8, 17, 0x811), (259, 300, 0x11032C), (253, 0, 0xFD00), (0, 52, 0x34),
      (0x1234, 0x56789, 0x1000_5672_3489), (0xFFFFF, 0xFFF_FFFF, 0xF_F0FF_FFFF_FFFF),
    ]
    for (major, minor, device) in devices {
      let number = DeviceNumber(major: major, minor: minor)
      #expect(number.device == device, "\(major):\(minor)")
      #expect(DeviceNumber(device) == number)
    }
  }

  @Test func volumesByTheirDevices() {
    add("1234-ABCD", on: "sda1", 8 << 8 | 1)
    add("0b6e-long", on: "cciss/c0d0p1", 104 << 8 | 1)
    add("5678-EF00", on: "da1", 8 << 8 | 33)
    let volumes = VolumeNames(root: root)
    #expect(volumes.name(ofDevice: 8 << 8 | 1) == "1234-ABCD")
    #expect(volumes.name(ofDevice: 104 << 8 | 1) == "0b6e-long")
    #expect(volumes.name(ofDevice: 8 << 8 | 33) == "5678-EF00")
    #expect(volumes.name(ofDevice: 8 << 8 | 2) == nil)
    #expect(VolumeNames(root: "\(root)/none").name(ofDevice: 8 << 8 | 1) == nil)
  }

  /// As of a card with FAT, exFAT or XFS in the place of another, which has the same numbers.
  @Test func aVolumeUnderTheNumbersOfAnother() throws {
    let file = try folder.write("pictures/a.jpg", "x")
    let pictures = "\(root)/pictures"
    add("1234-ABCD", on: "sdx1", try #require(FileSystem.version(of: pictures)).device)
    let volumes = VolumeNames(root: root)
    let options = WalkOptions(try Exclusions())
    let disk = try #require(PictureWalk(pictures, options, volumes: volumes).disk)
    #expect(disk.volume == "1234-ABCD")
    let other = RootDisk(device: disk.device, fileSystem: disk.fileSystem, volume: "5678-EF00")
    let moved = RootDisk(device: disk.device + 1, fileSystem: disk.fileSystem ^ 1, volume: disk.volume)
    let nameless = RootDisk(device: disk.device, fileSystem: disk.fileSystem)
    func state(_ path: String, _ known: RootDisk, _ volumes: VolumeNames) -> RootState {
      PictureWalk(path, knownOn: known, options, volumes: volumes).state
    }
    for path in [pictures, file] {
      #expect(state(path, other, volumes) == .otherDisk)
      #expect(state(path, moved, volumes) == .present)
      #expect(state(path, nameless, volumes) == .present)
      // Where the system tells no names, what it tells else counts.
      #expect(state(path, other, VolumeNames(root: "\(root)/none")) == .present)
    }
  }

  @Test func aNameIsKeptWhereTheSystemTellsNone() {
    let known = RootDisk(device: 1, fileSystem: 5, volume: "a")
    #expect(
      RootDisk(device: 2, fileSystem: 5).knowing(known) == RootDisk(device: 2, fileSystem: 5, volume: "a"))
    for other in [RootDisk(device: 1, fileSystem: 6), RootDisk(device: 1, fileSystem: 5, volume: "b")] {
      #expect(other.knowing(known) == other)
      #expect(other.knowing(nil) == other)
    }
  }
}
