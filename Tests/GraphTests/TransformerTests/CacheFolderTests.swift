import Foundation
import Graph
import TensorCore
import TestSupport
import Testing

/// Which caches make room for another one.
@Suite struct CacheFolderTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A cache of 100 bytes, and when it was written, in seconds since 1970.
  private func write(_ name: String, at time: Double) throws {
    let file = try folder.write("\(name).packed", [UInt8](repeating: 1, count: 100))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: file)
  }

  /// The caches that have their names.
  private func names() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".packed") })
  }

  private func makeRoom(for byteCount: Int, limit: Int, replacing name: String = "new") -> Bool {
    CacheFolder.makeRoom(
      for: byteCount, in: folder.path, replacing: "\(folder.path)/\(name).packed", limit: limit)
  }

  @Test func thoseWrittenLongestAgoGo() throws {
    for (time, name) in ["b", "a", "c"].enumerated() { try write(name, at: Double(1000 + time)) }
    #expect(makeRoom(for: 100, limit: 400))
    #expect(try names() == ["a.packed", "b.packed", "c.packed"])
    #expect(makeRoom(for: 100, limit: 300, replacing: "a"))
    #expect(try names() == ["a.packed", "b.packed", "c.packed"])
    #expect(makeRoom(for: 150, limit: 300))
    #expect(try names() == ["c.packed"])
    #expect(!makeRoom(for: 301, limit: 300))
    #expect(try names() == ["c.packed"])
  }

  /// No other cache gives way to what another process is writing, and what a killed one left goes.
  @Test func whatIsBeingWrittenEmptiesNothing() throws {
    try write("old", at: 1000)
    let left = try folder.write("left.packed.1.part", [UInt8](repeating: 1, count: 900))
    let written = try NewFile(replacing: "\(folder.path)/large.packed")
    try written.write([UInt8](repeating: 1, count: 900))
    #expect(makeRoom(for: 100, limit: 300))
    #expect(try names() == ["old.packed"])
    #expect(!FileManager.default.fileExists(atPath: left))
    try written.commit()
    #expect(try names() == ["large.packed", "old.packed"])
    // From then on it counts.
    CacheFolder.removeOldest(in: folder.path, downTo: 950)
    #expect(try names() == ["large.packed"])
  }
}
