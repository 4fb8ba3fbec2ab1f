import CLibrary
import TensorCore
import Testing

@testable import ApusPhotos

/// What is taken for gone, where folders of a root are on several disks, and what is read again.
@Suite struct IndexPlanTests {
  private static func version(_ inode: Int, on device: Int) -> FileVersion {
    var status = stat()
    status.st_ino = ino_t(inode)
    status.st_dev = dev_t(device)
    return FileVersion(status)
  }

  /// Files by their paths, each with its number as its inode.
  /// - Parameters:
  ///   - failed: the numbers of those that could not be read.
  ///   - missing: the numbers of those that were not there any more.
  ///   - inode: of all files; nil for their numbers.
  private static func plan(
    _ files: [(path: String, device: Int)], failed: Set<Int64> = [], missing: Set<Int64> = [],
    inode: Int? = nil
  ) -> IndexPlan {
    var known: [ExactText: StoredFile] = [:]
    for (number, file) in files.enumerated() {
      let stamp = FileStamp(version(inode ?? number, on: file.device))
      known[ExactText(file.path)] = StoredFile(
        id: Int64(number), content: 1, stamp: stamp, device: file.device,
        isMissing: missing.contains(Int64(number)),
        isFailed: failed.contains(Int64(number)))
    }
    return IndexPlan(known: known, unfinished: [], failed: FailedFiles(known.values))
  }

  private static func folder(
    _ path: String, on device: Int, _ files: [(path: String, inode: Int)] = []
  ) -> WalkedFolder {
    let files = files.map { WalkedFile(path: $0.path, version: version($0.inode, on: device)) }
    return WalkedFolder(path: path, device: device, files: files, failures: [])
  }

  private static func missing(_ plan: IndexPlan) throws -> [Int64] {
    plan.missing(leavingOut: try Exclusions(), of: nil).map(\.id)
  }

  /// The number of a disk that is away is that of another one, which is mounted elsewhere.
  @Test func aDiskThatIsAwayLosesNothingToOneWithItsNumber() throws {
    var plan = Self.plan([("a/x.jpg", 5), ("b/y.jpg", 5)])
    for folder in [Self.folder("", on: 1), Self.folder("a", on: 1), Self.folder("b", on: 5)] {
      plan.add(folder, below: "", of: nil)
    }
    #expect(try Self.missing(plan) == [1])
  }

  @Test func whatIsGoneFromADiskThatHasAnotherNumber() throws {
    var plan = Self.plan([("n/x.jpg", 5), ("n/y.jpg", 5), ("n/below/z.jpg", 5), ("other/z.jpg", 7)])
    plan.add(Self.folder("", on: 1), below: "", of: nil)
    plan.add(Self.folder("n", on: 6, [("n/x.jpg", 0)]), below: "", of: nil)
    plan.add(Self.folder("other", on: 6), below: "", of: nil)
    #expect(plan.renumbered.map(\.id) == [0] && plan.renumbered.map(\.device) == [6])
    #expect(try Self.missing(plan) == [1, 2])
  }

  /// As of a disk that fails while its folders are read.
  @Test func whereNamesEndedTooEarlyNothingIsGone() throws {
    let failure = { (path: String) in WalkFailure(path: path, error: ApusError(.file, "cannot be looked at"))
    }
    for (path, missing) in [("", []), ("a", [1])] as [(String, [Int64])] {
      var plan = Self.plan([("a/x.jpg", 1), ("y.jpg", 1)])
      plan.add(Self.folder("a", on: 1), below: "", of: nil)
      plan.add(
        WalkedFolder(path: "", device: 1, files: [], failures: [failure(path)]), below: "", of: nil)
      #expect(try Self.missing(plan) == missing)
    }
  }

  /// Its content has its vector, by another file with the same bytes.
  @Test func whatCouldNotBeReadIsReadAgain() {
    let files = [(path: "a.jpg", device: 1), (path: "b.jpg", device: 1)]
    // In its place, under another name, and with a link to a file that could be read in its place.
    let found: [(path: String, inode: Int)] = [("a.jpg", 0), ("z.jpg", 0), ("a.jpg", 1)]
    for file in found {
      var plan = Self.plan(files, failed: [0])
      plan.add(Self.folder("", on: 1, [file, (path: "b.jpg", inode: 1)]), below: "", of: nil)
      let read = plan.toRead.map(\.path)
      #expect(read == [file.path])
      #expect(plan.moved.isEmpty && plan.unchanged == 1)
    }
  }

  /// One inode, whose former name or link says that it was read once.
  @Test(arguments: ["y.jpg", "a.jpg"], [1, 2])
  func whatFailedIsReadWhateverElseIsKnown(_ name: String, _ device: Int) {
    let files = [(path: "a.jpg", device: 1), (path: "z.jpg", device: 1)]
    for missing in [[0], []] as [Set<Int64>] {
      var plan = Self.plan(files, failed: [1], missing: missing, inode: 7)
      plan.add(Self.folder("", on: device, [(path: name, inode: 7)]), below: "", of: nil)
      let read = plan.toRead.map(\.path)
      #expect(read == [name])
      #expect(plan.moved.isEmpty && plan.found.isEmpty && plan.unchanged == 0)
    }
  }

  /// To Swift, the slash and the accent are one character.
  @Test func aNameThatBeginsWithAnAccentIsInItsFolder() throws {
    var plan = Self.plan([("n/\u{301}x.jpg", 6)])
    plan.add(Self.folder("", on: 1), below: "", of: nil)
    plan.add(Self.folder("n", on: 6), below: "", of: nil)
    #expect(try Self.missing(plan) == [0])
  }

  /// Only what somebody asked for by name is known of a folder that is left out, and only a walk of it says what is gone.
  @Test func whatIsLeftOutIsNotGone() throws {
    let files = [(path: ".private/x.jpg", device: 1), (path: ".private/below/y.jpg", device: 1)]
    var outer = Self.plan(files)
    outer.add(Self.folder("", on: 1), below: "", of: nil)
    #expect(try Self.missing(outer) == [])
    var inner = Self.plan(files)
    inner.add(Self.folder("", on: 1), below: ".private", of: nil)
    #expect(try Self.missing(inner) == [0, 1])
  }
}
