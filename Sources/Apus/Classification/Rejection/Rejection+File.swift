import Formats
import Networks
import TensorCore

/// A rejection as a file in the format of safetensors: `center`, `basis`, `means` and, with foreign pictures, `foreign.mean` and
/// `foreign.factor`, all float32; under `__metadata__` the format, its version and the number of classes.
extension Rejection {
  private static let format = "apus.rejection"
  private static let version = "1"
  /// Files over this size, in bytes, are refused.
  private static let maximumByteCount = 256 << 20

  /// Writes a file that appears whole or not at all.
  /// - Throws: ``ApusError`` of kind `file`.
  package func write(to path: String) throws(ApusError) {
    var tensors = [
      (name: "center", tensor: try Tensor(center)),
      (name: "basis", tensor: try Tensor(basis, shape: [rank, featureCount])),
      (name: "means", tensor: try Tensor(means, shape: [means.count / rank, rank])),
    ]
    if let foreign {
      tensors.append((name: "foreign.mean", tensor: try Tensor(foreign.mean)))
      tensors.append((name: "foreign.factor", tensor: try Tensor(foreign.factor, shape: [rank, rank])))
    }
    try SafetensorsWriter.write(
      tensors,
      metadata: ["format": Self.format, "version": Self.version, "classes": "\(classCount)"], to: path)
  }

  /// - Throws: ``ApusError`` with the file's name: of kind `file` when it cannot be read, `malformedModel` when it is
  ///   damaged or no rejection, `unsupportedModel` when a later version wrote it.
  package init(contentsOf path: String) throws(ApusError) {
    let bytes = try FileBytes.read(path, limit: Self.maximumByteCount)
    self = try naming(path) { () throws(ApusError) in try Self.read(bytes, path) }
  }

  private static func read(_ bytes: [UInt8], _ path: String) throws(ApusError) -> Rejection {
    let file = try SafetensorsFile(bytes, named: path)
    guard file.metadata["format"] == format else {
      throw ApusError(
        .malformedModel, "the file is no rejection", expected: "the format \(format)",
        advice: "\(Doing.calibrate) writes one.")
    }
    guard file.metadata["version"] == version else {
      throw ApusError(
        .unsupportedModel, "version \((file.metadata["version"] ?? "none").clipped) of a rejection",
        expected: version)
    }
    guard let classCount = file.metadata["classes"].flatMap(Int.init), classCount > 0 else {
      throw ApusError(.malformedModel, "no number of classes", expected: "'classes' under __metadata__")
    }
    let center = try matrix("center", of: file)
    let basis = try matrix("basis", of: file, columns: center.count)
    let rank = basis.count / max(center.count, 1)
    return try Rejection(
      center: center, basis: basis, means: try matrix("means", of: file, columns: rank),
      foreign: file["foreign.mean"] == nil
        ? nil
        : Foreign(
          mean: try matrix("foreign.mean", of: file),
          factor: try matrix("foreign.factor", of: file, columns: rank)),
      classCount: classCount)
  }

  /// - Parameter columns: of a matrix; nil for a vector.
  private static func matrix(
    _ name: String, of file: SafetensorsFile, columns: Int? = nil
  ) throws(ApusError) -> [Float] {
    let tensor = try file.tensor(name)
    let extents = tensor.shape.dimensions
    guard tensor.dataType == .float32, extents.count == (columns == nil ? 1 : 2),
      columns == nil || extents.last == columns
    else {
      throw ApusError(
        .malformedModel, "\(tensor.type)",
        expected: columns.map { "float32 of \($0) columns" } ?? "a vector of float32", at: "tensor '\(name)'")
    }
    return try tensor.elements(of: Float.self)
  }
}
