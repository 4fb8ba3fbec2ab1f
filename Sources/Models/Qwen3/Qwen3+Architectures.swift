import Formats
import TensorCore

extension HuggingFaceArchitecture {
  static let qwen3: [HuggingFaceArchitecture] = {
    let (modelType, family) = ("qwen3", "Qwen3")
    let classifier = HuggingFaceArchitecture(
      "Qwen3ForSequenceClassification", modelType, family, .textClassification,
      sample: #"{"sentence_transformers": {}, "rope_parameters": {}}"#
    ) { (reader, _) throws(ApusError) in
      let (configuration, classes) = (try Qwen3Configuration(reader), try ClassConfiguration(reader))
      let pairs = try CrossEncoder(reader)
      let head = TextHead(
        pooling: .last, classes: .init(count: classes.count, output: .withoutBias("score")))
      return { (weights, folder) throws(ApusError) in
        let said = try pairs.reading(folder, takesMessages: true)
        var tower = Qwen3(configuration, head, weights, said.preparation)
        tower.pairs = said.pairs ?? .untyped
        return ModelArchitecture(
          text: tower, outputs: .classifier(labels: classes.labels, scoring: said.scoring(of: classes)),
          textPreparation: said.preparation)
      }
    }
    let encoder = HuggingFaceArchitecture("Qwen3Model", modelType, family, .textEmbedding) {
      (reader, _) throws(ApusError) in
      let configuration = try Qwen3Configuration(reader)
      return { (weights, folder) throws(ApusError) in
        .embedder(configuration, try SentenceTransformer(folder), weights)
      }
    }
    let decoder = HuggingFaceArchitecture(
      "Qwen3ForCausalLM", modelType, family, .textEmbedding, also: .textClassification
    ) { (reader, _) throws(ApusError) in
      let configuration = try Qwen3Configuration(reader)
      return { (weights, folder) throws(ApusError) in
        guard let modules = try AnsweringModules(folder) else {
          // As sentence-transformers pools a decoder of which nothing is said.
          return .embedder(configuration, try SentenceTransformer(folder, pooling: .last), weights)
        }
        var tower = Qwen3(configuration, TextHead(pooling: .last), weights, modules.preparation)
        (tower.words, tower.pairs) = (modules.words, .written(modules.template))
        return ModelArchitecture(
          text: tower, outputs: .classifier(labels: ["LABEL_0"], scoring: modules.scoring),
          textPreparation: modules.preparation)
      }
    }
    return [classifier, encoder, decoder]
  }()
}

extension ModelArchitecture {
  fileprivate static func embedder(
    _ configuration: Qwen3Configuration, _ modules: SentenceTransformer, _ weights: WeightPath
  ) -> ModelArchitecture {
    ModelArchitecture(
      text: Qwen3(configuration, modules.head, weights, modules.preparation),
      outputs: .encoder(normalizes: modules.normalizes), textPreparation: modules.preparation)
  }
}
