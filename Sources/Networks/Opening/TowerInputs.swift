import Models
import TensorCore

/// Tensors as transformers gives them, brought to what towers take.
package enum TowerInputs {
  /// The pictures with channels last. Where both orders have one shape, they come first, as in transformers.
  package static func pixels(_ tensor: Tensor?, for tower: any ImageTower) throws(ApusError) -> Tensor {
    guard let tensor else { throw ApusError(.argument, "no pixel_values", expected: "a tensor of them") }
    guard tensor.dataType == .float32 else { throw mismatch("a tensor \(tensor.type)", tower) }
    _ = try pictures(tensor.shape, for: tower)
    guard Array(tensor.shape.dimensions[1...]) == firstChannels(tower) else { return tensor }
    return try channelsLast(tensor)
  }

  /// How many pictures a tensor of that shape holds, channels first or last.
  static func pictures(_ shape: Shape, for tower: any ImageTower) throws(ApusError) -> Int {
    let orders = [firstChannels(tower), [tower.imageSize.height, tower.imageSize.width, tower.channels]]
    guard shape.rank == 4, orders.contains(Array(shape.dimensions[1...])) else {
      throw mismatch("a tensor of shape \(shape)", tower)
    }
    return shape[0]
  }

  private static func firstChannels(_ tower: any ImageTower) -> [Int] {
    [tower.channels, tower.imageSize.height, tower.imageSize.width]
  }

  private static func mismatch(_ found: String, _ tower: any ImageTower) -> ApusError {
    let (height, width) = (tower.imageSize.height, tower.imageSize.width)
    return ApusError(
      .argument, found, expected: "float32[N, \(tower.channels), \(height), \(width)]",
      at: "input 'pixel_values'")
  }

  private static func channelsLast(_ tensor: Tensor) throws(ApusError) -> Tensor {
    let source = try tensor.elements(of: Float.self)
    let (count, channels) = (tensor.shape[0], tensor.shape[1])
    let pixels = tensor.shape[2] * tensor.shape[3]
    var result = source
    for image in 0..<count {
      for channel in 0..<channels {
        for pixel in 0..<pixels {
          result[(image * pixels + pixel) * channels + channel] =
            source[(image * channels + channel) * pixels + pixel]
        }
      }
    }
    return try Tensor(result, shape: Shape([count, tensor.shape[2], tensor.shape[3], channels]))
  }

  /// The texts, with the tokens that the mask lets the model see, and their types.
  ///
  /// Refused is a mask that leaves out every token, where PyTorch's ways of attention give different numbers, and one
  /// that leaves out the token that stands for the text, unless it is always the last: transformers takes what attention
  /// makes of the padding there.
  static func rows(
    ids: Tensor?, mask: Tensor?, types: Tensor?, for tower: any TextTower
  ) throws(ApusError) -> [TokenRow] {
    guard let ids else { throw ApusError(.argument, "no input_ids", expected: "a tensor of them") }
    let rows = try integers(ids, "input_ids")
    let types = try columns(types, "token_type_ids", like: ids)
    guard let marks = try columns(mask, "attention_mask", like: ids) else {
      return rows.indices.map { TokenRow(rows[$0], types: types?[$0]) }
    }
    var masked: [TokenRow] = []
    for (index, (ids, marks)) in zip(rows, marks).enumerated() {
      let row = TokenRow(ids, marks: marks, types: types?[index])
      func refusal(_ problem: String, _ expected: String, _ advice: String? = nil) -> ApusError {
        ApusError(
          .argument, problem, expected: expected, at: "input 'attention_mask', text \(index)", advice: advice)
      }
      guard !row.columns.isEmpty || ids.isEmpty else {
        throw refusal("every token is left out", "a one for each token of the text")
      }
      guard row.columns.isEmpty || tower.pooledToken(of: ids).map(row.columns.contains) ?? true else {
        throw refusal(
          "the token that stands for the text is left out", "a one for it",
          "Fill texts up on the right: in its place transformers reads the padding.")
      }
      masked.append(row)
    }
    return masked
  }

  /// A number for each token; nil where there is no such tensor.
  private static func columns(
    _ tensor: Tensor?, _ name: String, like ids: Tensor
  ) throws(ApusError) -> [[Int32]]? {
    guard let tensor else { return nil }
    guard tensor.shape == ids.shape else {
      throw ApusError(
        .argument, "a tensor \(tensor.type)", expected: "the shape \(ids.shape) of input_ids",
        at: "input '\(name)'")
    }
    return try integers(tensor, name)
  }

  /// How many texts a tensor of that shape holds, and of how many tokens.
  static func texts(_ shape: Shape, for tower: any TextTower) throws(ApusError) -> (count: Int, tokens: Int) {
    let most = tower.maximumTokens
    guard shape.rank == 2, shape[0] > 0, shape[1] > 0, shape[1] <= most,
      shape[1] == tower.paddedLength ?? shape[1]
    else {
      throw ApusError(
        .argument, "a tensor of shape \(shape)",
        expected: tower.paddedLength.map { "[N, \($0)]" } ?? "[N, up to \(most) tokens]",
        at: "input 'input_ids'")
    }
    return (shape[0], shape[1])
  }

  private static func integers(_ tensor: Tensor, _ name: String) throws(ApusError) -> [[Int32]] {
    guard tensor.shape.rank == 2, [.int32, .int64].contains(tensor.dataType) else {
      throw ApusError(
        .argument, "a tensor \(tensor.type)", expected: "int64[N, tokens] or int32", at: "input '\(name)'")
    }
    // An id beyond 32 bits is beyond every vocabulary: clamped, it is refused as such.
    let values =
      tensor.dataType == .int32
      ? try tensor.elements(of: Int32.self) : try tensor.elements(of: Int64.self).map { Int32(clamping: $0) }
    let width = tensor.shape[1]
    return (0..<tensor.shape[0]).map { Array(values[($0 * width)..<(($0 + 1) * width)]) }
  }
}
