import TensorCore
import Testing

struct TensorStorageTests {
  @Test(arguments: [0, 1, TensorStorage.largePage - 1, TensorStorage.largePage, 5 << 20 | 3])
  func whatIsUsedWholeLiesInLargePages(byteCount: Int) throws {
    let storage = try TensorStorage(usedWhole: byteCount)
    #expect(storage.byteCount == byteCount)
    let place = UInt(bitPattern: storage.base)
    let page = byteCount < TensorStorage.largePage ? TensorStorage.alignment : TensorStorage.largePage
    #expect(place.isMultiple(of: UInt(page)))
    // Kernels read so far.
    let bytes = UnsafeRawBufferPointer(start: storage.base, count: byteCount + TensorStorage.slack)
    #expect(bytes.allSatisfy { $0 == 0 })
  }

  @Test(arguments: [0, 1, 1 << 20, 1_398_102, 1_500_000, TensorStorage.largePage, 5 << 20 | 3])
  func whatIsUsedOftenLiesInLargePages(byteCount: Int) throws {
    let storage = try TensorStorage(usedOften: byteCount)
    #expect(storage.byteCount == byteCount)
    let isLarge = byteCount > 1_398_101
    let page = isLarge ? TensorStorage.largePage : TensorStorage.alignment
    #expect(UInt(bitPattern: storage.base).isMultiple(of: UInt(page)))
    let bytes = UnsafeRawBufferPointer(start: storage.base, count: byteCount + TensorStorage.slack)
    #expect(bytes.allSatisfy { $0 == 0 })
  }

  @Test func moreThanThereIsIsAnError() {
    for byteCount in [Int.max, .max - 3 << 20, -1] {
      #expect(throws: ApusError.self) { try TensorStorage(usedOften: byteCount) }
    }
    #expect(throws: ApusError.self) { try TensorStorage(usedWhole: .max) }
    #expect(throws: ApusError.self) { try TensorStorage(usedWhole: .max - 3 << 20) }
    #expect(throws: ApusError.self) { try TensorStorage(usedWhole: -1) }
  }
}
