import Formats
import TensorCore

/// NumPy's files of one array, `numpy.save` and `numpy.load`.
extension Tensor {
  /// The array in the bytes of an `.npy` file.
  /// - Throws: ``ApusError`` of kind `argument` that says what of the header is wrong, or how many bytes there are and
  ///   should be.
  public init(npy bytes: [UInt8]) throws(ApusError) { self = try Npy.tensor(bytes) }

  /// The array in an `.npy` file of up to 4 GiB. Arrays in Fortran order are reordered.
  /// - Throws: ``ApusError`` of kind `file` that names the file.
  public init(npyFile path: String) throws(ApusError) { self = try Npy.tensor(contentsOf: path) }

  /// The bytes of an `.npy` file of version 1 with the elements; what integers stand for is not in it.
  /// - Throws: ``ApusError`` of kind `argument` for `bfloat16`, which NumPy lacks.
  public func npy() throws(ApusError) -> [UInt8] { try Npy.bytes(self) }

  /// Writes an `.npy` file, which is there when all of it is written; one that is there already is replaced.
  /// - Throws: ``ApusError`` of kind `file` that names the file; of kind `argument` for `bfloat16`.
  public func write(npyFile path: String) throws(ApusError) {
    let bytes = try npy()
    let file = try NewFile(replacing: path)
    try file.write(bytes)
    try file.commit()
  }
}
