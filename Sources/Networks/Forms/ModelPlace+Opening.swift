import Formats
import TensorCore

extension ModelPlace {
  /// The form of the model that is there.
  /// - Parameter variant: which ONNX files of a folder are meant; nil for its other weights, or the plain files.
  /// - Throws: ``ApusError``: as ``OpenedModel/init(_:variant:)``.
  package func form(variant: String? = nil) throws(ApusError) -> any ModelForm {
    switch self {
    case .file(let path):
      guard variant == nil else {
        throw ApusError(
          .argument, "a variant of a file", expected: "a folder with ONNX files", file: path,
          advice: "Leave out \(Setting.variant): the file is the one that is run.")
      }
      return try Self.form(ofFile: path)
    case .folder(let folder):
      let isONNX = variant != nil || ONNXFolderForm.isMeant(folder)
      return isONNX ? try ONNXFolderForm(folder, variant: variant) : try FolderForm(folder)
    }
  }

  /// Whether a name leads to a folder with ONNX files.
  package static func hasONNXFiles(_ name: String) -> Bool {
    guard case .folder(let folder) = try? ModelPlace(name) else { return false }
    return !ONNXFiles(in: folder).isEmpty
  }
}
