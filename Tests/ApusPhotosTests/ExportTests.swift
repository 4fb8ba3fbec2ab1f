import Foundation
import Formats
import JSONCoding
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// What exports hold, read back by readers of their own. `Tools/checks/photos-export` holds the same files to pyarrow,
/// DuckDB, NumPy and a vector database.
@Suite struct ExportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records with and without each thing, as `Tools/checks/photos-export` makes them.
  static func records(_ count: Int, width: Int) -> [ExportRecord] {
    (0..<count).map { row in
      let name = row == 3 ? FileName.text([0x66, 0xFF, 0x2E, 0x6A]) : "photos/ä \"\(row)\"\n.jpg"
      var record = ExportRecord(
        path: name, digest: "d\(row)", width: 4000 + row, height: 3000 - row, vector: [])
      if row % 3 != 0 { record.takenAt = 1_709_251_199 + Int64(row) }
      if row % 2 != 0 { record.camera = "Maker \(row)" }
      if row % 4 == 1 { (record.latitude, record.longitude) = (13.75 + Double(row), -100.5) }
      record.vector = (0..<width).map { (column: Int) in
        let number = (row * 31 + column * 17) % 64 - 32
        return Float(number) / 64
      }
      return record
    }
  }

  private func lines(_ path: String) throws -> [JSONValue] {
    let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
    #expect(text.hasSuffix("\n") || text.isEmpty)
    return try text.split(separator: "\n").map { try JSONValue.parse(Array($0.utf8)[...]) }
  }

  @Test func parquet() throws {
    let path = folder.path + "/x.parquet"
    let records = Self.records(23, width: 5)
    let writer = try ParquetWriter(path, width: 5, groupRows: 9)
    for record in records { try writer.write(record) }
    #expect(try writer.finish() == [path])
    let file = try ParquetReader(try FileBytes.read(path))
    #expect(file.footer[3]?.integer == 23)
    #expect(file.groupRows == [9, 9, 5])
    #expect(file.footer[2]?.list.first?[5]?.integer == 10)
    #expect(
      file.leaves.map(\.name) == [
        "path", "path_bytes", "digest", "width", "height", "taken_at", "camera", "latitude", "longitude",
        "element",
      ])
    #expect(file.leaves.map(\.meaning) == [0, nil, 0, nil, nil, 9, 0, nil, nil, nil])
    #expect(try file.column(0) == records.map { .text(FileName.readable($0.path)) })
    #expect(
      try file.column(1)
        == records.map { FileName.isEscaped($0.path) ? .bytes(FileName.bytes($0.path)) : .none })
    #expect(try file.column(2) == records.map { .text($0.digest) })
    #expect(try file.column(3) == records.map { .integer($0.width) })
    #expect(try file.column(4) == records.map { .integer($0.height) })
    #expect(try file.column(5) == records.map { $0.takenAt.map { .integer(Int($0) * 1000) } ?? .none })
    #expect(try file.column(6) == records.map { $0.camera.map { .text($0) } ?? .none })
    #expect(try file.column(7) == records.map { $0.latitude.map { .number($0) } ?? .none })
    #expect(try file.column(8) == records.map { $0.longitude.map { .number($0) } ?? .none })
    #expect(try file.column(9) == records.map { .list($0.vector) })
  }

  @Test(arguments: [(0, 3), (1, 1), (8, 1), (9, 700)])
  func parquetOfSizes(_ count: Int, _ width: Int) throws {
    let path = folder.path + "/x.parquet"
    let export = try PhotoExport(to: path, as: .parquet, width: width)
    let records = Self.records(count, width: width)
    for record in records { try export.write(record) }
    _ = try export.finish()
    let file = try ParquetReader(try FileBytes.read(path))
    #expect(try file.column(9) == records.map { .list($0.vector) })
    #expect(file.footer[3]?.integer == count)
  }

  @Test func npy() throws {
    let path = folder.path + "/x.npy"
    let records = Self.records(11, width: 6)
    let export = try PhotoExport(to: path, as: .npy, width: 6)
    for record in records { try export.write(record) }
    #expect(export.count == 11)
    #expect(try export.finish() == [path, folder.path + "/x.jsonl"])
    let matrix = try Npy.tensor(contentsOf: path)
    #expect(matrix.shape.dimensions == [11, 6])
    #expect(try matrix.elements(of: Float.self) == records.flatMap(\.vector))
    #expect(try lines(folder.path + "/x.jsonl").count == 11)
  }

  @Test func jsonLines() throws {
    let path = folder.path + "/x.jsonl"
    let export = try PhotoExport(to: path, as: .jsonl, width: 2)
    let records = Self.records(5, width: 2)
    for record in records { try export.write(record) }
    #expect(try export.finish() == [path])
    let lines = String(decoding: try FileBytes.read(path), as: UTF8.self).split(separator: "\n").map(
      String.init)
    #expect(
      lines[1]
        == #"{"path":"photos/ä \"1\"\n.jpg","path_base64":null,"digest":"d1","width":4001,"height":2999,"#
        + #""taken_at":"2024-03-01T00:00:00Z","camera":"Maker 1","latitude":14.75,"longitude":-100.5,"#
        + #""vector":[-0.015625,0.25]}"#)
    #expect(lines[3].hasPrefix(#"{"path":"f\#u{FFFD}.j","path_base64":"Zv8uag==""#))
    #expect(try self.lines(path).count == 5)
  }

  /// Every bit of a number is written.
  @Test(arguments: PhotoExport.Format.allCases)
  func vectorsAreExact(_ format: PhotoExport.Format) throws {
    let path = folder.path + "/x"
    var random = SeededRandom()
    var records = Self.records(7, width: 9)
    for index in records.indices { records[index].vector = random.floats(9).map { $0 / 3 } }
    let export = try PhotoExport(to: path, as: format, width: 9)
    for record in records { try export.write(record) }
    _ = try export.finish()
    let vectors = records.map(\.vector)
    switch format {
    case .parquet:
      #expect(try ParquetReader(try FileBytes.read(path)).column(9) == vectors.map { .list($0) })
    case .npy: #expect(try Npy.tensor(contentsOf: path).elements(of: Float.self) == vectors.flatMap { $0 })
    case .jsonl:
      let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
      let found = text.split(separator: "\n").map { line in
        line.split(separator: "[").last?.prefix { $0 != "]" }.split(separator: ",").compactMap { Float($0) }
      }
      #expect(found == vectors)
    }
  }

  /// Numbers that JSON does not have.
  @Test func numbersThatAreNone() throws {
    let path = folder.path + "/x.jsonl"
    let export = try PhotoExport(to: path, as: .jsonl, width: 2)
    var record = Self.records(1, width: 2)[0]
    (record.vector, record.latitude, record.takenAt) = ([.nan, .infinity], .nan, .max)
    try export.write(record)
    _ = try export.finish()
    let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
    #expect(text.contains(#""latitude":null"#) && text.contains(#""vector":[null,null]"#))
    #expect(try lines(path).count == 1)
  }

  /// Byte for byte the files that `Tools/checks/photos-export` reads with other programs; `APUS_EXPORTS` names a folder
  /// to write them to.
  @Test(arguments: PhotoExport.Format.allCases)
  func filesThatOthersRead(_ format: PhotoExport.Format) throws {
    let target = ProcessInfo.processInfo.environment["APUS_EXPORTS"] ?? folder.path
    let export = try PhotoExport(to: "\(target)/export-\(format).\(format)", as: format, width: 8)
    for record in Self.records(40, width: 8) { try export.write(record) }
    for path in try export.finish() {
      let fixture = Checkout.fixture("photos/\(FileName.last(of: path))").path
      #expect(try FileBytes.read(path) == FileBytes.read(fixture), "\(path)")
    }
  }

  @Test(arguments: PhotoExport.Format.allCases)
  func refusals(_ format: PhotoExport.Format) throws {
    let export = try PhotoExport(to: folder.path + "/x", as: format, width: 2)
    #expect(throws: ApusError.self) { try export.write(Self.records(1, width: 3)[0]) }
    #expect(throws: ApusError.self) { try PhotoExport(to: folder.path + "/x", as: format, width: 0) }
    #expect(throws: ApusError.self) { try PhotoExport(to: folder.path + "/none/x", as: format, width: 2) }
    // Nothing has a name before the end.
    #expect(!FileSystem.exists(folder.path + "/x"))
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00"), (-1, "1969-12-31T23:59:59"), (951_868_800, "2000-03-01T00:00:00"),
    (951_782_400, "2000-02-29T00:00:00"), (4_107_542_399, "2100-02-28T23:59:59"),
    (4_107_542_400, "2100-03-01T00:00:00"), (-62_135_596_800, "0001-01-01T00:00:00"),
    (253_402_300_799, "9999-12-31T23:59:59"),
  ])
  func times(_ seconds: Int64, _ text: String) { #expect(CalendarTime.text(seconds) == text) }

  @Test func aClockWithoutZoneHasNone() throws {
    let path = folder.path + "/x.jsonl"
    let export = try PhotoExport(to: path, as: .jsonl, width: 1)
    var record = Self.records(2, width: 1)[1]
    record.isTakenByClock = true
    try export.write(record)
    _ = try export.finish()
    let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
    #expect(text.contains(#""taken_at":"2024-03-01T00:00:00""#))
  }

  /// A link stays, and what it leads to is replaced, or made.
  @Test(arguments: [true, false])
  func linksAreFollowed(_ isThere: Bool) throws {
    if isThere { try folder.write("target/x", "old") } else { try folder.write("target/other", "") }
    let (path, links) = (folder.path + "/x.jsonl", FileManager.default)
    try links.createSymbolicLink(atPath: folder.path + "/second", withDestinationPath: "target/x")
    try links.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/second")
    let export = try PhotoExport(to: path, as: .jsonl, width: 1)
    try export.write(Self.records(1, width: 1)[0])
    #expect(try export.finish() == [path])
    #expect(try lines(folder.path + "/target/x").count == 1)
    #expect(try links.destinationOfSymbolicLink(atPath: path) == folder.path + "/second")
    #expect(try links.destinationOfSymbolicLink(atPath: folder.path + "/second") == "target/x")
  }

  @Test(arguments: PhotoExport.Format.allCases)
  func pipesAreWrittenTo(_ format: PhotoExport.Format) throws {
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let reader = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(reader) }
    guard format != .npy else {
      #expect { try PhotoExport(to: path, as: format, width: 1) } throws: { ($0 as? ApusError)?.file == path }
      return
    }
    func write(_ path: String) throws {
      let export = try PhotoExport(to: path, as: format, width: 3)
      for record in Self.records(5, width: 3) { try export.write(record) }
      _ = try export.finish()
    }
    try write(path)
    try write(folder.path + "/file")
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    bytes.removeLast(bytes.count - max(0, read(reader, &bytes, bytes.count)))
    #expect(try bytes == FileBytes.read(folder.path + "/file"))
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func thriftNumbers() throws {
    let numbers = [0, 1, -1, 63, 64, -64, -65, 1 << 20, .max, .min]
    let bytes = ThriftWriter.bytes { writer in
      writer.int64(1, -5)
      writer.int32s(3, numbers)
      writer.text(15, "ä")
      writer.structures(16, [1, 2]) { $0.int32(2, $1) }
    }
    var reader = ThriftReader(bytes[...])
    let value = try reader.structure()
    #expect(value[1] == .integer(-5))
    #expect(value[3] == .list(numbers.map { .integer($0) }))
    #expect(value[15] == .text("ä"))
    #expect(value[16]?.list.map { $0[2] } == [.integer(1), .integer(2)])
    #expect(reader.offset == bytes.count)
  }
}
