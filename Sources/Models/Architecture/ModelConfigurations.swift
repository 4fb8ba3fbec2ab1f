import Formats
import TensorCore

/// What the configuration files of every kind of model may say.
package enum ModelConfigurations {
  /// Adds the keys to a table, by reading files that say nothing.
  package static func add(to table: inout ConfigurationTable) throws(ApusError) {
    for architecture in HuggingFaceArchitecture.families {
      let reader = try ConfigurationReader(sample: architecture.sample)
      _ = reader.value("architectures")
      _ = try architecture.networks(reader, nil)
      table.add(reader, file: "config.json", family: architecture.family)
    }
    try addOtherLibraries(to: &table)
    try addModules(to: &table)
  }

  private static func addOtherLibraries(to table: inout ConfigurationTable) throws(ApusError) {
    let openCLIP = try ConfigurationReader(
      sample: """
        {"model_cfg": {"embed_dim": 512, "vision_cfg": {}, "text_cfg": {"tokenizer_kwargs": {}}}}
        """)
    _ = try CLIPConfiguration(openCLIP: openCLIP, text: "")
    table.add(openCLIP, file: ModelFolder.openCLIPFile, family: "OpenCLIP")
    let timm = try ConfigurationReader(sample: "{}")
    _ = try TimmConfiguration(timm)
    table.add(timm, file: "config.json", family: "models of timm and torchvision")
    try addTimmViT(to: &table)
  }

  private static func addTimmViT(to table: inout ConfigurationTable) throws(ApusError) {
    guard let design = TimmViTDesign.all.first, let name = design.names.first else { return }
    let reader = try ConfigurationReader(sample: #"{"model_args": {}, "pretrained_cfg": {}}"#)
    _ = try TimmViTConfiguration(reader, design, named: name, imageSize: nil)
    table.add(reader, file: "config.json", family: "vision transformers of timm")
  }

  private static func addModules(to table: inout ConfigurationTable) throws(ApusError) {
    let family = "sentence-transformers"
    let settings = try ConfigurationReader(sample: #"{"modality_config": {"text": {}}}"#)
    _ = try SentenceTransformer.settings(settings)
    table.add(settings, file: SentenceTransformer.settingsNames.joined(separator: ", "), family: family)
    let prompts = try ConfigurationReader(sample: "{}")
    _ = try SentenceTransformer.prompting(TextPreparation(), prompts)
    table.add(prompts, file: "config_sentence_transformers.json", family: family)
    let pooling = try ConfigurationReader(sample: #"{"pooling_mode": "mean"}"#)
    _ = try SentenceTransformer.pooling(pooling)
    table.add(pooling, file: "1_Pooling/config.json", family: family)
    try addCrossEncoder(to: &table)
    try addTowers(to: &table)
  }

  private static func addTowers(to table: inout ConfigurationTable) throws(ApusError) {
    let family = "CLIP in sentence-transformers"
    let settings = try ConfigurationReader(sample: #"{"modality_config": {"text": {}, "image": {}}}"#)
    _ = try SentenceTransformer.settings(settings, of: .towers)
    table.add(settings, file: SentenceTransformer.settingsNames.joined(separator: ", "), family: family)
    let prompts = try ConfigurationReader(sample: "{}")
    _ = try SentenceTransformer.prompting(TextPreparation(), prompts)
    table.add(prompts, file: "config_sentence_transformers.json", family: family)
  }

  private static func addCrossEncoder(to table: inout ConfigurationTable) throws(ApusError) {
    let family = "cross-encoders of sentence-transformers"
    let settings = try ConfigurationReader(sample: #"{"modality_config": {"text": {}}}"#)
    _ = try SentenceTransformer.settings(settings, of: .classifier)
    table.add(settings, file: SentenceTransformer.settingsNames.joined(separator: ", "), family: family)
    let options = try ConfigurationReader(sample: "{}")
    _ = try CrossEncoder.settings(options)
    table.add(options, file: "config_sentence_transformers.json", family: family)
  }
}
