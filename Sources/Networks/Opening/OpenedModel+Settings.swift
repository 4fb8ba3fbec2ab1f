import Formats
import Images
import Models
import Text

extension OpenedModel {
  /// What the configuration files of a folder come to for its networks, its tokenizer and its pictures, with what the
  /// absence of a key means; nothing of a `.tflite` file.
  package func settings() -> [ConfigurationRecord.Setting] {
    guard case .folder(let folder, let weights) = source else { return [] }
    let record = ConfigurationRecord()
    let recorded = folder.recording(in: record)
    // What cannot be read is refused where it is needed; here it has nothing to compare.
    _ = try? ModelArchitecture.load(recorded, weights)
    _ = try? ImageProcessor.find(in: recorded)
    _ = try? Tokenizer(folder: recorded)
    return record.settings
  }
}
