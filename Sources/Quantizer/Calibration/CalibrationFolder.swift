import Foundation
import TensorCore

/// The files of a folder that calibration can use, in order.
struct CalibrationFolder {
  let path: String
  /// Paths below the folder, sorted.
  private(set) var pictures: [String] = []
  private(set) var tensors: [String] = []

  /// Samples that are used, at most: of more files those at equal distances.
  static let limit = 512

  /// - Throws: ``ApusError`` of kind `file` when there is neither picture nor tensor in it.
  init(_ path: String) throws(ApusError) {
    self.path = path
    let enumerator = FileManager.default.enumerator(atPath: path)
    while let name = enumerator?.nextObject() as? String {
      switch (name as NSString).pathExtension.lowercased() {
      case "npy": tensors.append(name)
      case let ending where PictureCalibration.endings.contains(ending): pictures.append(name)
      default: break
      }
    }
    guard !pictures.isEmpty || !tensors.isEmpty else {
      throw ApusError(
        .file, "nothing to calibrate with", expected: "a folder with JPEG or PNG pictures, or .npy files",
        file: path)
    }
    pictures = Self.spread(pictures.sorted())
    tensors.sort()
  }

  private static func spread(_ names: [String]) -> [String] {
    guard names.count > limit else { return names }
    return (0..<limit).map { names[$0 * names.count / limit] }
  }
}
