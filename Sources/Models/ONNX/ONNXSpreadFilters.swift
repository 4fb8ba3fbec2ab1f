import TensorCore

extension Tensor {
  /// Filters of a transposed convolution [C, M / groups, height, width] as those of one group without dilations [C, M, …]: zeros
  /// where a channel of another group would count, and between taps.
  func spread(groups: Int, dilationY: Int, dilationX: Int) throws(ApusError) -> Tensor {
    let (channels, perGroup, height, width) = (shape[0], shape[1], shape[2], shape[3])
    let extents = [
      channels, perGroup * groups, (height - 1) * dilationY + 1, (width - 1) * dilationX + 1,
    ]
    try ONNXStep.requireFew(extents.saturatingProduct, "elements of filters")
    let type = TensorType(dataType, try Shape(extents))
    let (source, size) = (self, dataType.byteCount)
    let rule = [groups, dilationY, dilationX] + extents
    let derivation = Derivation(from: [self], rule: rule, isTransient: true) { target in
      source.withBytes { bytes in
        for channel in 0..<channels {
          let first = channel / (channels / groups) * perGroup
          for filter in 0..<perGroup {
            for y in 0..<height {
              let from = ((channel * perGroup + filter) * height + y) * width
              let to = ((channel * extents[1] + first + filter) * extents[2] + y * dilationY) * extents[3]
              for x in 0..<width {
                for byte in 0..<size {
                  target[(to + x * dilationX) * size + byte] = bytes[(from + x) * size + byte]
                }
              }
            }
          }
        }
      }
    }
    return try Tensor(type, storage: TensorStorage(byteCount: type.byteCount, derivedBy: derivation))
  }
}
