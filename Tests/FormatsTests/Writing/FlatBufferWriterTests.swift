import TensorCore
import Testing

@testable import Formats

/// What is written comes back field by field, laid out as the format demands.
struct FlatBufferWriterTests {
  private func message(_ record: FlatBufferRecord) throws -> FlatBufferTable {
    let bytes = try FlatBufferWriter.message(record, identifier: "TEST")
    #expect(bytes.count.isMultiple(of: 4))
    return try FlatBuffer(StoredBytes(bytes), identifier: "TEST", format: "a test").root(named: "Root")
  }

  @Test func numbersAndReferencesComeBack() throws {
    var inner = FlatBufferRecord()
    inner.set(2, Int32(-5))
    var record = FlatBufferRecord()
    record.set(0, UInt8(200))
    record.set(1, Int64.min)
    record.set(2, Float(-0.5))
    record.set(3, true)
    record.set(4, .string("größer"))
    record.set(5, .integers([1, -2, 3] as [Int64]))
    record.set(6, .floats([.infinity, -1]))
    record.set(7, .record(inner))
    record.set(8, .records([inner, FlatBufferRecord(), inner]))
    record.set(9, .vector([1, 2, 3], width: 1, alignment: 16))
    record.set(11, UInt32.max)
    let table = try message(record)
    #expect(try table.integer(0, "a", default: 0 as UInt8) == 200)
    #expect(try table.integer(1, "b", default: 0 as Int64) == .min)
    #expect(try table.float(2, "c") == -0.5)
    #expect(try table.bool(3, "d"))
    #expect(try table.string(4, "e") == "größer")
    #expect(try table.integers(5, "f", of: Int64.self) == [1, -2, 3])
    #expect(try table.floats(6, "g") == [.infinity, -1])
    #expect(try table.table(7, "h", as: "Inner")?.int(2, "x") == -5)
    let inners = try table.tables(8, "i", as: "Inner").map { (_, table) throws(ApusError) in
      try table.int(2, "x")
    }
    #expect(inners == [-5, 0, -5])
    let range = try #require(try table.byteRange(9, "j"))
    #expect(range.count == 3 && range.lowerBound.isMultiple(of: 16))
    #expect(try table.string(10, "k") == nil)
    #expect(try table.index(11, "l") == Int(UInt32.max))
  }

  @Test func defaultsAreLeftOut() throws {
    var record = FlatBufferRecord()
    record.set(0, Int32(7))
    record.set(0, Int32(0))
    record.set(1, Int32(1), default: 1)
    record.set(2, false)
    record.set(3, true, default: true)
    record.set(4, nil as FlatBufferContent?)
    #expect(record.fields.isEmpty)
    let table = try message(record)
    #expect(try table.int(1, "x", default: 1) == 1)
  }

  /// Wide numbers lie at multiples of their size, from the start of the message.
  @Test func numbersAreAligned() throws {
    for size in 0..<4 {
      var record = FlatBufferRecord()
      record.set(0, .string(String(repeating: "x", count: size)))
      var inner = FlatBufferRecord()
      inner.set(0, UInt8(1))
      inner.set(1, UInt64(0x1122_3344_5566_7788))
      record.set(1, .record(inner))
      record.set(2, .integers([0x0102_0304_0506_0708] as [Int64]))
      let bytes = try FlatBufferWriter.message(record, identifier: "TEST")
      for wanted: [UInt8] in [[0x88, 0x77, 0x66, 0x55, 0x44], [8, 7, 6, 5, 4, 3, 2, 1]] {
        let place = bytes.indices.first { bytes[$0...].starts(with: wanted) }
        #expect(place?.isMultiple(of: 8) == true, "\(size)")
      }
    }
  }

  @Test func likeTablesShareTheirLayout() throws {
    var inner = FlatBufferRecord()
    inner.set(0, Int32(3))
    inner.set(1, Int32(4))
    func size(_ count: Int) throws -> Int {
      var record = FlatBufferRecord()
      record.set(0, .records(Array(repeating: inner, count: count)))
      return try FlatBufferWriter.message(record, identifier: "TEST").count
    }
    // A reference and the table: its distance to the layout, and two numbers.
    #expect(try size(11) - size(10) == 16)
  }
}
