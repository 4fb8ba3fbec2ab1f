import TensorCore
import TestSupport
import Testing

@testable import Formats

/// A message whose bytes break the rules is refused with the offset; nothing outside it is read.
struct FlatBufferTests {
  /// Parsing of the bytes as a message of tables that hold a table in slot 0.
  private func error(_ bytes: [UInt8], depth: Int = 1) -> String {
    do throws(ApusError) {
      var table = try FlatBuffer(StoredBytes(bytes), identifier: "TEST", format: "a test").root(named: "T")
      for _ in 1..<depth {
        guard let inner = try table.table(0, "inner", as: "T") else { return "no inner table" }
        table = inner
      }
      _ = try table.integers(1, "numbers", of: Int32.self)
      return ""
    } catch {
      return error.description
    }
  }

  /// A root table at 16 with its vtable at 12; slot 0 is a table.
  private var sound: [UInt8] {
    FlatBufferBuilder.build(.table([0: .table([:]), 1: .int32s([1, 2, 3])]), identifier: "TEST")
  }

  @Test func aSoundMessageIsRead() {
    #expect(error(sound) == "")
    #expect(error(sound, depth: 2) == "")
  }

  @Test(arguments: 0..<8) func fewerThanEightBytes(count: Int) {
    #expect(error(Array(sound[..<count])).contains("\(count) bytes are too few for a test"))
  }

  @Test func everyTruncationIsRefusedOrHarmless() {
    for count in 8..<sound.count { _ = error(Array(sound[..<count]), depth: 2) }
    #expect(error(Array(sound[..<24])) != "")
  }

  @Test func wrongIdentifier() {
    var bytes = sound
    bytes[4] = 0xFF
    #expect(
      error(bytes).contains("offset 4: not a test: the identifier is [255, 69, 83, 84], expected \"TEST\""))
  }

  @Test(arguments: [0, 7, 250] as [UInt8]) func badRootOffset(offset: UInt8) {
    var bytes = sound
    bytes[0] = offset
    #expect(error(bytes).hasPrefix("offset 0 (T.root): a reference to"))
  }

  @Test func rootOffsetPastTheEnd() {
    var bytes = sound
    bytes[2] = 1
    #expect(error(bytes).contains("expected one after it and before the end at \(bytes.count)"))
    #expect(error(bytes).contains("The file is probably incomplete"))
  }

  @Test(arguments: zip([0, 2, 5], ["of 0 bytes", "of 2 bytes", "of 5 bytes"]))
  func badVtableSize(size: UInt8, text: String) {
    var bytes = sound
    let root = Int(bytes[0])
    bytes[root - Int(bytes[root])] = size
    #expect(error(bytes).contains("(T.vtable): a vtable \(text), expected an even number from 4"))
  }

  @Test func vtableOutsideTheMessage() {
    var bytes = sound
    let root = Int(bytes[0])
    bytes[root + 2] = 1
    #expect(error(bytes).contains("bytes past the end"))
    bytes[root + 2] = 0
    bytes[root] = 3
    #expect(error(bytes).contains("a vtable at the odd offset"))
  }

  @Test func fieldOutsideItsTable() {
    var bytes = sound
    let root = Int(bytes[0])
    bytes[root - Int(bytes[root]) + 4] = 200
    #expect(error(bytes, depth: 2).contains("4 bytes at 200 of a table of"))
  }

  @Test func vectorLongerThanTheMessage() {
    let bytes = FlatBufferBuilder.build(.table([1: .emptyVector(claiming: .max)]), identifier: "TEST")
    #expect(error(bytes).contains("(T.numbers): a vector of 4294967295 elements of 4 bytes"))
  }

  @Test func depthIsLimited() {
    var node = FlatBufferNode.table([:])
    for _ in 0..<80 { node = .table([0: node]) }
    let bytes = FlatBufferBuilder.build(node, identifier: "TEST")
    #expect(error(bytes, depth: 64) == "")
    #expect(error(bytes, depth: 65).contains("a table 65 levels deep, expected at most 64"))
  }

  @Test func aReferenceToItselfIsRefused() {
    let bytes = FlatBufferBuilder.build(.table([0: .reference(0)]), identifier: "TEST")
    #expect(error(bytes, depth: 2).contains("(T.inner): a reference to offset"))
    #expect(!error(bytes, depth: 2).contains("incomplete"))
  }

  /// 3000 references to one subgraph that has 3000 references to one tensor: 9 million tensors in 24 kB.
  @Test func sharingCannotMultiplyTheWork() {
    let tensors = FlatBufferNode.repeated(.table([0: .int32s([1])]), count: 3000)
    let model = FlatBufferNode.table([0: .uint32(3), 2: .repeated(.table([0: tensors]), count: 3000)])
    let bytes = FlatBufferBuilder.build(model, identifier: "TFL3")
    #expect(refusal(bytes).contains("the same bytes are referred to too many times"))
  }

  @Test func textThatIsNotUTF8IsRepaired() throws {
    var bytes = FlatBufferBuilder.build(.table([0: .string("aXb")]), identifier: "TEST")
    bytes[try #require(bytes.firstIndex(of: UInt8(ascii: "X")))] = 0xFF
    let root = try FlatBuffer(StoredBytes(bytes), identifier: "TEST", format: "a test").root(named: "T")
    #expect(try root.string(0, "text") == "a\u{FFFD}b")
  }
}
