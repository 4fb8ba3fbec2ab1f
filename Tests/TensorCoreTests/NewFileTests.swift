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
      replacing: "\(folder.path)/file",
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
