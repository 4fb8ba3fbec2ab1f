import CLibrary
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What is held open, whatever becomes of its path.
@Suite struct WalkRootTests {
  @Test func whatIsInAnOpenFolder() throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/disk"
    try folder.write("disk/below/a.jpg", "abc")
    let root = WalkRoot(path, knownOn: nil)
    #expect(rename(path, "\(path)-away") == 0)
    try folder.write("disk/below/a.jpg", "another")
    try folder.write("disk/below/b.jpg", "b")
    #expect(root.version(of: "below/a.jpg")?.byteCount == 3)
    #expect(root.version(of: "below/b.jpg") == nil)

    let below = WalkRoot("below", in: root)
    #expect(below.path == "\(path)/below" && below.state == .present)
    let walk = PictureWalk(below, WalkOptions(try Exclusions()))
    #expect(try walk.next()?.files.map(\.version.byteCount) == [3])
    let file = WalkRoot("below/a.jpg", in: root)
    #expect(file.file?.byteCount == 3 && file.version(of: "")?.byteCount == 3)
    guard case .absent(let error) = WalkRoot("below/b.jpg", in: root).state else {
      Issue.record("it is there")
      return
    }
    #expect(error.file == "\(path)/below/b.jpg")
  }

  @Test func whatIsNoOpenFolder() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.jpg", "abc")
    let root = WalkRoot("\(folder.path)/none", knownOn: nil)
    #expect(root.version(of: "a.jpg") == nil)
    #expect(WalkRoot("../a.jpg", in: root).state != .present)
    let file = WalkRoot("\(folder.path)/a.jpg", knownOn: nil)
    #expect(file.version(of: "")?.byteCount == 3 && file.version(of: "b") == nil)
  }
}
