import Foundation
import TestSupport
import Testing

@testable import ApusPhotos

/// The parts of a watch by themselves.
@Suite struct WatchPartTests {
  @Test func fileSystemsByTheirDevices() {
    let table = MountTable(
      """
      22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
      36 35 0:52 / /mnt/pho\\040tos rw,noatime shared:1 master:7 - nfs4 server:/photos rw,vers=4.2
      40 22 0:61 / /mnt/phone rw - fuse.jmtpfs jmtpfs rw
      41 22 8:17 / /media/disk rw - fuseblk /dev/sdb1 rw
      42 22 259:300 / /far rw - cifs //server/far rw
      half a line - 
      """)
    #expect(
      table.below("/mnt").map { String(decoding: $0.folder, as: UTF8.self) }.sorted() == [
        "/mnt/pho tos", "/mnt/phone",
      ])
    #expect(table.below("/mnt/phone").isEmpty && table.below("/m").isEmpty && table.below("/").count == 4)
    #expect(table.remoteFileSystem(device: 254 << 8) == nil)
    #expect(table.remoteFileSystem(device: 52) == "nfs4")
    #expect(table.remoteFileSystem(device: 61) == "fuse.jmtpfs")
    #expect(table.remoteFileSystem(device: 8 << 8 | 17) == nil)
    #expect(table.remoteFileSystem(device: 259 << 8 | 300 & 0xFF | (300 & ~0xFF) << 12) == "cifs")
    #expect(table.remoteFileSystem(device: 1) == nil)
  }

  @Test func thisMachinesRootIsLocal() {
    let table = MountTable()
    #expect(table.remoteFileSystem(device: -1) == nil)
  }

  private func bytes(_ watch: Int32, _ mask: UInt32, _ name: [UInt8], length: Int) -> [UInt8] {
    let head = [UInt32(bitPattern: watch), mask, 7, UInt32(length)]
    return head.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } } + name
      + Array(repeating: 0, count: max(length - name.count, 0))
  }

  @Test func eventsAsTheSystemWritesThem() {
    let all = bytes(3, 8, [0x61, 0xFF], length: 16) + bytes(-1, 0x4000, [], length: 0)
    let expected = [
      InotifyEvent(watch: 3, mask: 8, cookie: 7, name: [0x61, 0xFF]),
      InotifyEvent(watch: -1, mask: 0x4000, cookie: 7, name: []),
    ]
    #expect(all.withUnsafeBytes { InotifyEvent.events(in: $0) } == expected)
    for count in 0..<all.count {
      let part = Array(all.prefix(count))
      #expect(
        part.withUnsafeBytes { InotifyEvent.events(in: $0) } == Array(expected.prefix(count < 32 ? 0 : 1)))
    }
    let damaged = bytes(1, 1, [], length: 0xFFFF_FFF).prefix(40)
    #expect(Array(damaged).withUnsafeBytes { InotifyEvent.events(in: $0) }.isEmpty)
  }

  @Test func foldersOfATree() {
    var tree = WatchedTree()
    tree.putRoot(1)
    for (watch, name, parent) in [(2, "a", 1), (3, "b", 2), (4, "c", 3)] as [(Int32, String, Int32)] {
      #expect(tree.put(watch, Array(name.utf8), in: parent).isEmpty)
    }
    let path = { (tree: WatchedTree, watch: Int32) in
      tree.path(of: watch).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(path(tree, 4) == "a/b/c")
    #expect(path(tree, 1) == "")
    #expect(tree.put(3, Array("x".utf8), in: 1).isEmpty)
    #expect(path(tree, 4) == "x/c")
    #expect(tree.child(Array("b".utf8), of: 2) == nil)
    #expect(tree.put(3, Array("y".utf8), in: 4).isEmpty)
    #expect(path(tree, 4) == "x/c", "a folder is not below itself")
    #expect(tree.put(9, Array("z".utf8), in: 99).isEmpty)
    #expect(path(tree, 9) == nil)
    tree.takeOut(3)
    #expect(path(tree, 4) == nil && tree.isTakenOut(3) && !tree.isTakenOut(4) && !tree.isTakenOut(1))
    #expect(tree.put(3, Array("b".utf8), in: 2).isEmpty)
    #expect(path(tree, 4) == "a/b/c")
    #expect(tree.put(5, Array("b".utf8), in: 2).sorted() == [3, 4], "another folder has the name")
    #expect(tree.remove(2).sorted() == [2, 5])
    #expect(tree.remove(1) == [1] && tree.count == 0 && tree.root == nil)
  }

  /// Trees changed at random keep one path for each folder, but for those that were taken out and what is below them.
  @Test func lawsOfATree() {
    var random = SeededRandom()
    for _ in 0..<50 {
      var tree = WatchedTree()
      tree.putRoot(0)
      var (known, out): (Set<Int32>, Set<Int32>) = ([0], [])
      for _ in 0..<200 {
        let watch = Int32.random(in: 1...20, using: &random)
        let parent = Int32.random(in: 0...20, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: known.subtract(tree.remove(watch))
        case 1: tree.takeOut(watch)
        default:
          known.subtract(tree.put(watch, [UInt8.random(in: 97...103, using: &random)], in: parent))
          if tree.contains(watch) { known.insert(watch) }
        }
        out = known.filter(tree.isTakenOut)
        #expect(tree.count == known.count && known.allSatisfy(tree.contains))
        let paths = known.compactMap(tree.path)
        #expect(Set(paths).count == paths.count, "seed \(random.seed)")
        #expect(out.allSatisfy { tree.path(of: $0) == nil })
        if out.isEmpty { #expect(paths.count == known.count, "seed \(random.seed)") }
      }
    }
  }

  @Test func whatIsInAFolderThatIsWalkedIsNotToldByItself() throws {
    var changes = PendingChanges()
    for file in ["a/x.jpg", "b.jpg", "a.jpg", "ab/x.jpg"] { changes.note(file: Array(file.utf8)) }
    for folder in ["a", "a/b", "c/d"] { changes.note(folder: Array(folder.utf8)) }
    let told = changes.take("r")
    #expect(told.files == ["a.jpg", "ab/x.jpg", "b.jpg"])
    #expect(told.folders == ["a", "c/d"])
    #expect(changes.take("r") == FolderChanges(root: "r", renames: [], files: [], folders: []))
    #expect(changes.due(try WatchedRoot.options()) == nil)
  }
}
