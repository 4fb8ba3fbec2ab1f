import Formats
import Networks
import TensorCore

/// NumPy's files of several arrays, `numpy.savez` and `numpy.load`.
extension NamedTensors {
  /// The arrays of an `.npz` file of up to 4 GiB, compressed or not, by their names.
  /// - Throws: ``ApusError`` of kind `file` that names the file.
  public init(npzFile path: String) throws(ApusError) {
    do throws(ApusError) {
      try self.init(npz: try FileBytes.read(path, limit: Self.limit))
    } catch {
      var error = error
      if error.kind == .malformedModel || error.kind == .argument { error.kind = .file }
      throw error.inFile(path)
    }
  }

  /// Writes an `.npz` file, which is there when all of it is written; one that is there already is replaced.
  /// - Throws: ``ApusError`` of kind `file` that names the file; of kind `argument` for `bfloat16`, which NumPy lacks.
  public func write(npzFile path: String) throws(ApusError) {
    let arrays = try map { (element) throws(ApusError) in
      (name: element.name + Self.ending, contents: try element.tensor.npy())
    }
    let file = try NewFile(replacing: path)
    try file.write(try ZipWriter.archive(arrays))
    try file.commit()
  }

  private init(npz bytes: [UInt8]) throws(ApusError) {
    guard let archive = try ZipArchive.atEnd(of: bytes) else {
      throw ApusError(.file, "no archive of arrays", expected: "an .npz file")
    }
    let names = archive.entries.map(\.name).filter { $0.hasSuffix(Self.ending) }
    let tensors = try names.map { (name) throws(ApusError) in
      try Tensor(npy: try archive.contents(of: name, limit: Self.limit))
    }
    self.init(tensors, named: names.map { OutputName(String($0.dropLast(Self.ending.count))) })
  }

  private static let ending = ".npy"
  private static let limit = 1 << 32
}
