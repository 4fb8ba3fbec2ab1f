import CLibrary
import Networks
import TensorCore

/// Pictures of a folder, prepared as the model's classifier prepares them.
struct PictureCalibration: CalibrationSource {
  private let paths: [String]
  private let pictures: PicturePreparation
  private let folder: String
  let inputRanges: [ValueRange?]

  /// - Parameter paths: files of the folder, below it.
  init(_ folder: String, _ paths: [String], _ pictures: PicturePreparation) throws(ApusError) {
    self.folder = folder
    self.paths = paths
    self.pictures = pictures
    var range = ValueRange()
    // Nothing is darker or lighter, whatever pictures come later.
    for byte: UInt8 in [0, 255] {
      let values: [Float] = try pictures.tensor(ofByte: byte).elements()
      _ = values.withUnsafeBufferPointer { range.add($0) }
    }
    inputRanges = [range]
  }

  var count: Int { paths.count }
  var description: String { "\(count) pictures of \(folder), \(pictures.preprocessor.description)" }

  var notes: [String] { pictures.notes }

  func inputs(_ index: Int) throws(ApusError) -> [Tensor] {
    [try pictures.tensor("\(folder)/\(paths[index])")]
  }
}
