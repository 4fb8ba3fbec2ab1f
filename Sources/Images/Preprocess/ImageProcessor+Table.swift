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
    let openCLIP = try ConfigurationReader(
      sample: #"{"model_cfg": {"vision_cfg": {}}, "preprocess_cfg": {"size": 224}}"#)
    _ = try OpenCLIPPreprocessing.read(openCLIP)
    table.add(try openCLIP.object("preprocess_cfg"), file: ModelFolder.openCLIPFile, family: "OpenCLIP")
    let timm = try ConfigurationReader(sample: #"{"pretrained_cfg": {"input_size": [3, 224, 224]}}"#)
    _ = try TimmPreprocessing.read(try timm.object("pretrained_cfg"))
    table.add(
      try timm.object("pretrained_cfg"), file: "config.json", family: "models of timm and torchvision")
  }
}
