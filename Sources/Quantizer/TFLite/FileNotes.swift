import Formats
import TensorCore

/// What a `.tflite` file has besides the model: metadata, and files in an archive behind it, such as labels.
enum FileNotes {
  /// An entry that says which runtime is needed at least, which new operators may make wrong.
  private static let runtimeVersion = "min_runtime_version"
  private static let archiveLimit = 1 << 28

  /// The bytes of a draft with the metadata and files of the file it was made from.
  static func bytes(_ draft: TFLiteDraft, of model: TFLiteModel) throws(ApusError) -> [UInt8] {
    var draft = draft
    draft.metadata = model.metadata.filter { $0.name != runtimeVersion && !$0.data.isEmpty }
      .map { ($0.name, Array(model.bytes[$0.data])) }
    let written = try TFLiteWriter.bytes(draft)
    guard let archive = try ZipArchive.atEnd(of: model.bytes), !archive.entries.isEmpty else {
      return written
    }
    var files: [(name: String, contents: [UInt8])] = []
    for entry in archive.entries {
      files.append((entry.name, try archive.contents(of: entry.name, limit: archiveLimit)))
    }
    return written + (try ZipWriter.archive(files))
  }
}
