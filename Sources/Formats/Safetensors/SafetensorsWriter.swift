import JSONCoding
import TensorCore

/// Writes safetensors files: the same tensors always give the same bytes, those of the reference library.
///
/// Tensors stand by element type, the wider ones first, then by name, so that each is aligned; the header is
/// padded with spaces to a multiple of eight bytes.
package enum SafetensorsWriter {
  /// Writes a file that appears whole or not at all. Tensors are written from where they lie.
  /// - Parameter metadata: texts for `__metadata__`.
  /// - Throws: ``ApusError`` of kind `argument` for a name that stands twice or is `__metadata__`, or a header
  ///   over the format's limit; of kind `file` when the file cannot be written.
  package static func write(
    _ tensors: [(name: String, tensor: Tensor)], metadata: [ExactText: String] = [:], to path: String
  ) throws(ApusError) {
    let byName = Dictionary(
      tensors.map { (ExactText($0.name), $0.tensor) }, uniquingKeysWith: { first, _ in first })
    try write(tensors.map { ($0.name, $0.tensor.type) }, metadata: metadata, to: path) {
      (name) throws(ApusError) in
      guard let tensor = byName[ExactText(name)] else {
        throw ApusError(.argument, "no tensor '\(name.clipped)'")
      }
      return tensor
    }
  }

  /// Writes such a file from tensors that are asked for one after the other, so that no two of them need be in
  /// memory.
  /// - Parameters:
  ///   - types: of all tensors.
  ///   - tensor: gives the tensor of a name.
  /// - Throws: ``ApusError`` as above; of kind `argument` when a tensor is not of the type stated.
  package static func write(
    _ types: [(name: String, type: TensorType)], metadata: [ExactText: String] = [:], to path: String,
    tensor: (String) throws(ApusError) -> Tensor
  ) throws(ApusError) {
    let ordered = ordered(types)
    let header = try header(ordered, metadata)
    let file = try NewFile(replacing: path)
    try file.write(header)
    for (name, type) in ordered {
      let tensor = try tensor(name)
      guard tensor.dataType == type.dataType, tensor.shape == type.shape else {
        throw ApusError(.argument, "tensor '\(name.clipped)' is \(tensor.type)", expected: "\(type)")
      }
      try unsafe tensor.withBytes { (bytes) throws(ApusError) in try unsafe file.write(bytes) }
      try tensor.mappedFile?.checkUndamaged()
    }
    try file.commit()
  }

  /// The bytes of such a file.
  package static func bytes(
    _ tensors: [(name: String, tensor: Tensor)], metadata: [ExactText: String] = [:]
  ) throws(ApusError) -> [UInt8] {
    let ordered = ordered(tensors.map { ($0.name, $0.tensor.type) })
    let byName = Dictionary(
      tensors.map { (ExactText($0.name), $0.tensor) }, uniquingKeysWith: { first, _ in first })
    var bytes = try header(ordered, metadata)
    for (name, _) in ordered {
      unsafe byName[ExactText(name)]?.withBytes { unsafe bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  private static func ordered(
    _ tensors: [(name: String, type: TensorType)]
  ) -> [(name: String, type: TensorType)] {
    let ranks = Dictionary(
      SafetensorsType.allCases.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    func rank(_ type: TensorType) -> Int { ranks[SafetensorsType(type.dataType)] ?? 0 }
    return tensors.sorted { a, b in
      let ranks = (rank(a.type), rank(b.type))
      // Names by their bytes, as everywhere outside of Swift.
      return ranks.0 != ranks.1 ? ranks.0 > ranks.1 : a.name.utf8.lexicographicallyPrecedes(b.name.utf8)
    }
  }

  /// The length of the header and the header, for tensors that follow in this order.
  private static func header(
    _ tensors: [(name: String, type: TensorType)], _ metadata: [ExactText: String]
  ) throws(ApusError) -> [UInt8] {
    var members: [String] = []
    if !metadata.isEmpty {
      let texts = metadata.sorted { $0.key < $1.key }
        .map { "\(JSONText.quoted($0.key.text)):\(JSONText.quoted($0.value))" }
      members.append("\"__metadata__\":{\(texts.joined(separator: ","))}")
    }
    var names: Set<ExactText> = []
    var end = 0
    for (name, type) in tensors {
      guard name != "__metadata__", names.insert(ExactText(name)).inserted else {
        throw ApusError(.argument, "a second tensor named '\(name.clipped)'", expected: "each name once")
      }
      let start = end
      end += type.byteCount
      let shape = type.shape.dimensions.map { "\($0)" }.joined(separator: ",")
      members.append(
        #"\#(JSONText.quoted(name)):{"dtype":"\#(SafetensorsType(type.dataType).rawValue)","#
          + #""shape":[\#(shape)],"data_offsets":[\#(start),\#(end)]}"#)
    }
    var text = Array("{\(members.joined(separator: ","))}".utf8)
    text += [UInt8](repeating: UInt8(ascii: " "), count: (8 - text.count % 8) % 8)
    guard text.count <= SafetensorsHeader.maximumByteCount else {
      throw ApusError(
        .argument, "a header of \(text.count) bytes",
        expected: "at most \(SafetensorsHeader.maximumByteCount)")
    }
    return (0..<SafetensorsHeader.lengthByteCount).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) }
      + text
  }
}
