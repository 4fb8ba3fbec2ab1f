import Dispatch
import Foundation
import Synchronization
import TensorCore
import TestSupport
import Testing

/// A file that is being written is nobody else's to remove, from its first byte until it has its name.
@Suite struct NewFileTests {
  /// Another writer of the folder, who looks for what killed ones left.
  private final class Cleaner: Sendable {
    private let isStopped = Atomic<Bool>(false)
    private let ended = DispatchSemaphore(value: 0)

    init(_ folder: String) {
      DispatchQueue(label: "cleaner").async {
        while !self.isStopped.load(ordering: .relaxed) { NewFile.removeAbandoned(in: folder) }
        self.ended.signal()
      }
    }

    func stop() {
      isStopped.store(true, ordering: .relaxed)
      ended.wait()
    }
  }

  @Test func nobodyRemovesWhatIsBeingWritten() throws {
    let folder = try TemporaryFolder()
    let cleaner = Cleaner(folder.path)
    defer { cleaner.stop() }
    for number in 0..<300 {
      let file = try NewFile(replacing: "\(folder.path)/file")
      try file.write([UInt8(truncatingIfNeeded: number)])
      try file.commit()
    }
    #expect(FileSystem.names(in: folder.path) == ["file"])
  }

  /// Two others take a file for abandoned before it is locked: one removes it, and the other does so when it
  /// has been made anew.
  @Test func nobodyRemovesWhatWasMadeAnew() throws {
    let folder = try TemporaryFolder()
    var abandoned: [String] = []
    let file = try NewFile(
      replacing: "\(folder.path)/file", isNamed: true,
      locking: { _ in
        guard abandoned.isEmpty else { return }
        abandoned = FileSystem.names(in: folder.path) ?? []
        for name in abandoned { FileSystem.removeFile("\(folder.path)/\(name)") }
      })
    #expect(abandoned.count == 1)
    try file.write([1])
    for name in abandoned { FileSystem.removeFile("\(folder.path)/\(name)") }
    try file.commit()
    #expect(FileSystem.names(in: folder.path) == ["file"])
  }

  @Test func onlyWhatBeginsAsAskedForIsRemoved() throws {
    let folder = try TemporaryFolder()
    for name in ["film.mkv.part", "file.1.part", "file.2", "fil\u{65}\u{301}.3.part"] {
      try folder.write(name, [1])
    }
    NewFile.removeAbandoned(in: folder.path, startingWith: "file")
    // A name is its bytes.
    #expect(FileSystem.names(in: folder.path) == ["file.2", "film.mkv.part"])
    NewFile.removeAbandoned(in: folder.path)
    #expect(FileSystem.names(in: folder.path) == ["file.2"])
  }

  /// The temporary name has less of the name, and no part of a character.
  @Test(arguments: [String(repeating: "a", count: 255), String(repeating: "é", count: 117)])
  func namesMayBeAsLongAsAny(_ name: String) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/\(name)"
    for byte in [UInt8(1), 2] {
      let file = try NewFile(replacing: path, isNamed: true, locking: { _ in })
      try file.write([byte])
      let names = FileSystem.names(in: folder.path) ?? []
      let temporary = try #require(names.first { $0.hasSuffix(NewFile.temporarySuffix) })
      #expect(temporary.utf8.count <= 255 && !FileName.isEscaped(temporary))
      try file.commit()
    }
    let file = try NewFile(following: path)
    try file.write([3])
    try file.commit()
    #expect(FileSystem.names(in: folder.path) == [name])
    let bytes = try FileBytes.read(path)
    #expect(bytes == [3])
  }

  /// Whoever is killed then leaves nothing.
  @Test func nothingIsThereUntilTheFileIsWhole() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/file"
    // Not every file system can.
    guard let probe = NewFile.openNameless(for: path, 0o600) else { return }
    close(probe)
    for byte in [UInt8(1), 2] {
      let before = FileSystem.names(in: folder.path)
      let file = try NewFile(following: path)
      try file.write([byte])
      #expect(FileSystem.names(in: folder.path) == before)
      try file.commit()
      #expect(FileSystem.names(in: folder.path) == ["file"])
      let bytes = try FileBytes.read(path)
      #expect(bytes == [byte])
    }
    let named = try NewFile(replacing: "\(folder.path)/named", isNamed: true, locking: { _ in })
    try named.write([1])
    let modes = try ["file", "named"].map { name in
      if name == "named" { try named.commit() }
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
      return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }
    #expect(modes[0] == modes[1])
  }

  /// A file system may make files without a name and yet link none. Somebody takes the copy for abandoned, too.
  @Test func whatCannotBeLinkedIsCopied() throws {
    let folder = try TemporaryFolder()
    guard let probe = NewFile.openNameless(for: "\(folder.path)/probe", 0o600) else { return }
    close(probe)
    var removed: [String] = []
    let file = try NewFile(
      replacing: "\(folder.path)/file", permissions: 0o644,
      locking: { _ in
        guard removed.isEmpty else { return }
        removed = FileSystem.names(in: folder.path) ?? []
        for name in removed { FileSystem.removeFile("\(folder.path)/\(name)") }
      }, linking: { _, _ in false })
    try file.write([1, 2, 3])
    #expect(FileSystem.names(in: folder.path) == [])
    try file.commit()
    #expect(removed.count == 1)
    let bytes = try FileBytes.read("\(folder.path)/file")
    #expect(bytes == [1, 2, 3])
    let other = try NewFile(
      replacing: "\(folder.path)/other", permissions: 0o644, isNamed: true, locking: { _ in })
    try other.commit()
    #expect(FileSystem.names(in: folder.path) == ["file", "other"])
    let modes = try ["file", "other"].map { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
      return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }
    #expect(modes[0] == modes[1])
  }

  /// As where a file system leaves that out for files without a name.
  @Test func permissionsThatAreHeldBackAreTaken() throws {
    let folder = try TemporaryFolder()
    let descriptor = open("\(folder.path)/file", O_RDWR | O_CREAT, 0o777)
    defer { close(descriptor) }
    func mode() -> mode_t {
      var status = stat()
      return fstat(descriptor, &status) == 0 ? status.st_mode & 0o777 : 0
    }
    if let mask = NewFile.mask {
      let expected: mode_t = 0o777 & ~mask
      #expect(mode() == expected)
    }
    _ = fchmod(descriptor, 0o666)
    NewFile.withhold(0o027, from: descriptor)
    #expect(mode() == 0o640)
  }

  /// Folders and names that take no file are told before anything is written.
  @Test func whatCannotBeMadeIsToldAtOnce() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file", [1])
    let long = String(repeating: "a", count: 256)
    for path in [
      "\(folder.path)/absent/file", "\(file)/below", "\(folder.path)/absent/", "\(folder.path)/\(long)",
    ] {
      let error = #expect(throws: ApusError.self) { try NewFile(replacing: path) }
      #expect(error?.problem.hasPrefix("cannot be created") == true, "\(path)")
    }
  }

  /// A check says what writing would, and leaves no trace.
  @Test func aCheckSaysWhatWritingWould() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("file", [1])
    let long = String(repeating: "a", count: 256)
    for path in [
      "\(folder.path)/absent/file", "\(file)/below", "\(folder.path)/absent/", "\(folder.path)/\(long)",
    ] {
      let error = #expect(throws: ApusError.self) { try NewFile.check(following: path) }
      let late = #expect(throws: ApusError.self) { try NewFile(following: path) }
      #expect(error?.description == late?.description, "\(path)")
    }
    let error = #expect(throws: ApusError.self) { try NewFile.check(following: folder.path) }
    #expect(error?.problem.contains("cannot be replaced") == true)
    let nameless = #expect(throws: ApusError.self) { try NewFile.check(following: "") }
    #expect(nameless?.problem.hasPrefix("cannot be created: No such file") == true)
    for path in [file, "\(folder.path)/new"] {
      try NewFile.check(following: path)
      try NewFile.check(replacing: path)
    }
    #expect(FileSystem.names(in: folder.path) == ["file"])
    let bytes = try FileBytes.read(file)
    #expect(bytes == [1])
  }

  @Test func permissionsAndOtherNamesStay() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("file", [1, 1, 1])
    #expect(chmod(path, 0o640) == 0)
    let replacing = try NewFile(following: path)
    try replacing.write([2])
    try replacing.commit()
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    #expect(link(path, path + ".other") == 0)
    let inPlace = try NewFile(following: path)
    try inPlace.write([3])
    try inPlace.commit()
    let bytes = try FileBytes.read(path + ".other")
    #expect(bytes == [3])
    #expect(FileSystem.names(in: folder.path) == ["file", "file.other"])
  }

  @Test func whatIsNotCommittedLeavesNothing() throws {
    let folder = try TemporaryFolder()
    try folder.write("folder/inside", [1])
    let file = try NewFile(replacing: "\(folder.path)/folder")
    try file.write([1])
    let error = #expect(throws: ApusError.self) { try file.commit() }
    #expect(error?.problem.contains("cannot be replaced") == true)
    #expect(FileSystem.names(in: folder.path) == ["folder"])
    try NewFile(replacing: "\(folder.path)/other").write([1])
    #expect(FileSystem.names(in: folder.path) == ["folder"])
  }
}
