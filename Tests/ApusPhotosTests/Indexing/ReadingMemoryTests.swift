import Apus
import CLibrary
import HostMemory
import Synchronization
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// Memory that is asked for before a picture is read and decoded.
@Suite struct ReadingMemoryTests {
  private static func memory(free bytes: Int, width: Int = 1) throws -> ReadingMemory {
    let process = try #require(ProcessMemory("VmRSS: 1 kB\nVmSize: 1 kB"))
    let status = MemoryStatus(
      bounds: [
        MemoryStatus.Bound(.controlGroup(folder: "/a"), limit: 300_000_000, used: 300_000_000 - bytes)
      ],
      process: process)
    return ReadingMemory(width: width) { status }
  }

  private func reading(_ file: String, of library: Library, free bytes: Int) async throws
    -> PictureReader.Reading
  {
    let reader = PictureReader(
      try Library.model.get(), id: 1, library.index.store, .standard, DecodingConditions(.standard),
      try Self.memory(free: bytes))
    return try await reader.reading("\(library.path)/\(file)").get().reading
  }

  @Test func aPictureThatDoesNotFitIsRefusedWithItsSizes() async throws {
    let library = try Library([:])
    // Of one bit a pixel, which become three bytes.
    let rows = [[UInt8]](repeating: [UInt8](repeating: 0x55, count: 88), count: 700)
    try library.write("large.png", PNGFile.bytes(width: 704, bitDepth: 1, colourType: 0, rows: rows))
    guard case .unreadable(let error) = try await reading("large.png", of: library, free: 500_000) else {
      Issue.record("it was read")
      return
    }
    #expect(error.kind == .resources)
    #expect(
      error.summary
        == "a PNG of 704×700 pixels takes 1.4 MB of memory, of which 0.5 MB are free, expected at most what the control "
        + "group /a leaves of 300 MB.")
    guard case .fresh(_, _?) = try await reading("large.png", of: library, free: 2_000_000) else {
      Issue.record("it was refused")
      return
    }
  }

  @Test func aFileThatDoesNotFitIsNotRead() async throws {
    let library = try Library([:])
    try library.write("file.png", [UInt8](repeating: 0, count: 2_000_000))
    guard case .unreadable(let error) = try await reading("file.png", of: library, free: 1_000_000) else {
      Issue.record("it was read")
      return
    }
    #expect(error.kind == .resources && error.problem.hasPrefix("the file takes 2.0 MB"))
  }

  /// How many hold their turn.
  private static let now = Atomic<Int>(0)

  @Test func largeOnesTakeTurns() async throws {
    let memory = try Self.memory(free: 1000, width: 4)
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var hold = memory.hold()
          var most = 0
          for bytes in [300, 400] {
            guard (try? hold.need(bytes, for: "it")) != nil else { return 0 }
            most = max(most, Self.now.add(1, ordering: .relaxed).newValue)
            usleep(2000)
            Self.now.subtract(1, ordering: .relaxed)
          }
          return most
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [1, 1, 1, 1])
  }
}
