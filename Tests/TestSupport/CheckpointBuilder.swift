/// Makes checkpoints of PyTorch in memory, in its older form: five pickles, and the elements of each tensor's storage.
package enum CheckpointBuilder {
  private static let storages = [
    "F32": "Float", "F64": "Double", "F16": "Half", "BF16": "BFloat16", "I64": "Long", "I32": "Int",
    "I16": "Short", "I8": "Char", "U8": "Byte", "BOOL": "Bool",
  ]
  private static let magic: [UInt8] = [
    0x80, 2, 0x8A, 10, 0x6C, 0xFC, 0x9C, 0x46, 0xF9, 0x20, 0x6A, 0xA8, 0x50, 0x19, 0x2E,
  ]

  /// A file with dense tensors, each in a storage of its own. Types are named as in safetensors files.
  package static func file(_ tensors: [(name: String, type: String, shape: [Int], bytes: [UInt8])]) -> [UInt8]
  {
    var items: [UInt8] = []
    var keys: [UInt8] = []
    var data: [UInt8] = []
    for (index, tensor) in tensors.enumerated() {
      let count = tensor.shape.reduce(1, *)
      let storage =
        text("storage") + global("torch", (storages[tensor.type] ?? "") + "Storage") + text("\(index)")
        + text("cpu")
        + number(count)
      items += text(tensor.name) + global("torch._utils", "_rebuild_tensor_v2")
      items += [0x28, 0x28] + storage + [0x4E, 0x74, 0x51] + number(0) + tuple(tensor.shape)
      items += tuple(strides(tensor.shape)) + [0x89, 0x4E, 0x74, 0x52]
      keys += text("\(index)")
      data += (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + tensor.bytes
    }
    return magic + [0x80, 2, 0x4D, 0xE9, 3, 0x2E] + [0x80, 2, 0x7D, 0x2E]
      + pickle([0x7D, 0x28] + items + [0x75]) + pickle([0x5D, 0x28] + keys + [0x65]) + data
  }

  /// A pickle of operations, with what stands before and behind them.
  package static func pickle(_ operations: [UInt8]) -> [UInt8] { [0x80, 2] + operations + [0x2E] }

  /// A file whose value these operations make, without storages.
  package static func file(value operations: [UInt8]) -> [UInt8] {
    magic + [0x80, 2, 0x4D, 0xE9, 3, 0x2E] + [0x80, 2, 0x7D, 0x2E] + pickle(operations) + pickle([0x5D])
  }

  package static func text(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return [0x58] + (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
  }

  package static func global(_ module: String, _ name: String) -> [UInt8] {
    [0x63] + Array("\(module)\n\(name)\n".utf8)
  }

  package static func number(_ number: Int) -> [UInt8] {
    [0x8A, 8] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  package static func tuple(_ numbers: [Int]) -> [UInt8] { [0x28] + numbers.flatMap(number) + [0x74] }

  private static func strides(_ shape: [Int]) -> [Int] {
    shape.indices.map { shape[($0 + 1)...].reduce(1, *) }
  }
}
