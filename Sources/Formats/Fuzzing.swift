import TensorCore

/// Entry points for a fuzzer: any bytes at all must give a result or an ``ApusError``.
package enum Fuzzing {
  /// Reads bytes as a model, with its metadata and labels.
  /// - Returns: why the bytes were refused, or nil.
  @discardableResult
  package static func tflite(_ bytes: [UInt8]) -> ApusError? {
    do {
      let model = try TFLiteModel(bytes)
      _ = model.subgraphs.map(\.obstacles)
      let metadata = try TFLiteMetadata(of: model, in: bytes)
      _ = try metadata?.labels(ofOutput: 0, in: bytes)
      return nil
    } catch {
      return error
    }
  }

  /// Reads bytes as each of the small formats.
  package static func others(_ bytes: [UInt8]) {
    _ = try? LabelFile(bytes)
    _ = try? ClassifierMetadata(bytes)
    _ = try? Npy.tensor(bytes)
    _ = try? Inflate.inflate(bytes[...], limit: 1 << 20)
    if let archive = try? ZipArchive.atEnd(of: bytes) {
      for entry in archive.entries { _ = try? archive.contents(of: entry.name, limit: 1 << 20) }
    }
  }
}
