import CLibrary
import TensorCore
import TestSupport
import Testing

/// Files are found, read and written however deep they lie: the system takes paths of `PATH_MAX` bytes, 4096, at once.
@Suite struct LongPathTests {
  private let folder: TemporaryFolder
  private let below: String
  private var file: String { "\(folder.path)/\(below)" }

  init() throws {
    folder = try TemporaryFolder()
    below = try folder.writeDeep("deep.png", [1, 2, 3])
  }

  @Test func filesAreFoundAndRead() throws {
    try folder.write("top.png", "top")
    #expect(try FileSystem.paths(below: folder.path) == [below, "top.png"])
    #expect(FileSystem.found(below: folder.path).failures.isEmpty)
    #expect(FileSystem.isFile(file) && FileSystem.isWritable(file) && !FileSystem.isFolder(file))
    #expect(FileSystem.version(of: file)?.byteCount == 3)
    #expect(FileSystem.names(in: FileName.folder(of: file)) == ["deep.png"])
    #expect(try FileBytes.read(file) == [1, 2, 3])
    #expect(try MappedFile(file).byteCount == 3)
    // Slashes are no names, wherever a path is parted.
    #expect(try FileBytes.read(file.replacing("/", with: "///")) == [1, 2, 3])
  }

  @Test func filesAreWrittenAndRemoved() throws {
    let place = FileName.folder(of: file)
    #expect(throws: ApusError.self) { try NewFile(following: "\(place)/inner/new") }
    try FileSystem.makeFolder("\(place)/inner")
    for bytes: [UInt8] in [[4], [5, 6]] {
      let new = try NewFile(following: "\(place)/inner/new")
      try new.write(bytes)
      try new.commit()
      #expect(try FileBytes.read("\(place)/inner/new") == bytes)
    }
    FileSystem.remove("\(place)/inner")
    #expect(FileSystem.names(in: place) == ["deep.png"])
    FileSystem.remove(folder.path)
    #expect(!FileSystem.exists(folder.path))
  }

  @Test func theReasonOfAFailureIsTold() throws {
    func problem(_ path: String) -> String? {
      #expect(throws: ApusError.self) { try FileBytes.read(path) }?.problem
    }
    #expect(problem(file + "x") == "cannot be opened: No such file or directory")
    #expect(problem(folder.path + "/absent/" + below) == "cannot be opened: No such file or directory")
    #expect(problem(file + "/" + below) == "cannot be opened: Not a directory")
    #expect(
      problem(folder.path + String(repeating: "n", count: 5000)) == "cannot be opened: File name too long")
  }
}
