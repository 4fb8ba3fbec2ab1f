import Foundation
import TensorCore
import TestSupport
import Testing

/// A mapped file gives its bytes, refuses what is no regular file, and survives being cut short.
struct MappedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 4095, 4096, 4097, 100_000])
  func bytesAreThoseOfTheFile(_ count: Int) throws {
    var random = SeededRandom()
    let bytes = random.bytes(count)
    let file = try MappedFile(try folder.write("file", bytes))
    let storage = file.storage
    #expect(storage.byteCount == count)
    #expect(Array(UnsafeRawBufferPointer(start: storage.base, count: count)) == bytes)
    // The slack that kernels may read is there and zero, also when the file fills its last page.
    #expect(
      UnsafeRawBufferPointer(start: storage.base + count, count: TensorStorage.slack).allSatisfy { $0 == 0 })
    file.discard(0..<count)
    file.willNeed(0..<count)
    #expect(Array(UnsafeRawBufferPointer(start: storage.base, count: count)) == bytes)
    try file.checkUndamaged()
  }

  @Test func storageKeepsTheMapping() throws {
    let path = try folder.write("file", [UInt8](repeating: 7, count: 10_000))
    let storage = try MappedFile(path).storage
    try FileManager.default.removeItem(atPath: path)
    #expect(UnsafeRawBufferPointer(start: storage.base, count: 10_000).allSatisfy { $0 == 7 })
  }

  @Test func aFileCutShortReadsAsZerosAndSaysSo() throws {
    let path = try folder.write("file", [UInt8](repeating: 7, count: 200_000))
    let other = try MappedFile(try folder.write("other", [UInt8](repeating: 9, count: 10_000)))
    let file = try MappedFile(path)
    let storage = file.storage
    #expect(truncate(path, 5000) == 0)
    let bytes = UnsafeRawBufferPointer(start: storage.base, count: 200_000)
    #expect(bytes[0] == 7)
    #expect(!file.isDamaged)
    #expect(bytes[8192...].allSatisfy { $0 == 0 })
    #expect(file.isDamaged)
    #expect(!other.isDamaged)
    let error = #expect(throws: ApusError.self) { try file.checkUndamaged() }
    #expect(error?.kind == .file)
    #expect(error?.file == path)
    // The pages that the file still has remain those of the file.
    #expect(bytes[100] == 7)
  }

  @Test func manyMappingsCutShortByManyThreads() async throws {
    for round in 0..<4 {
      var files: [MappedFile] = []
      for index in 0..<20 {
        let path = try folder.write("file \(round) \(index)", [UInt8](repeating: 1, count: 40_000))
        files.append(try MappedFile(path))
        if index % 2 == 0 { #expect(truncate(path, 0) == 0) }
      }
      await withTaskGroup { group in
        for file in files {
          group.addTask {
            let storage = file.storage
            return UnsafeRawBufferPointer(start: storage.base, count: 40_000).reduce(0) { $0 + Int($1) }
          }
        }
        for await sum in group { #expect(sum == 0 || sum == 40_000) }
      }
      for (index, file) in files.enumerated() { #expect(file.isDamaged == (index % 2 == 0)) }
    }
  }

  @Test func refusesWhatIsNoRegularFile() throws {
    let fifo = folder.path + "/fifo"
    #expect(mkfifo(fifo, 0o600) == 0)
    let secret = try folder.write("secret", [1])
    #expect(chmod(secret, 0) == 0)
    var refused = [folder.path, fifo, folder.path + "/absent", "/dev/zero", "file\0name"]
    // Nothing is unreadable for the superuser.
    if geteuid() != 0 { refused.append(secret) }
    for path in refused {
      let error = #expect(throws: ApusError.self) { try MappedFile(path) }
      #expect(error?.kind == .file)
      #expect(error?.file == path)
    }
  }
}
