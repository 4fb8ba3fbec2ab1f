import TensorCore

/// Records as rows of a Parquet file.
final class ParquetWriter: RecordWriter {
  /// A group of rows is written when it has so many bytes, or so many rows.
  private static let groupByteCount = 16 << 20
  private let groupRows: Int

  private let path: String
  private var file: ParquetFile
  private var name = ParquetColumn("path", .bytes, as: .text)
  private var nameBytes = ParquetColumn("path_bytes", .bytes, .optional)
  private var digest = ParquetColumn("digest", .bytes, as: .text)
  private var width = ParquetColumn("width", .int32)
  private var height = ParquetColumn("height", .int32)
  private var takenAt = ParquetColumn("taken_at", .int64, .optional, as: .milliseconds)
  private var camera = ParquetColumn("camera", .bytes, .optional, as: .text)
  private var latitude = ParquetColumn("latitude", .double, .optional)
  private var longitude = ParquetColumn("longitude", .double, .optional)
  private var vector: ParquetColumn

  /// - Parameter groupRows: the rows of a group at most.
  init(_ path: String, width: Int, groupRows: Int = 1 << 16) throws(ApusError) {
    (self.path, self.groupRows) = (path, groupRows)
    vector = ParquetColumn("vector", .float, .list(width: width))
    let columns = [
      name, nameBytes, digest, self.width, height, takenAt, camera, latitude, longitude, vector,
    ]
    file = try ParquetFile(path, columns: columns)
  }

  private var columns: [ParquetColumn] {
    [name, nameBytes, digest, width, height, takenAt, camera, latitude, longitude, vector]
  }

  func write(_ record: ExportRecord) throws(ApusError) {
    name.add(FileName.readable(record.path))
    nameBytes.add(FileName.isEscaped(record.path) ? FileName.bytes(record.path) : nil)
    digest.add(record.digest)
    width.add(Int32(clamping: record.width))
    height.add(Int32(clamping: record.height))
    let (milliseconds, overflow) = (record.takenAt ?? 0).multipliedReportingOverflow(by: 1000)
    takenAt.add(overflow ? nil : record.takenAt.map { _ in milliseconds })
    camera.add(record.camera)
    latitude.add(record.latitude)
    longitude.add(record.longitude)
    vector.add(record.vector)
    let byteCount = vector.values.count + name.values.count + nameBytes.values.count + camera.values.count
    if vector.rowCount == groupRows || byteCount >= Self.groupByteCount { try flush() }
  }

  private func flush() throws(ApusError) {
    try file.add(columns)
    name.removeAll()
    nameBytes.removeAll()
    digest.removeAll()
    width.removeAll()
    height.removeAll()
    takenAt.removeAll()
    camera.removeAll()
    latitude.removeAll()
    longitude.removeAll()
    vector.removeAll()
  }

  func finish() throws(ApusError) -> [String] {
    try flush()
    try file.commit()
    return [path]
  }
}
