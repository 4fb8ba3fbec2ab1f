import Formats
import TensorCore

/// What the configuration files of every kind of model may say.
package enum ModelConfigurations {
  /// Adds the keys to a table, by reading files that say nothing.
  package static func add(to table: inout ConfigurationTable) throws(ApusError) {
    let texts: KeyValuePairs<String, BERTConfiguration.Family> = [
      "BERT": .bert, "DistilBERT": .distilbert, "RoBERTa and XLM-RoBERTa": .roberta,
    ]
    for (name, family) in texts {
      try add(name, to: &table) { (reader) throws(ApusError) in
        _ = try BERTConfiguration(reader, family)
        _ = try ClassConfiguration(reader)
      }
    }
    for (name, family) in ["ViT": "vit", "DeiT": "deit"] as KeyValuePairs {
      try add(name, to: &table) { (reader) throws(ApusError) in
        _ = try ViTConfiguration(reader, family: family, head: .classToken, imageSize: nil)
      }
    }
    try add("MobileNetV2", to: &table) { (reader) throws(ApusError) in
      _ = try MobileNetV2Layout.huggingFace(reader)
      _ = try reader.imageSize(default: 224)
      _ = try ClassConfiguration(reader)
    }
    try add("ConvNeXt", to: &table) { (reader) throws(ApusError) in
      _ = try ConvNeXtConfiguration(reader, imageSize: nil)
    }
    try addTowers(to: &table)
    try addModules(to: &table)
  }

  private static func addTowers(to table: inout ConfigurationTable) throws(ApusError) {
    let towers = #"{"text_config": {}, "vision_config": {}}"#
    try add("CLIP", towers, hasClasses: false, to: &table) { (reader) throws(ApusError) in
      _ = try CLIPConfiguration(reader, imageSize: nil)
    }
    try add("SigLIP", towers, hasClasses: false, to: &table) { (reader) throws(ApusError) in
      _ = try SigLIPConfiguration(reader, imageSize: nil)
    }
    try add("CLIP's tower for pictures", hasClasses: false, to: &table) { (reader) throws(ApusError) in
      _ = try reader.size("projection_dim", default: 512)
      _ = try CLIPConfiguration.Image(reader, imageSize: nil)
    }
    try add("CLIP's tower for texts", hasClasses: false, to: &table) { (reader) throws(ApusError) in
      _ = try reader.size("projection_dim", default: 512)
      _ = try CLIPConfiguration.Text(reader)
    }
    try add("SigLIP's tower for pictures", hasClasses: false, to: &table) { (reader) throws(ApusError) in
      _ = try SigLIPConfiguration.Image(reader, imageSize: nil)
    }
    try add("SigLIP's tower for texts", hasClasses: false, to: &table) { (reader) throws(ApusError) in
      _ = try SigLIPConfiguration.Text(reader)
    }
  }

  private static func add(
    _ family: String, _ text: String = "{}", hasClasses: Bool = true, to table: inout ConfigurationTable,
    _ read: (ConfigurationReader) throws(ApusError) -> Void
  ) throws(ApusError) {
    let reader = try ConfigurationReader(sample: text)
    for key in ["architectures", "model_type"] { _ = reader.value(key) }
    try reader.passOverCommonKeys(withoutClasses: !hasClasses)
    try read(reader)
    table.add(reader, file: "config.json", family: family)
  }

  private static func addModules(to table: inout ConfigurationTable) throws(ApusError) {
    let family = "sentence-transformers"
    let settings = try ConfigurationReader(sample: #"{"modality_config": {"text": {}}}"#)
    _ = try SentenceTransformer.settings(settings)
    table.add(settings, file: SentenceTransformer.settingsNames.joined(separator: ", "), family: family)
    let prompts = try ConfigurationReader(sample: "{}")
    _ = try SentenceTransformer.prompt(prompts)
    table.add(prompts, file: "config_sentence_transformers.json", family: family)
    let pooling = try ConfigurationReader(sample: #"{"pooling_mode": "mean"}"#)
    _ = try SentenceTransformer.pooling(pooling)
    table.add(pooling, file: "1_Pooling/config.json", family: family)
  }
}
