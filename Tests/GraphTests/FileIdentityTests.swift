import Foundation
import Graph
import TensorCore
import TestSupport
import Testing

/// A file is another one as soon as anything was done to it.
@Suite struct FileIdentityTests {
  @Test func aFileChangedWithItsTimePutBackIsAnother() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("weights", [UInt8](repeating: 7, count: 4 << 20))
    let before = try MappedFile(path)
    let digest = FileIdentity.digest(of: before)
    #expect(FileIdentity.digest(of: try MappedFile(path)) == digest)
    var status = stat()
    #expect(stat(path, &status) == 0)
    // Between two samples of the content.
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.seek(toOffset: (1 << 20) + 30_000)
    // The clock that files are stamped with goes in steps of some milliseconds.
    usleep(20_000)
    try file.write(contentsOf: [8])
    try file.close()
    var times = [status.st_atim, status.st_mtim]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    let after = try MappedFile(path)
    #expect(after.version.modified == before.version.modified)
    #expect(FileIdentity.digest(of: after) != digest)
  }
}
