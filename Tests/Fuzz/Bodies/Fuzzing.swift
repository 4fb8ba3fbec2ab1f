import Formats
import JSONCoding
import TensorCore

/// What fuzz targets and tests of damaged files do with bytes: any at all must give a result or an ``ApusError``.
package enum Fuzzing {
  /// Reads bytes as a model, with its metadata and labels.
  /// - Returns: why the bytes were refused, or nil.
  @discardableResult
  package static func tflite(_ bytes: [UInt8]) -> ApusError? {
    do {
      let model = try TFLiteModel(bytes)
      _ = model.subgraphs.map(\.obstacles)
      let metadata = try TFLiteMetadata(of: model)
      _ = try metadata?.labels(ofOutput: 0, of: model)
      return nil
    } catch {
      return error
    }
  }

  /// Reads bytes as an ONNX model, with every byte of its tensors.
  /// - Returns: why the bytes were refused, or nil.
  @discardableResult
  package static func onnx(_ bytes: [UInt8]) -> ApusError? {
    do {
      let model = try ONNXModel(StoredBytes(bytes))
      for tensor in model.graph.initializers {
        guard case .stored(let range) = tensor.content else { continue }
        _ = model.bytes[range].reduce(0 as UInt8) { $0 ^ $1 }
      }
      return nil
    } catch {
      return error
    }
  }

  /// Reads bytes as a safetensors file, with all its tensors.
  /// - Returns: why the bytes were refused, or nil.
  @discardableResult
  package static func safetensors(_ bytes: [UInt8]) -> ApusError? {
    do {
      let file = try SafetensorsFile(bytes, named: "model.safetensors")
      for entry in file.entries {
        guard let tensor = try? file.tensor(entry.name) else { continue }
        // Every byte is touched, so that a range outside of the file does not go unnoticed.
        _ = tensor.withBytes { $0.reduce(0 as UInt8) { $0 ^ $1 } }
      }
      return nil
    } catch {
      return error
    }
  }

  /// Reads bytes as a checkpoint of PyTorch, with all its tensors.
  /// - Returns: why the bytes were refused, or nil.
  @discardableResult
  package static func checkpoint(_ bytes: [UInt8]) -> ApusError? {
    do {
      let file = try CheckpointFile(bytes, named: "pytorch_model.bin")
      for entry in file.entries {
        precondition(entry.bytes.count == entry.type.byteCount(of: entry.shape))
        guard let tensor = try? file.tensor(entry.name) else { continue }
        precondition(tensor.withBytes { $0.count } == entry.bytes.count)
        _ = tensor.withBytes { $0.reduce(0 as UInt8) { $0 ^ $1 } }
      }
      return nil
    } catch {
      return error
    }
  }

  /// Reads bytes as an index of shards, and as a configuration.
  package static func configuration(_ bytes: [UInt8]) {
    _ = try? SafetensorsIndex(bytes)
    guard let reader = try? ConfigurationReader(bytes, file: "config.json") else { return }
    for key in reader.keys {
      _ = try? reader.integer(key, in: 0...100)
      _ = try? reader.number(key)
      _ = try? reader.bool(key)
      _ = try? reader.string(key)
      _ = try? reader.object(key).requireAllRead()
    }
  }

  /// Reads bytes as JSON from wherever it may come. What is read can be passed over, and is the same when it was written
  /// again.
  package static func json(_ bytes: [UInt8]) {
    for origin in [JSONOrigin.file, .settings, .message] {
      guard let value = try? JSONValue.parse(bytes[...], from: origin) else { continue }
      let text = Array(JSONText.text(of: value).utf8)
      var reader = JSONReader(text[...], from: origin)
      precondition((try? reader.skipValue()) != nil && (try? reader.end()) != nil)
      precondition((try? JSONValue.parse(text[...], from: origin)) == value)
    }
  }

  /// Reads bytes as each of the small formats.
  package static func others(_ bytes: [UInt8]) {
    json(bytes)
    _ = try? LabelFile(bytes)
    _ = try? ClassifierMetadata(bytes)
    _ = try? Npy.tensor(bytes)
    _ = try? Inflate.inflate(bytes[...], limit: 1 << 20)
    if let archive = try? ZipArchive.atEnd(of: bytes) {
      for entry in archive.entries { _ = try? archive.contents(of: entry.name, limit: 1 << 20) }
    }
  }
}
