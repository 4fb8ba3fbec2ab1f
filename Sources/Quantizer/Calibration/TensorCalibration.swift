import Formats
import TensorCore

/// Tensors in `.npy` files of a folder, for models of one input that is no picture: of the input's shape, or with
/// several samples along the first axis.
struct TensorCalibration: CalibrationSource {
  private let folder: String
  private let samples: [Tensor]

  /// - Throws: ``ApusError`` that names the file whose tensor does not fit the input.
  init(_ folder: String, _ paths: [String], input: TensorType, limit: Int) throws(ApusError) {
    self.folder = folder
    var samples: [Tensor] = []
    for path in paths where samples.count < limit {
      do {
        let stored = try Npy.tensor(contentsOf: "\(folder)/\(path)")
        samples += try Self.split(stored, input).prefix(limit - samples.count)
      } catch {
        throw error.inFile("\(folder)/\(path)")
      }
    }
    self.samples = samples
  }

  private static func split(_ stored: Tensor, _ input: TensorType) throws(ApusError) -> [Tensor] {
    let one = input.shape
    guard stored.dataType == input.dataType, one.elementCount > 0, stored.shape.elementCount > 0,
      stored.shape == one
        || stored.shape.dimensions.dropFirst() == one.dimensions.dropFirst()
          && stored.shape.elementCount % one.elementCount == 0
    else {
      throw ApusError(
        .argument, "a tensor \(stored.type)", expected: "\(input), or several of them along the first axis")
    }
    var samples: [Tensor] = []
    for index in 0..<(stored.shape.elementCount / one.elementCount) {
      samples.append(
        try Tensor(input, storage: stored.storage, byteOffset: stored.byteOffset + index * input.byteCount))
    }
    return samples
  }

  var count: Int { samples.count }
  var description: String { "\(count) tensors of \(folder)" }
  var inputRanges: [ValueRange?] { [nil] }

  func inputs(_ index: Int) throws(ApusError) -> [Tensor] { [samples[index]] }
}
