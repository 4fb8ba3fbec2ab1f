import TensorCore

/// Arrays in NumPy's `.npy` files, versions 1 to 3.
///
/// Format: `numpy.lib.format`. Read are little-endian numbers and bytes; arrays in Fortran order are reordered.
package enum Npy {
  private static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  /// The tensor that a file holds.
  /// - Throws: ``ApusError`` of kind `argument` that says what of the header is wrong, or how many bytes there
  ///   are and should be.
  package static func tensor(_ bytes: [UInt8]) throws(ApusError) -> Tensor {
    let (header, start) = try header(of: bytes)
    let type = TensorType(header.dataType, header.shape)
    guard bytes.count - start == type.byteCount else {
      throw NpyHeader.error(
        "\(bytes.count - start) bytes of data", expected: "\(type.byteCount) for \(type)")
    }
    var data = bytes[start...]
    if header.isFortranOrder { data = rowMajor(data, header)[...] }
    // Other bytes than 0 and 1 are no value of Swift's Bool.
    if header.dataType == .bool { data = data.map { $0 == 0 ? 0 : 1 }[...] }
    return unsafe try Tensor(type) { buffer in unsafe buffer.copyBytes(from: data) }
  }

  /// - Throws: ``ApusError`` of kind `file` that names the file.
  package static func tensor(contentsOf path: String, limit: Int = 1 << 32) throws(ApusError) -> Tensor {
    let bytes = try FileBytes.read(path, limit: limit)
    do {
      return try tensor(bytes)
    } catch {
      var error = error
      // What the caller gave is a name; what is wrong is the file.
      if error.kind == .argument { error.kind = .file }
      throw error.inFile(path)
    }
  }

  /// A file of version 1 that holds a tensor.
  /// - Throws: ``ApusError`` of kind `argument` for bfloat16, which NumPy lacks, and for over 65 000 bytes of
  ///   header.
  package static func bytes(_ tensor: Tensor) throws(ApusError) -> [UInt8] {
    let head = try header(tensor.dataType, tensor.shape)
    return unsafe tensor.withBytes { data in unsafe head + Array(data) }
  }

  /// What stands before the elements in a file of version 1: 128 bytes for any matrix.
  /// - Throws: as ``bytes(_:)``.
  package static func header(_ dataType: DataType, _ shape: Shape) throws(ApusError) -> [UInt8] {
    var text = try NpyHeader(dataType, shape).text
    let fixed = magic.count + 4
    // NumPy pads the header with spaces so that the data lie at a multiple of 64.
    text += String(repeating: " ", count: 63 - (fixed + text.utf8.count) % 64) + "\n"
    guard let count = UInt16(exactly: text.utf8.count) else {
      throw NpyHeader.error("a header of \(text.utf8.count) bytes", expected: "at most \(UInt16.max)")
    }
    return magic + [1, 0, UInt8(truncatingIfNeeded: count), UInt8(count >> 8)] + Array(text.utf8)
  }

  /// The header, and where the data start.
  private static func header(of bytes: [UInt8]) throws(ApusError) -> (NpyHeader, Int) {
    guard bytes.starts(with: magic), bytes.count >= magic.count + 4 else {
      throw NpyHeader.error("not an .npy file", expected: "a file that starts with \\x93NUMPY")
    }
    let version = bytes[6]
    guard 1...3 ~= version else {
      throw NpyHeader.error("version \(version) of the format", expected: "1, 2 or 3")
    }
    let width = version == 1 ? 2 : 4
    let start = 8 + width
    guard bytes.count >= start else { throw NpyHeader.error("the file ends inside its header") }
    let count = bytes[8..<start].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count <= bytes.count - start else {
      throw NpyHeader.error(
        "a header of \(count) bytes", expected: "at most the \(bytes.count - start) that follow")
    }
    guard let text = String(validating: bytes[start..<start + count], as: UTF8.self) else {
      throw NpyHeader.error("a header that is not text")
    }
    return (try NpyHeader(text), start + count)
  }

  /// The elements of an array whose first axis varies fastest, in the order in which the last one does.
  private static func rowMajor(_ data: ArraySlice<UInt8>, _ header: NpyHeader) -> [UInt8] {
    let shape = header.shape
    let size = header.dataType.byteCount
    var steps = [Int](repeating: size, count: shape.rank)
    for axis in 0..<shape.rank where axis > 0 { steps[axis] = steps[axis - 1] * shape[axis - 1] }
    var result: [UInt8] = []
    result.reserveCapacity(data.count)
    var index = [Int](repeating: 0, count: shape.rank)
    var source = data.startIndex
    for _ in 0..<shape.elementCount {
      result += data[source..<source + size]
      for axis in index.indices.reversed() {
        index[axis] += 1
        source += steps[axis]
        if index[axis] < shape[axis] { break }
        source -= steps[axis] * shape[axis]
        index[axis] = 0
      }
    }
    return result
  }
}
