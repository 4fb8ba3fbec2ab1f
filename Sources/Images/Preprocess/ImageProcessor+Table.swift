import Formats
import TensorCore

extension ImageProcessor {
  /// Adds the keys of `preprocessor_config.json` to a table, by reading files that name a class alone.
  package static func addKeys(to table: inout ConfigurationTable) throws(ApusError) {
    let classes: KeyValuePairs = [
      "ViTImageProcessor": "all other classes", "ConvNextImageProcessor": "ConvNextImageProcessor",
    ]
    for (name, family) in classes {
      let reader = try ConfigurationReader(sample: #"{"image_processor_type": "\#(name)"}"#)
      _ = try HuggingFaceImageProcessor.read(reader, modelType: nil)
      table.add(reader, file: "preprocessor_config.json", family: family)
    }
  }
}
