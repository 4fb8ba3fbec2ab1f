/// Makes safetensors files in memory, sound or not.
package enum SafetensorsBuilder {
  /// A file with a header as it stands, and data.
  package static func file(header: String, data: [UInt8] = []) -> [UInt8] {
    let text = Array(header.utf8)
    return (0..<8).map { UInt8(truncatingIfNeeded: text.count >> (8 * $0)) } + text + data
  }

  /// A file with tensors whose bytes lie one after another.
  package static func file(_ tensors: [(name: String, type: String, shape: [Int], bytes: [UInt8])]) -> [UInt8]
  {
    var entries: [String] = []
    var data: [UInt8] = []
    for tensor in tensors {
      let end = data.count + tensor.bytes.count
      entries.append(
        #""\#(tensor.name)":{"dtype":"\#(tensor.type)","shape":\#(tensor.shape),"data_offsets":[\#(data.count),\#(end)]}"#
      )
      data += tensor.bytes
    }
    return file(header: "{\(entries.joined(separator: ","))}", data: data)
  }

  /// The bytes of 32-bit floats.
  package static func bytes(_ floats: [Float]) -> [UInt8] {
    floats.flatMap { float in (0..<4).map { UInt8(truncatingIfNeeded: float.bitPattern >> (8 * $0)) } }
  }
}
