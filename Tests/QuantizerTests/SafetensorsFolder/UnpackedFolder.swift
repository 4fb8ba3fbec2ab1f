import Formats
import Foundation
import TensorCore
import TestSupport

/// A copy of a model folder whose packed matrices are written out as float32, element by element as their format is
/// defined.
struct UnpackedFolder {
  let folder: ModelFolder

  init(_ packed: ModelFolder, at path: String) throws {
    try FileManager.default.copyItem(atPath: packed.path, toPath: path)
    let weights = try packed.weights()
    var tensors: [(name: String, tensor: Tensor)] = []
    for name in weights.names {
      if name.hasSuffix("_packed") {
        let key = String(name.dropLast("_packed".count))
        tensors.append((key, try Self.matrix(key, weights)))
      } else if !Self.isPart(name, weights) {
        tensors.append((name, try weights.tensor(name)))
      }
    }
    try SafetensorsWriter.write(tensors, to: path + "/model.safetensors")
    try Self.removeQuantization(path + "/config.json")
    folder = try ModelFolder(path)
  }

  private static func isPart(_ name: String, _ weights: SafetensorsCollection) -> Bool {
    ["_scale", "_shape"].contains { ending in
      name.hasSuffix(ending) && weights.contains(String(name.dropLast(ending.count)) + "_packed")
    }
  }

  /// Of symmetric forms.
  private static func matrix(_ key: String, _ weights: SafetensorsCollection) throws -> Tensor {
    let extents: [Int64] = try weights.tensor(key + "_shape").elements()
    let (rows, columns) = (Int(extents[0]), Int(extents[1]))
    let stored = try weights.tensor(key + "_packed")
    let words: [Int32] = try stored.elements()
    // Rows of the fixtures fill their last int32.
    let bits = 32 * stored.shape[1] / columns
    let scaleTensor = try weights.tensor(key + "_scale")
    let scales = try scaleTensor.floats()
    let width = columns / scaleTensor.shape[1]
    var matrix: [Float] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let word = UInt32(bitPattern: words[row * stored.shape[1] + column * bits / 32])
        let number = Int(word >> UInt32(column * bits % 32)) % (1 << bits) - 1 << (bits - 1)
        matrix.append(Float(number) * scales[row * scaleTensor.shape[1] + column / width])
      }
    }
    return try Tensor(matrix, shape: Shape([rows, columns]))
  }

  private static func removeQuantization(_ path: String) throws {
    let url = URL(fileURLWithPath: path)
    var document = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
    document["quantization_config"] = nil
    try JSONSerialization.data(withJSONObject: document).write(to: url)
  }
}
