import Kernels
import TensorCore

/// The first bytes of a vector file, which are written last and in one piece.
struct VectorFileHeader: Sendable, Hashable {
  static let magic = Array("apus.i8\n".utf8)
  static let version: UInt32 = 1
  static let byteCount = 128
  /// The longest digest of a model.
  static let longestModel = 64

  var width: Int
  /// The digest of the model that made the vectors, at most ``longestModel`` bytes.
  var model: [UInt8]
  /// Rows that are there, removed ones among them.
  var rowCount = 0
  var removedCount = 0
  /// The state of the database that the rows are of.
  var revision: Int64

  /// The bytes, the last 8 of which are a digest of the others.
  var bytes: [UInt8] {
    var bytes = Self.magic
    func add(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
    add(Self.version)
    add(UInt32(truncatingIfNeeded: width))
    add(Int64(rowCount))
    add(Int64(removedCount))
    add(revision)
    add(Int64(model.count))
    bytes += model + [UInt8](repeating: 0, count: Self.longestModel - model.count)
    bytes += [UInt8](repeating: 0, count: Self.byteCount - 8 - bytes.count)
    add(Self.check(bytes))
    return bytes
  }

  private static func check(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes {
      ContentDigest(UnsafeRawBufferPointer(rebasing: $0.prefix(byteCount - 8))).words[0]
    }
  }

  /// Parses the header of a file.
  /// - Parameter bytes: the first ``byteCount`` of the file.
  init(_ bytes: [UInt8]) throws(VectorFileFault) {
    guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else { throw .notVectors }
    func number<Number: FixedWidthInteger>(_ offset: Int) -> Number {
      bytes.withUnsafeBytes {
        Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
      }
    }
    // What follows may be laid out in another way in another version.
    let version: UInt32 = number(8)
    guard version == Self.version else { throw .version(Int(version)) }
    guard number(Self.byteCount - 8) == Self.check(bytes) else { throw .damaged("its header") }
    let (rows, removed, modelCount): (Int64, Int64, Int64) = (number(16), number(24), number(40))
    guard 0...Int64(VectorFileLayout.mostRows) ~= rows, 0...rows ~= removed,
      0...Int64(Self.longestModel) ~= modelCount
    else { throw .damaged("its header") }
    width = Int(number(12) as UInt32)
    (rowCount, removedCount, revision) = (Int(rows), Int(removed), number(32))
    model = Array(bytes[48..<48 + Int(modelCount)])
  }

  init(width: Int, model: [UInt8], revision: Int64) {
    (self.width, self.model, self.revision) = (width, model, revision)
  }
}
