import Formats
import TensorCore

extension HuggingFaceArchitecture {
  static let deBERTa: [HuggingFaceArchitecture] = {
    let (modelType, family) = ("deberta-v2", "DeBERTa-v2")
    let classifier = HuggingFaceArchitecture(
      "DebertaV2ForSequenceClassification", modelType, family, .textClassification,
      sample: #"{"sentence_transformers": {}}"#
    ) { (reader, _) throws(ApusError) in
      let (configuration, classes) = (try DeBERTaConfiguration(reader), try ClassConfiguration(reader))
      let head = try configuration.head(reader, classes: classes.count)
      let pairs = try CrossEncoder(reader)
      return { (weights, folder) throws(ApusError) in
        let pairs = try pairs.reading(folder)
        return ModelArchitecture(
          text: DeBERTa(configuration, head, weights),
          outputs: .classifier(labels: classes.labels, scoring: pairs.scoring(of: classes)),
          textPreparation: pairs.preparation)
      }
    }
    let encoders = ["Model", "ForMaskedLM"].map { suffix in
      HuggingFaceArchitecture("DebertaV2\(suffix)", modelType, family, .textEmbedding) {
        (reader, _) throws(ApusError) in
        reader.passOver([DeBERTaConfiguration.classifierKeys])
        let configuration = try DeBERTaConfiguration(reader)
        return { (weights, folder) throws(ApusError) in
          let modules = try SentenceTransformer(folder)
          var preparation = modules.preparation
          // sentence-transformers cuts texts there, unless it is told another length.
          preparation.maximumTokens = preparation.maximumTokens ?? configuration.statedPositions
          return ModelArchitecture(
            text: DeBERTa(configuration, modules.head, weights),
            outputs: .encoder(normalizes: modules.normalizes), textPreparation: preparation)
        }
      }
    }
    return [classifier] + encoders
  }()
}
