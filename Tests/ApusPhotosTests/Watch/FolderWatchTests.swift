import Foundation
import Synchronization
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What a watch tells of changes in real folders.
@Suite struct FolderWatchTests {
  @Test func filesWrittenAndRemovedComeTogether() async throws {
    let watched = try WatchedRoot { try $0.write("old.jpg", "x") }
    try await watched.started()
    try watched.atOnce {
      for name in ["b.jpg", "a.png", "notes.txt", ".hidden.jpg"] { try watched.folder.write(name, "12") }
      watched.remove("old.jpg")
    }
    let changes = try await watched.changes()
    #expect(changes.files == ["a.png", "b.jpg", "old.jpg"])
    #expect(changes.folders.isEmpty && changes.renames.isEmpty && changes.root == watched.root)
    #expect(await watched.nextOrNone(within: .milliseconds(300)) == nil)
  }

  @Test func aFileIsToldWhenItIsClosed() async throws {
    let watched = try WatchedRoot()
    try await watched.started()
    let file = try #require(fopen("\(watched.root)/a.jpg", "w"))
    fputs("half", file)
    fflush(file)
    #expect(await watched.nextOrNone(within: .milliseconds(300)) == nil)
    fclose(file)
    #expect(try await watched.changes().files == ["a.jpg"])
  }

  /// As programs do that link a file when it is whole: nothing is closed under its name.
  @Test func aFileThatHadItsContentBeforeItsName() async throws {
    let watched = try WatchedRoot(unclosed: .milliseconds(100))
    try await watched.started()
    try watched.atOnce {
      try watched.folder.write("part.tmp", "x")
      #expect(link("\(watched.root)/part.tmp", "\(watched.root)/whole.jpg") == 0)
      watched.remove("part.tmp")
    }
    #expect(try await watched.changes().files == ["whole.jpg"])
    let file = try #require(fopen("\(watched.root)/empty.jpg", "w"))
    #expect(await watched.nextOrNone(within: .milliseconds(400)) == nil)
    fclose(file)
    #expect(try await watched.changes().files == ["empty.jpg"])
  }

  @Test func changesThatGoOnAreToldNowAndThen() async throws {
    let watched = try WatchedRoot()
    try await watched.started()
    let writing = Task {
      for number in 0..<100 where !Task.isCancelled {
        try watched.folder.write("\(number).jpg", "x")
        try await Task.sleep(for: .milliseconds(20))
      }
    }
    let first = try await watched.changes()
    #expect(!first.files.isEmpty && first.files.count < 100)
    writing.cancel()
    _ = try? await writing.value
  }

  @Test func filesWithAnotherName() async throws {
    let watched = try WatchedRoot {
      try $0.write("a.jpg", "x"); try $0.write("f/c.jpg", "x")
    }
    try await watched.started()
    watched.atOnce {
      watched.move("a.jpg", "b.jpg")
      watched.move("f/c.jpg", "c.jpg")
    }
    let changes = try await watched.changes()
    #expect(
      changes.renames == [
        FolderChanges.Rename(from: "a.jpg", to: "b.jpg", isFolder: false),
        FolderChanges.Rename(from: "f/c.jpg", to: "c.jpg", isFolder: false),
      ])
    #expect(changes.files == ["a.jpg", "b.jpg", "c.jpg", "f/c.jpg"])
    watched.move("b.jpg", "b.txt")
    #expect(
      try await watched.changes()
        == FolderChanges(root: watched.root, renames: [], files: ["b.jpg"], folders: []))
    try watched.atOnce {
      try watched.folder.write("new.tmp", "y")
      watched.move("new.tmp", "c.jpg")
    }
    #expect(
      try await watched.changes()
        == FolderChanges(root: watched.root, renames: [], files: ["c.jpg"], folders: []))
  }

  @Test func foldersMadeAndMovedIn() async throws {
    let watched = try WatchedRoot("root") {
      try $0.write("outside/deep/er/x.jpg", "x")
      try $0.write("root/a.txt", "x")
    }
    try await watched.started()
    let deep = "new/" + (0..<30).map { "level\($0)" }.joined(separator: "/")
    try watched.atOnce {
      try watched.folder.write("root/\(deep)/a.jpg", "x")
      watched.move("outside", "root/inside")
    }
    let made = try await watched.changes()
    #expect(made.folders == ["inside", "new"] && made.files.isEmpty && made.renames.isEmpty)
    try watched.atOnce {
      try watched.folder.write("root/\(deep)/b.jpg", "x")
      try watched.folder.write("root/inside/deep/er/y.jpg", "x")
    }
    #expect(try await watched.changes().files == ["inside/deep/er/y.jpg", "\(deep)/b.jpg"])
  }

  @Test func aFolderWithAnotherNameIsWatchedUnderIt() async throws {
    let watched = try WatchedRoot {
      try $0.write("a/b/c/x.jpg", "x"); try $0.write("other/x.txt", "x")
    }
    try await watched.started()
    watched.atOnce {
      watched.move("a", "z")
      watched.move("z/b", "other/b")
    }
    let changes = try await watched.changes()
    #expect(
      changes.renames == [
        FolderChanges.Rename(from: "a", to: "z", isFolder: true),
        FolderChanges.Rename(from: "z/b", to: "other/b", isFolder: true),
      ])
    #expect(changes.folders == ["a", "other/b", "z"])
    try watched.folder.write("other/b/c/y.jpg", "x")
    #expect(try await watched.changes().files == ["other/b/c/y.jpg"])
    try watched.atOnce { try watched.folder.write("a/new.jpg", "x") }
    #expect(try await watched.changes().folders == ["a"])
  }

  @Test func aFolderThatIsMovedOutIsNoLongerWatched() async throws {
    let watched = try WatchedRoot("root") { try $0.write("root/a/b/x.jpg", "x") }
    try await watched.started()
    watched.move("root/a", "gone")
    #expect(try await watched.changes().folders == ["a"])
    try watched.folder.write("gone/b/y.jpg", "x")
    #expect(await watched.nextOrNone(within: .milliseconds(300)) == nil)
    watched.move("gone", "root/.trash")
    try watched.folder.write("root/.trash/b/z.jpg", "x")
    #expect(await watched.nextOrNone(within: .milliseconds(300)) == nil)
    watched.move("root/.trash", "root/back")
    #expect(try await watched.changes().folders == ["back"])
    watched.atOnce { watched.remove("root/back") }
    #expect(try await watched.changes().folders == ["back"])
  }

  private typealias RenameAt =
    @convention(c) (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt

  @Test func foldersThatAreExchanged() async throws {
    let watched = try WatchedRoot {
      try $0.write("a/x.jpg", "x"); try $0.write("b/deep/y.jpg", "x")
    }
    try await watched.started()
    let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "renameat2"))
    let renameAt = unsafeBitCast(symbol, to: RenameAt.self)
    // RENAME_EXCHANGE, of folders by their whole paths.
    #expect(renameAt(-1, "\(watched.root)/a", -1, "\(watched.root)/b", 2) == 0)
    #expect(try await watched.changes().folders == ["a", "b"])
    try watched.atOnce {
      try watched.folder.write("a/deep/new.jpg", "x")
      try watched.folder.write("b/new.jpg", "x")
    }
    #expect(try await watched.changes().files == ["a/deep/new.jpg", "b/new.jpg"])
  }

  @Test func whatIsLeftOutIsNotTold() async throws {
    let watched = try WatchedRoot {
      try $0.write("@eaDir/x.jpg", "x"); try $0.write("a/.git/x.jpg", "x")
    }
    try await watched.started()
    try watched.folder.write("@eaDir/y.jpg", "x")
    try watched.folder.write("a/.git/y.jpg", "x")
    try watched.folder.write("node_modules/y.jpg", "x")
    try watched.folder.write("a/._y.jpg", "x")
    #expect(await watched.nextOrNone(within: .milliseconds(300)) == nil)
  }

  @Test func linksComeWithoutBeingWritten() async throws {
    let watched = try WatchedRoot { try $0.write("a.jpg", "x") }
    try await watched.started()
    watched.atOnce {
      #expect(link("\(watched.root)/a.jpg", "\(watched.root)/hard.jpg") == 0)
      #expect(symlink("a.jpg", "\(watched.root)/soft.jpg") == 0)
    }
    #expect(try await watched.changes().files == ["hard.jpg", "soft.jpg"])
  }

  @Test func linksToFoldersAreWatchedIfWanted() async throws {
    let outside = try TemporaryFolder()
    try outside.write("f/a.jpg", "x")
    let watched = try WatchedRoot(followsLinks: true) {
      #expect(symlink(outside.path, "\($0.path)/link") == 0)
      #expect(symlink(".", "\($0.path)/itself") == 0)
    }
    try await watched.started()
    try outside.write("f/b.jpg", "x")
    #expect(try await watched.changes().files == ["link/f/b.jpg"])
    let later = try TemporaryFolder()
    #expect(symlink(later.path, "\(watched.root)/later") == 0)
    #expect(try await watched.changes().folders == ["later"])
    try later.write("c.jpg", "x")
    #expect(try await watched.changes().files == ["later/c.jpg"])
    watched.remove("link")
    #expect(try await watched.changes().folders == ["link"])
    try outside.write("f/d.jpg", "x")
    #expect(await watched.nextOrNone(within: .milliseconds(300)) == nil)
  }

  @Test func namesOfAnyBytes() async throws {
    let watched = try WatchedRoot()
    try await watched.started()
    let name = FileName.text([0x61, 0xFF, 0x0A] + Array(".jpg".utf8))
    let folder = FileName.text([0xE9])
    try FileSystem.makeFolder("\(watched.root)/\(folder)")
    #expect(try await watched.changes().folders == [folder])
    let new = try NewFile(replacing: "\(watched.root)/\(folder)/\(name)")
    try new.write([1])
    try new.commit()
    #expect(try await watched.changes().files == ["\(folder)/\(name)"])
  }

  @Test func aRootThatGoesAndComesBack() async throws {
    let watched = try WatchedRoot("root") { try $0.write("root/a/x.jpg", "x") }
    try await watched.started()
    watched.move("root", "elsewhere")
    #expect(try await watched.next() == .lost(root: watched.root))
    try watched.folder.write("elsewhere/a/y.jpg", "x")
    #expect(await watched.nextOrNone(within: .milliseconds(300)) == nil)
    watched.move("elsewhere", "root")
    #expect(try await watched.next() == .rescan(root: watched.root, folder: "", .returned))
    try watched.folder.write("root/a/z.jpg", "x")
    #expect(try await watched.changes().files == ["a/z.jpg"])
    watched.remove("root")
    #expect(try await watched.next() == .lost(root: watched.root))
  }

  /// As when a disk is mounted over it: no event tells of that.
  @Test func anotherFolderInThePlaceOfTheRoot() async throws {
    let watched = try WatchedRoot("parent/root") { try $0.write("parent/root/x.jpg", "x") }
    try await watched.started()
    try watched.atOnce {
      watched.move("parent", "other")
      try watched.folder.write("parent/root/y.jpg", "x")
    }
    var events: [WatchEvent] = []
    while events.last != .rescan(root: watched.root, folder: "", .returned) {
      events.append(try await watched.next())
    }
    try watched.folder.write("parent/root/z.jpg", "x")
    #expect(try await watched.changes().files == ["z.jpg"])
  }

  @Test func aRootThatIsNotThereYet() async throws {
    let watched = try WatchedRoot("later")
    #expect(try await watched.next() == .lost(root: watched.root))
    try watched.makeFolder("later")
    #expect(try await watched.next() == .rescan(root: watched.root, folder: "", .returned))
  }

  @Test func aFileAsARoot() async throws {
    let watched = try WatchedRoot("a.jpg") { try $0.write("a.jpg", "x") }
    try await watched.started()
    try watched.folder.write("b.jpg", "x")
    #expect(await watched.nextOrNone(within: .milliseconds(300)) == nil)
    try watched.folder.write("a.jpg", "yy")
    #expect(try await watched.changes().files == [""])
    watched.move("b.jpg", "a.jpg")
    #expect(try await watched.changes().files == [""])
    watched.remove("a.jpg")
    #expect(try await watched.changes().files == [""])
  }

  @Test func moreChangesThanTheSystemKeeps() async throws {
    let limit = try #require(
      Int((KernelFile.text("/proc/sys/fs/inotify/max_queued_events") ?? "").trimmed))
    let watched = try WatchedRoot { try $0.write("a/x.jpg", "x") }
    try await watched.started()
    // Nobody reads the events while the queue is held up.
    watched.atOnce {
      for number in 0..<limit / 2 + 10 {
        let path = "\(watched.root)/a/\(number).jpg"
        close(open(path, O_WRONLY | O_CREAT, 0o600))
        unlink(path)
      }
      try? FileSystem.makeFolder("\(watched.root)/unseen/deep")
    }
    #expect(try await watched.next() == .rescan(root: watched.root, folder: "", .manyChanges))
    try watched.folder.write("unseen/deep/x.jpg", "x")
    #expect(try await watched.changes().files == ["unseen/deep/x.jpg"])
  }

  @Test func noMoreWatches() async throws {
    let watched = try WatchedRoot(mostFolders: 3, rescanInterval: .milliseconds(200)) {
      try $0.write("a/b/x.jpg", "x")
    }
    try await watched.started()
    try watched.folder.write("a/y.jpg", "x")
    #expect(try await watched.changes().files == ["a/y.jpg"])
    try watched.folder.write("c/y.jpg", "x")
    guard case .unwatched(watched.root, "", let error) = try await watched.next() else {
      throw WatchedRoot.TooLate()
    }
    #expect(
      error.description == """
        \(watched.root): there are no more watches of folders, of which 3 were allowed here. `sysctl \
        fs.inotify.max_user_watches=1048576` as root raises the limit for a user's programs.
        """)
    #expect(try await watched.next() == .rescan(root: watched.root, folder: "", .manyChanges))
    #expect(try await watched.next() == .rescan(root: watched.root, folder: "", .interval))
    #expect(try await watched.next() == .rescan(root: watched.root, folder: "", .interval))
    watched.remove("")
    while try await watched.next() != .lost(root: watched.root) {}
  }

  @Test func fileSystemsOfTheNetwork() async throws {
    let device = FileSystem.version(of: NSTemporaryDirectory())?.device ?? 0
    let (major, minor) = (device >> 8 & 0xFFF, device & 0xFF | device >> 12 & ~0xFF)
    let mounts = MountTable("36 35 \(major):\(minor) / / rw - nfs4 server:/ rw\n")
    let watched = try WatchedRoot(mounts: mounts, rescanInterval: .milliseconds(200))
    guard case .unwatched(watched.root, "", let error) = try await watched.next() else {
      throw WatchedRoot.TooLate()
    }
    #expect(
      error.description
        == "\(watched.root): is on a file system of kind nfs4, which does not tell what other machines change."
    )
    #expect(try await watched.next() == .rescan(root: watched.root, folder: "", .started))
    #expect(try await watched.next() == .rescan(root: watched.root, folder: "", .interval))
  }

  @Test func aDiskThatIsMountedBelowTheRoot() async throws {
    let folder = try TemporaryFolder()
    let path = try #require(FileSystem.resolved(folder.path))
    let text = Mutex("22 1 254:0 / / rw - ext4 /dev/vda rw\n")
    let watch = FolderWatch(
      [folder.path], try WatchedRoot.options(), mounts: { MountTable(text.withLock { $0 }) })
    let events = watch.makeAsyncIterator()
    #expect(await events.next() == .rescan(root: folder.path, folder: "", .started))
    text.withLock {
      $0 +=
        "90 22 8:33 / /elsewhere rw - ext4 /dev/sdc1 rw\n91 22 8:34 / \(path)/disk rw - vfat /dev/sdc2 rw\n"
    }
    #expect(await events.next() == .rescan(root: folder.path, folder: "", .mounted))
    try folder.write("a.jpg", "x")
    guard case .changes(let changes)? = await events.next() else { throw WatchedRoot.TooLate() }
    #expect(changes.files == ["a.jpg"])
  }

  @Test func severalRootsOneInTheOther() async throws {
    let folder = try TemporaryFolder()
    try folder.write("a/b/x.jpg", "x")
    let (outer, inner) = (folder.path, "\(folder.path)/a/b")
    let watch = FolderWatch([outer, inner], try WatchedRoot.options())
    let events = watch.makeAsyncIterator()
    #expect(await events.next() == .rescan(root: outer, folder: "", .started))
    #expect(await events.next() == .rescan(root: inner, folder: "", .started))
    try folder.write("a/b/y.jpg", "x")
    var told: [String: [String]] = [:]
    for _ in 0..<2 {
      if case .changes(let changes)? = await events.next() { told[changes.root] = changes.files }
    }
    #expect(told == [outer: ["a/b/y.jpg"], inner: ["y.jpg"]])
  }

  @Test func aCancelledTaskWaitsNoLonger() async throws {
    let watched = try WatchedRoot()
    try await watched.started()
    let waiting = Task { await watched.watch.makeAsyncIterator().next() }
    try await Task.sleep(for: .milliseconds(50))
    waiting.cancel()
    #expect(await waiting.value == nil)
    try watched.folder.write("a.jpg", "x")
    #expect(try await watched.changes().files == ["a.jpg"])
  }

  @Test func aWatchThatIsReleasedHoldsNothing() async throws {
    func watches() -> Int {
      (FileSystem.names(in: "/proc/self/fd") ?? []).filter {
        FileSystem.exists("/proc/self/fdinfo/\($0)")
          && (KernelFile.text("/proc/self/fdinfo/\($0)") ?? "").contains("inotify wd")
      }.filter { mine($0) }.count
    }
    let folder = try TemporaryFolder()
    try folder.write("a/x.jpg", "x")
    let inode = try #require(FileSystem.version(of: "\(folder.path)/a")?.inode)
    func mine(_ name: String) -> Bool {
      (KernelFile.text("/proc/self/fdinfo/\(name)") ?? "").contains("ino:\(String(inode, radix: 16)) ")
    }
    do {
      let watch = FolderWatch([folder.path], try WatchedRoot.options())
      _ = await watch.makeAsyncIterator().next()
      #expect(watches() == 1)
    }
    for _ in 0..<200 where watches() > 0 { try await Task.sleep(for: .milliseconds(20)) }
    #expect(watches() == 0)
  }
}
