import TensorCore

/// A vector of tables, each verified when it is asked for.
struct FlatBufferTables {
  let buffer: FlatBuffer?
  /// The bytes of the references.
  let range: Range<Int>
  let field: FlatBufferField
  let type: String
  let depth: Int

  var count: Int { range.count / 4 }
  var isEmpty: Bool { range.isEmpty }

  /// The table at an index below ``count``.
  func table(_ index: Int) throws(ApusError) -> FlatBufferTable {
    let position = range.lowerBound + 4 * index
    guard let buffer, index >= 0, index < count else {
      throw field.error("element \(index) of \(count)", at: position)
    }
    let target = try buffer.reference(at: position, field)
    return try FlatBufferTable(buffer, at: target, name: type, depth: depth)
  }

  /// What `transform` makes of each table and its index.
  func map<T>(_ transform: (Int, FlatBufferTable) throws(ApusError) -> T) throws(ApusError) -> [T] {
    var result: [T] = []
    for index in 0..<count {
      result.append(try transform(index, try table(index)))
    }
    return result
  }
}
