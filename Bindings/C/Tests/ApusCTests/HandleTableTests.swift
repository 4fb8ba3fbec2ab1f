import Testing

@testable import ApusC

@Suite struct HandleTableTests {
  private final class Thing: Handled {
    static let name = "thing"
  }
  private final class Other: Handled {
    static let name = "other"
  }

  @Test func aHandleIsGoodUntilItIsReleased() throws {
    let table = HandleTable.shared
    let thing = Thing()
    let handle = try table.add(thing)
    #expect(try table.object(handle, Thing.self) === thing)
    #expect(throws: (any Error).self) { try table.object(handle, Other.self) }
    table.release(handle, Other.self)
    #expect(try table.object(handle, Thing.self) === thing)
    table.release(handle, Thing.self)
    table.release(handle, Thing.self)
    #expect(throws: (any Error).self) { try table.object(handle, Thing.self) }
    // Its place is used again, under another number.
    let next = try table.add(Thing())
    #expect(next != handle)
    #expect(throws: (any Error).self) { try table.object(handle, Thing.self) }
    table.release(next, Thing.self)
  }

  @Test func objectsEndWithTheirHandles() throws {
    weak var seen: Thing?
    let handle: OpaquePointer
    do {
      let thing = Thing()
      seen = thing
      handle = try HandleTable.shared.add(thing)
    }
    #expect(seen != nil)
    HandleTable.shared.release(handle, Thing.self)
    #expect(seen == nil)
  }

  @Test(arguments: [0x10, 0x8, 1 << 32, 0xFFFF_FFFF_FFFF_FFF0, 0x7F12_3456_7890] as [UInt])
  func whatIsNoHandleIsRefused(_ bits: UInt) {
    #expect(throws: (any Error).self) {
      try HandleTable.shared.object(OpaquePointer(bitPattern: bits), Thing.self)
    }
  }
}
