import Foundation

/// A small model folder whose weights are those of an export to ONNX (`Tools/fixtures/onnx/folders.py`).
package enum ONNXFolder {
  /// - Parameters:
  ///   - name: of the model folder that was exported.
  ///   - export: of the export, where there are several of one model.
  ///   - keepsWeights: whether safetensors lie there too.
  package static func make(
    _ name: String, _ export: String? = nil, keepsWeights: Bool = false
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder(name))
    if !keepsWeights { try FileManager.default.removeItem(atPath: folder.path + "/model.safetensors") }
    let source = Checkout.fixture("onnx-folders/\(export ?? name)/onnx").path
    try FileManager.default.copyItem(atPath: source, toPath: folder.path + "/onnx")
    return folder
  }
}
