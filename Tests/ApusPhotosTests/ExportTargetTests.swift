import Foundation
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What an export may be written over, and what is there when it fails.
@Suite struct ExportTargetTests {
  private func content(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The matrix cannot take its name, and the lines have theirs already.
  @Test(arguments: [true, false])
  func theLinesOfAMatrixThatFails(_ hasOld: Bool) throws {
    let folder = try TemporaryFolder()
    let lines = "\(folder.path)/x.jsonl"
    if hasOld { try folder.write("x.jsonl", "old") }
    let export = try PhotoExport(to: "\(folder.path)/x.npy", as: .npy, width: 3)
    for record in ExportTests.records(2, width: 3) { try export.write(record) }
    try folder.write("x.npy/in-its-place", "a folder")
    #expect(throws: ApusError.self) { try export.finish() }
    #expect(content(lines) == (hasOld ? "old" : nil))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == (hasOld ? ["x.jsonl", "x.npy"] : ["x.npy"]))
  }

  @Test func theLinesOfAMatrixAreReplacedWithIt() throws {
    let folder = try TemporaryFolder()
    try folder.write("x.jsonl", "old")
    let export = try PhotoExport(to: "\(folder.path)/x.npy", as: .npy, width: 3)
    for record in ExportTests.records(2, width: 3) { try export.write(record) }
    _ = try export.finish()
    #expect(content("\(folder.path)/x.jsonl")?.split(separator: "\n").count == 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["x.jsonl", "x.npy"])
  }

  private func isRefused(_ path: String, _ index: PhotoIndex) -> Bool {
    do throws(ApusError) {
      try index.checkOutput(path)
      return false
    } catch {
      return error.kind == .argument
    }
  }

  @Test func whatAnIndexLivesOfIsNotWrittenOver() async throws {
    let library = try Library(["three-red-circles.png": "a.png"])
    try library.write("broken.png", Array("not a picture".utf8))
    try await library.update()
    let (index, folder) = (library.index, try TemporaryFolder())
    let vectors = try #require(FileSystem.names(in: index.folder)?.first { $0.hasSuffix(".i8") })
    for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-journal", "lock", vectors] {
      #expect(isRefused("\(index.folder)/./\(name)", index))
    }
    let links = [
      "database": "\(index.folder)/index.sqlite", "picture": "\(library.path)/a.png",
      "undecodable": "\(library.path)/broken.png",
    ]
    for (name, target) in links {
      let (soft, hard) = ("\(folder.path)/\(name).soft", "\(folder.path)/\(name).hard")
      try FileManager.default.createSymbolicLink(atPath: soft, withDestinationPath: target)
      try FileManager.default.linkItem(atPath: target, toPath: hard)
      for path in [target, soft, hard] { #expect(isRefused(path, index)) }
    }
    try folder.write("other.jsonl", "something else")
    let others = [
      "\(folder.path)/other.jsonl", "\(folder.path)/new.parquet",
      "\(index.folder)/x.parquet", "/dev/null",
    ]
    for path in others { #expect(!isRefused(path, index)) }
    let picture = "\(library.path)/a.png"
    let before = FileManager.default.contents(atPath: picture)
    #expect(throws: ApusError.self) { try index.export(to: picture, as: .jsonl) }
    #expect(FileManager.default.contents(atPath: picture) == before)
  }

  /// The lines beside a matrix are written, too.
  @Test func thePathsOfAnExport() {
    #expect(PhotoExport.Format.npy.paths("a/x.npy") == ["a/x.npy", "a/x.jsonl"])
    #expect(PhotoExport.Format.npy.paths("x") == ["x", "x.jsonl"])
    #expect(PhotoExport.Format.parquet.paths("x.parquet") == ["x.parquet"])
  }
}
