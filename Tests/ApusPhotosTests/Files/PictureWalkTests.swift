import Foundation
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What a walk finds, in folders as people's disks have them.
@Suite struct PictureWalkTests {
  private let folder: TemporaryFolder
  private var root: String { folder.path }

  init() throws { folder = try TemporaryFolder() }

  private func options(followsLinks: Bool = false) throws -> WalkOptions {
    WalkOptions(try Exclusions(), followsLinks: followsLinks)
  }

  private func folders(_ walk: PictureWalk) throws -> [WalkedFolder] {
    var folders: [WalkedFolder] = []
    while let folder = try walk.next() { folders.append(folder) }
    return folders
  }

  private func paths(followsLinks: Bool = false) throws -> [String] {
    try folders(PictureWalk(root, options(followsLinks: followsLinks))).flatMap { $0.files.map(\.path) }
  }

  private func link(_ path: String, to target: String) { #expect(symlink(target, "\(root)/\(path)") == 0) }

  @Test func picturesInOrderWithWhatTheyAre() throws {
    for (name, size) in [("b.jpg", 3), ("a/c.PNG", 4), ("a.jpg", 5), ("a/z/y.heic", 0), ("Z.webp", 1)] {
      try folder.write(name, Array(repeating: 7, count: size))
    }
    for name in [
      "notes.txt", "a/jpg", "a/.jpg", "a/x.jpg.bak", ".hidden.jpg", "._b.jpg", "@eaDir/a.jpg", "x/y.txt",
    ] {
      try folder.write(name, "x")
    }
    let walk = try PictureWalk(root, options())
    #expect(walk.state == .present)
    let found = try folders(walk)
    #expect(found.map(\.path) == ["", "a", "a/z", "x"])
    let files = found.flatMap(\.files)
    #expect(files.map(\.path) == ["Z.webp", "a.jpg", "b.jpg", "a/c.PNG", "a/z/y.heic"])
    #expect(files.map(\.version.byteCount) == [1, 5, 3, 4, 0])
    for file in files { #expect(FileSystem.version(of: "\(root)/\(file.path)") == file.version) }
    #expect(found.allSatisfy { $0.failures.isEmpty && $0.device == walk.disk?.device })
    #expect(walk.devices == [walk.disk?.device])
  }

  /// The system takes no path to it at once.
  @Test func picturesOfAnyDepth() throws {
    let deep = try folder.writeDeep("deep.jpg", [1, 2, 3])
    let walk = try PictureWalk(root, options())
    let found = try folders(walk)
    #expect(found.flatMap(\.failures).isEmpty)
    #expect(found.flatMap(\.files).map(\.path) == [deep])
    #expect(WalkRoot(root, knownOn: nil).version(of: deep)?.byteCount == 3)
  }

  @Test func newestFirst() throws {
    for (name, time) in [("a.jpg", 10), ("c.jpg", 30), ("b.jpg", 30), ("d.jpg", 20)] {
      let file = try folder.write(name, "x")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(time))], ofItemAtPath: file)
    }
    let files = try folders(PictureWalk(root, options())).flatMap(\.files)
    #expect(files.sorted(by: WalkedFile.isNewer).map(\.path) == ["b.jpg", "c.jpg", "d.jpg", "a.jpg"])
    #expect(files.first?.version.modified == 10_000_000_000)
  }

  @Test func namesOfAnyBytes() throws {
    let names: [[UInt8]] = [
      Array("new\nline.jpg".utf8), [0xFF, 0xFE] + Array(".jpg".utf8), Array("\u{1}\t \"'.png".utf8),
      Array(repeating: UInt8(ascii: "n"), count: 251) + Array(".jpg".utf8), Array("e\u{301}.jpg".utf8),
      Array("\u{E9}.jpg".utf8), Array("🏖️.jpeg".utf8), [0xF4, 0x8F, 0xBA, 0x80] + Array(".jpg".utf8),
    ]
    for name in names { try make(file: name) }
    let found = try paths().map(FileName.bytes)
    #expect(found == names.sorted { $0.lexicographicallyPrecedes($1) })
  }

  private func make(file name: [UInt8]) throws {
    let path = FileName.bytes(root) + [UInt8(ascii: "/")] + name
    let descriptor = path.withFileName { open($0, O_WRONLY | O_CREAT, 0o600) }
    try #require(descriptor >= 0)
    close(descriptor)
  }

  @Test func whatIsNamedLikeAPictureAndIsNone() throws {
    try folder.write("a.jpg/inside.jpg", "x")
    #expect(mkfifo("\(root)/pipe.jpg", 0o600) == 0)
    link("nowhere.jpg", to: "missing")
    link("itself.jpg", to: "itself.jpg")
    link("folder.jpg", to: "a.jpg")
    link("null.jpg", to: "/dev/null")
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    // Paths of sockets have at most 107 bytes.
    #expect(chmod(root, 0o700) == 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let place = "\(root)/s.jpg"
    try #require(place.utf8.count < 108)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: place.utf8) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    let found = try folders(PictureWalk(root, options()))
    #expect(found.flatMap { $0.files.map(\.path) } == ["a.jpg/inside.jpg"])
    #expect(found.allSatisfy { $0.failures.isEmpty })
  }

  @Test func linksToPicturesAreFollowedAndLinksToFoldersIfWanted() throws {
    try folder.write("real/a.jpg", "12345")
    try folder.write("outside/b.jpg", "x")
    link("a-link.jpg", to: "real/a.jpg")
    link("0-link", to: "real")
    link("real/up", to: "..")
    link("real/self", to: ".")
    link("zz", to: "0-link")
    let away = try TemporaryFolder()
    try away.write("deep/c.jpg", "x")
    link("away", to: away.path)
    link("away-again", to: away.path)
    #expect(symlink(root, "\(away.path)/back") == 0)
    #expect(try paths() == ["a-link.jpg", "outside/b.jpg", "real/a.jpg"])
    #expect(
      try paths(followsLinks: true) == ["a-link.jpg", "outside/b.jpg", "real/a.jpg", "away/deep/c.jpg"])
    let file = try #require(try folders(PictureWalk(root, options())).first?.files.first)
    #expect(file.version == FileSystem.version(of: "\(root)/real/a.jpg"))
  }

  @Test func foldersOfManyLevels() throws {
    let path = (0..<200).map { "level\($0)" }.joined(separator: "/")
    try folder.write("\(path)/deep.jpg", "x")
    #expect(try paths() == ["\(path)/deep.jpg"])
  }

  @Test func theStateOfARoot() throws {
    try folder.write("full/a.txt", "x")
    try FileManager.default.createDirectory(atPath: "\(root)/empty", withIntermediateDirectories: true)
    let full = try PictureWalk("\(root)/full", options())
    #expect(full.state == .present)
    #expect(try PictureWalk("\(root)/empty", options()).state == .empty)
    let absent = try PictureWalk("\(root)/missing", options())
    guard case .absent(let error) = absent.state else { throw Unexpected() }
    #expect(error.description == "\(root)/missing: cannot be opened: No such file or directory.")
    #expect(try folders(absent).isEmpty && absent.disk == nil)
    let disk = try #require(full.disk)
    let moved = RootDisk(device: disk.device + 1, fileSystem: disk.fileSystem)
    let other = RootDisk(device: disk.device + 1, fileSystem: disk.fileSystem ^ 1)
    #expect(try PictureWalk("\(root)/full", knownOn: disk, options()).state == .present)
    #expect(
      try PictureWalk("\(root)/full", knownOn: moved, options()).state
        == (disk.fileSystem == 0 ? .otherDisk : .present))
    #expect(try PictureWalk("\(root)/full", knownOn: other, options()).state == .otherDisk)
    // What a disk leaves behind that is not mounted.
    #expect(try PictureWalk("\(root)/empty", knownOn: other, options()).state == .empty)
    #expect(!RootDisk(device: 1, fileSystem: 0).isSame(as: RootDisk(device: 2, fileSystem: 0)))
    #expect(RootDisk(device: 1, fileSystem: 0).isSame(as: RootDisk(device: 1, fileSystem: 5)))
    // A disk that is mounted while another is away has its number.
    #expect(!RootDisk(device: 1, fileSystem: 5).isSame(as: RootDisk(device: 1, fileSystem: 6)))
  }

  private struct Unexpected: Error {}

  @Test func aFileIsARootTakenWhateverItsName() throws {
    let file = try folder.write(".picture", "1234")
    let found = try folders(PictureWalk(file, options()))
    #expect(found.map(\.files.count) == [1])
    #expect(found.first?.files.first?.path == "")
    #expect(found.first?.files.first?.version == FileSystem.version(of: file))
    #expect(mkfifo("\(root)/pipe", 0o600) == 0)
    guard case .absent(let error) = try PictureWalk("\(root)/pipe", options()).state else {
      throw Unexpected()
    }
    #expect(error.problem == "is neither a folder nor a regular file")
  }

  /// As another user, where the tests run as root, who may read all.
  @Test func aFolderThatCannotBeReadIsToldAndPassed() throws {
    try folder.write("a/x.jpg", "x")
    try folder.write("b/x.jpg", "x")
    try folder.write("c/x.jpg", "x")
    #expect(chmod(root, 0o755) == 0)
    #expect(chmod("\(root)/a", 0) == 0 && chmod("\(root)/b", 0o444) == 0)
    defer { _ = (chmod("\(root)/a", 0o755), chmod("\(root)/b", 0o755)) }
    let found = try AnotherUser.run { try folders(PictureWalk(root, options())) }
    #expect(found.map(\.path) == ["", "a", "b", "c"])
    #expect(found.flatMap { $0.files.map(\.path) } == ["c/x.jpg"])
    #expect(found.flatMap { $0.failures.map(\.path) } == ["a", "b/x.jpg"])
    #expect(
      found[1].failures.first?.error.description == "\(root)/a: cannot be looked at: Permission denied.")
  }

  @Test func whatDisappearsIsPassedOver() throws {
    for name in 0..<20 { try folder.write("f\(name)/a.jpg", "x") }
    let walk = try PictureWalk(root, options())
    #expect(try walk.next()?.path == "")
    #expect(try walk.next()?.path == "f0")
    FileSystem.remove("\(root)/f1")
    FileSystem.remove("\(root)/f10")
    link("f10", to: "f2")
    try folder.write("f1", "now a file")
    let rest = try folders(walk)
    #expect(rest.count == 17)
    #expect(rest.allSatisfy { $0.failures.isEmpty && $0.files.count == 1 && $0.path != "f10" })
  }

  /// Files and folders are made, renamed and removed while walks go on; what stays is found each time.
  @Test func aTreeThatChangesWhileItIsWalked() async throws {
    for name in 0..<50 { try folder.write("stays\(name)/a.jpg", "x") }
    let path = root
    let restless = Task.detached {
      var round = 0
      while !Task.isCancelled {
        round += 1
        let place = "\(path)/stays\(round % 50)/moving\(round % 7)"
        try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: "\(place)/b.jpg", contents: Data([1]))
        rename(place, "\(path)/stays\(round % 13)/renamed\(round % 5)")
        FileSystem.remove("\(path)/stays\(round % 13)/renamed\(round % 3)")
      }
    }
    for _ in 0..<100 {
      let found = try folders(PictureWalk(root, options()))
      #expect(found.flatMap(\.files).filter { $0.path.hasSuffix("/a.jpg") }.count == 50)
      #expect(found.allSatisfy { $0.failures.isEmpty })
      let names = found.map(\.path)
      #expect(Set(names).count == names.count)
    }
    restless.cancel()
    await restless.value
  }

  @Test func aCancelledTaskEndsTheWalkWithAnError() async throws {
    try folder.write("a/a.jpg", "x")
    let walk = Task { [root] in
      withUnsafeCurrentTask { $0?.cancel() }
      var count = 0
      let walk = try PictureWalk(root, WalkOptions(Exclusions()))
      while try walk.next() != nil { count += 1 }
      return count
    }
    await #expect { try await walk.value } throws: { ($0 as? ApusError)?.kind == .cancelled }
  }

  /// Trees made at random: the walk finds what a plain list of all paths has, in its order.
  @Test func aWalkFindsWhatAListOfAllPathsHas() throws {
    var random = SeededRandom()
    let parts = ["a", "b.jpg", "c d", ".e", "f\n", "é", "g.PNG", "h.txt", "@eaDir", "Z"]
    for _ in 0..<1000 {
      let path = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        parts.randomElement(using: &random) ?? ""
      }
      let whole = path.joined(separator: "/")
      let stops = path.indices.dropLast().contains {
        FileSystem.isFile("\(root)/\(path[...$0].joined(separator: "/"))")
      }
      if !stops, !FileSystem.exists("\(root)/\(whole)") { try folder.write(whole, "x") }
    }
    let exclusions = try Exclusions()
    let expected = try FileSystem.paths(below: root).filter {
      ($0.hasSuffix(".jpg") || $0.hasSuffix(".PNG")) && !exclusions.excludes($0)
    }
    let found = try paths()
    #expect(Set(found) == Set(expected), "seed \(random.seed)")
    #expect(found.count == expected.count && found.count > 30)
  }
}
