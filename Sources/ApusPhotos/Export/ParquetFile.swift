import TensorCore

/// A Parquet file that is written group of rows by group of rows, uncompressed and plainly encoded.
///
/// Format: github.com/apache/parquet-format, README.md and src/main/thrift/parquet.thrift. Each column of a group is one
/// data page. In memory are one group and the places of those before.
struct ParquetFile {
  private static let magic = Array("PAR1".utf8)

  private let file: BufferedFile
  private let columns: [ParquetColumn]
  private var groups: [Group] = []

  /// A group of rows that is in the file.
  private struct Group {
    struct Chunk {
      let offset: Int
      let byteCount: Int
      let valueCount: Int
    }
    let chunks: [Chunk]
    let rowCount: Int
  }

  /// - Parameter columns: all there are, without values.
  init(_ path: String, columns: [ParquetColumn]) throws(ApusError) {
    file = try BufferedFile(replacing: path)
    self.columns = columns
    try file.write(Self.magic)
  }

  /// Writes a group of rows.
  /// - Parameter filled: the columns with as many rows in each, of less than 2³¹ bytes.
  mutating func add(_ filled: [ParquetColumn]) throws(ApusError) {
    guard let rowCount = filled.first?.rowCount, rowCount > 0 else { return }
    var chunks: [Group.Chunk] = []
    for column in filled {
      let offset = file.byteCount
      let levels = column.levels
      try file.write(Self.pageHeader(column, byteCount: levels.count + column.values.count))
      try file.write(levels)
      try file.write(column.values)
      chunks.append(
        Group.Chunk(offset: offset, byteCount: file.byteCount - offset, valueCount: column.valueCount))
    }
    groups.append(Group(chunks: chunks, rowCount: rowCount))
  }

  /// Writes the footer, and gives the file its name.
  func commit() throws(ApusError) {
    let footer = footer
    try file.write(footer)
    var end: [UInt8] = []
    end.append(littleEndian: UInt32(truncatingIfNeeded: footer.count))
    try file.write(end + Self.magic)
    try file.commit()
  }

  // Numbers of encodings: plain, and runs of levels.
  private static let plain = 0
  private static let runs = 3

  private static func pageHeader(_ column: ParquetColumn, byteCount: Int) -> [UInt8] {
    ThriftWriter.bytes { page in
      page.int32(1, 0)  // a data page
      page.int32(2, byteCount)
      page.int32(3, byteCount)
      page.structure(5) { data in
        data.int32(1, column.valueCount)
        data.int32(2, plain)
        data.int32(3, runs)
        data.int32(4, runs)
      }
    }
  }

  private var footer: [UInt8] {
    ThriftWriter.bytes { footer in
      footer.int32(1, 1)
      footer.structures(2, schema) { $1.write(to: &$0) }
      footer.int64(3, groups.reduce(0) { $0 + $1.rowCount })
      footer.structures(4, groups) { writer, group in
        writer.structures(1, Array(zip(columns, group.chunks))) { chunk, pair in
          chunk.int64(2, pair.1.offset)
          chunk.structure(3) { Self.describe(pair.0, pair.1, to: &$0) }
        }
        writer.int64(2, group.chunks.reduce(0) { $0 + $1.byteCount })
        writer.int64(3, group.rowCount)
      }
      footer.text(6, "apus")
    }
  }

  private static func describe(_ column: ParquetColumn, _ chunk: Group.Chunk, to writer: inout ThriftWriter) {
    writer.int32(1, column.physical.rawValue)
    writer.int32s(2, [plain, runs])
    writer.texts(3, column.path)
    writer.int32(4, 0)  // not compressed
    writer.int64(5, chunk.valueCount)
    writer.int64(6, chunk.byteCount)
    writer.int64(7, chunk.byteCount)
    writer.int64(9, chunk.offset)
  }

  /// The tree of columns, each node before those below it.
  private var schema: [SchemaNode] {
    [SchemaNode(name: "photos", childCount: columns.count)] + columns.flatMap(SchemaNode.nodes)
  }
}

/// A node of a file's schema.
private struct SchemaNode {
  /// Numbers of the format.
  enum Repetition: Int {
    case required = 0
    case optional = 1
    case repeated = 2
  }

  let name: String
  var physical: ParquetColumn.Physical?
  var repetition: Repetition?
  var childCount: Int?
  var meaning: ParquetColumn.Meaning?

  static func nodes(of column: ParquetColumn) -> [SchemaNode] {
    switch column.presence {
    case .required, .optional:
      let repetition: Repetition = if case .optional = column.presence { .optional } else { .required }
      return [
        SchemaNode(
          name: column.name, physical: column.physical, repetition: repetition, meaning: column.meaning)
      ]
    case .list:
      return [
        SchemaNode(name: column.name, repetition: .required, childCount: 1, meaning: .list),
        SchemaNode(name: "list", repetition: .repeated, childCount: 1),
        SchemaNode(name: "element", physical: column.physical, repetition: .required),
      ]
    }
  }

  func write(to writer: inout ThriftWriter) {
    if let physical { writer.int32(1, physical.rawValue) }
    if let repetition { writer.int32(3, repetition.rawValue) }
    writer.text(4, name)
    if let childCount { writer.int32(5, childCount) }
    if let meaning { writer.int32(6, meaning.rawValue) }
  }
}
