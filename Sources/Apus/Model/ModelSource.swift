import Foundation

/// What kind of model a name stands for.
package enum ModelSource {
  case tflite
  case safetensors
  /// A folder, or the name of a repository in the Hugging Face cache.
  case folder

  package init(_ name: String) {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: name, isDirectory: &isFolder)
    if name.hasSuffix(".safetensors") || name.hasSuffix(".safetensors.index.json") {
      self = .safetensors
    } else if exists ? !isFolder.boolValue : name.hasSuffix(".tflite") {
      self = .tflite
    } else {
      self = .folder
    }
  }
}
