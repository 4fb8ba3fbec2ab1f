import Kernels
import TensorCore
import Testing

@Suite struct PackedMemoryTests {
  private static func range(_ storage: TensorStorage) -> Range<UInt> {
    let first = UInt(bitPattern: storage.base)
    return first..<first + UInt(storage.byteCount + TensorStorage.slack)
  }

  @Test func matricesLieBesideEachOtherAndAreZero() throws {
    let memory = PackedMemory()
    var storages: [TensorStorage] = []
    // More than two chunks of them.
    for index in 0..<60 {
      let storage = try memory.storage(byteCount: 300_000 + 1013 * index)
      let bytes = UnsafeMutableRawBufferPointer(start: storage.base, count: storage.byteCount)
      #expect(UInt(bitPattern: storage.base).isMultiple(of: UInt(TensorStorage.alignment)))
      #expect(bytes.allSatisfy { $0 == 0 })
      for position in bytes.indices { bytes[position] = 0xFF }
      storages.append(storage)
    }
    let ranges = storages.map(Self.range).sorted { $0.lowerBound < $1.lowerBound }
    for (range, next) in zip(ranges, ranges.dropFirst()) { #expect(range.upperBound <= next.lowerBound) }
    #expect(Set(storages.compactMap(\.owner).map(ObjectIdentifier.init)).count == 3)
  }

  @Test func aChunkLivesAsLongAsTheLastOfItsMatrices() throws {
    let memory = PackedMemory()
    weak var chunk: AnyObject?
    var last: TensorStorage?
    do {
      let first = try memory.storage(byteCount: 1000)
      last = try memory.storage(byteCount: 1000)
      chunk = first.owner
      #expect(chunk != nil && last?.owner === chunk)
    }
    #expect(chunk != nil)
    last = nil
    #expect(chunk == nil)
    #expect(try memory.storage(byteCount: 1000).owner != nil)
  }

  @Test(arguments: [TensorStorage.largePage - 1, TensorStorage.largePage, 5 << 20])
  func largeMatricesHavePagesOfTheirOwn(byteCount: Int) throws {
    let storage = try PackedMemory().storage(byteCount: byteCount)
    #expect(storage.byteCount == byteCount)
    #expect((storage.owner == nil) == (byteCount >= TensorStorage.largePage))
    #expect(UInt(bitPattern: storage.base).isMultiple(of: UInt(TensorStorage.largePage)))
    #expect(
      UnsafeRawBufferPointer(start: storage.base, count: byteCount + TensorStorage.slack).allSatisfy {
        $0 == 0
      })
  }
}
