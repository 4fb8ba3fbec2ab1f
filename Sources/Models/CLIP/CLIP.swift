import Formats
import Graph
import TensorCore

/// The picture's tower of CLIP (Radford et al. 2021): a vision transformer whose class token is projected.
struct CLIPImageTower: ImageTower {
  let image: CLIPConfiguration.Image
  /// Features of the space that it projects into; nil when it does not.
  let commonWidth: Int?
  let names: CLIPNames
  let weights: WeightPath
  var outputName: TowerOutput? = .imageEmbeds

  var imageSize: ImageSize { image.grid.image }
  var channels: Int { image.grid.channels }
  var outputWidth: Int { commonWidth ?? image.encoder.width }

  func graph(batch: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let (encoder, grid) = (image.encoder, image.grid)
    let tower = weights[names.image]
    let pixels = try graph.pixels(grid, batch: batch)
    let patches = try graph.patchEmbedding(
      pixels, tower[names.patches], grid, width: encoder.width, hasBias: false)
    let token = try graph.float32(tower, names.classToken, [encoder.width])
    var x = try graph.prepend([token], to: patches, at: tower.key("tokens"))
    let positions = try graph.positions(
      tower, names.imagePositions, shape: [1 + image.trained.count, encoder.width], prefix: 1,
      trained: image.trained, grid: grid)
    x = try graph.sum(x, positions, at: tower.key("sum"))
    let length = 1 + grid.count
    x = try graph.reshape(x, [batch * length, encoder.width], at: tower.key("rows"))
    x = try graph.layerNorm(x, tower[names.normBefore], epsilon: encoder.epsilon)
    let segments = try Segments(count: batch, length: length, in: &graph)
    let first = try graph.indices((0..<batch).map { $0 * length }, at: "class tokens")
    let layers = Encoder(tower[names.layers], count: encoder.layers) { names.layer($0, encoder, .all) }
    x = try layers(x, segments, keeping: first, in: &graph)
    x = try graph.layerNorm(x, tower[names.normAfter], epsilon: encoder.epsilon)
    graph.output(try graph.project(x, names.imageProjection, weights, to: commonWidth))
    return graph.graph
  }
}

/// The text's tower of CLIP: a causal transformer whose end token is projected.
struct CLIPTextTower: TextTower {
  let text: CLIPConfiguration.Text
  /// Features of the space that it projects into; nil when it does not.
  var commonWidth: Int?
  let names: CLIPNames
  let weights: WeightPath
  /// What stands for the whole text where sentence-transformers takes the features of all tokens; nil for the end token.
  var pooling: TextHead.Pooling?
  var outputName: TowerOutput? = .textEmbeds

  var maximumTokens: Int { text.maximumTokens }
  var vocabularySize: Int? { text.vocabulary }
  var outputWidth: Int { commonWidth ?? text.encoder.width }

  func graph(tokens: Int, sequences: Int) throws(ApusError) -> Graph {
    var graph = GraphBuilder()
    let encoder = text.encoder
    let inputs = try TextInputs(
      tokens: tokens, sequences: sequences, pools: pooling != .mean, in: &graph)
    let tower = weights[names.text]
    let words = try graph.embedding(
      inputs.ids, tower, names.tokens, rows: text.vocabulary, width: encoder.width)
    let positions = try graph.embedding(
      inputs.positions, tower, names.textPositions, rows: text.maximumTokens, width: encoder.width)
    var x = try graph.sum(words, positions, at: tower.key("embeddings"))
    let layers = Encoder(tower[names.layers], count: encoder.layers) { names.layer($0, encoder, .before) }
    x = try layers(x, inputs.segments, keeping: inputs.pooledRows, at: .last, in: &graph)
    x = try graph.layerNorm(x, tower[names.textNorm], epsilon: encoder.epsilon)
    if let pooling { x = try pooling(x, inputs.segments, in: &graph) }
    graph.output(try graph.project(x, names.textProjection, weights, to: commonWidth))
    return graph.graph
  }

  var paddingMask: PaddingMask { pooling == .mean || pooling == .last ? .always : .withoutEffect }

  func pooledToken(of ids: [Int32]) -> Int? {
    switch pooling {
    case nil: text.pooling.position(in: ids)
    case .first: 0
    case .mean, .last: nil
    }
  }

  /// Tokens behind the one that is pooled are left out: it does not see them.
  func inputs(_ rows: [TokenRow]) throws(ApusError) -> [Tensor] {
    let whole = try TextBatch(rows, maximumTokens: maximumTokens)
    if pooling == .mean || pooling == .last { return try whole.tensors(pooled: pooling?.rows(whole)) }
    let seen = rows.map { row in
      let last = pooling == .first ? row.columns.first ?? 0 : text.pooling.position(in: row.ids)
      return TokenRow(ids: row.ids, columns: row.columns.filter { $0 <= last })
    }
    let batch = try TextBatch(seen, maximumTokens: maximumTokens)
    return try batch.tensors(pooled: batch.lastRows)
  }
}

extension ModelArchitecture {
  /// CLIP's towers, with the scale that it learned.
  /// - Parameters:
  ///   - bias: the one that it learned where it was trained as SigLIP was.
  ///   - modules: those of sentence-transformers beside it; nil where there are none.
  static func clip(
    _ configuration: CLIPConfiguration, _ weights: WeightPath, bias: Float? = nil,
    modules: TowerModules? = nil
  ) throws(ApusError) -> ModelArchitecture {
    let (names, width) = (configuration.names, configuration.commonWidth)
    let comparison = DualEncoder(
      scale: try weights.learnedScale(), bias: bias ?? 0,
      scoring: bias == nil ? .softmax : .sigmoid, normalizes: modules?.normalizes ?? true)
    return ModelArchitecture(
      image: CLIPImageTower(image: configuration.image, commonWidth: width, names: names, weights: weights),
      text: CLIPTextTower(text: configuration.text, commonWidth: width, names: names, weights: weights),
      outputs: .dualEncoder(comparison), textPreparation: modules?.preparation ?? TextPreparation())
  }
}

extension HuggingFaceArchitecture {
  static let clip = [
    HuggingFaceArchitecture(
      "CLIPModel", "clip", "CLIP", .zeroShot, sample: #"{"text_config": {}, "vision_config": {}}"#
    ) { (reader, imageSize) throws(ApusError) in
      let configuration = try CLIPConfiguration(reader, imageSize: imageSize)
      return { (weights, folder) throws(ApusError) in
        try .clip(configuration, weights, modules: try TowerModules(folder, .towers))
      }
    },
    clipImages("CLIPVisionModel", projects: false),
    clipImages("CLIPVisionModelWithProjection", projects: true),
    clipTexts("CLIPTextModel", projects: false), clipTexts("CLIPTextModelWithProjection", projects: true),
  ]

  private static func clipImages(_ name: String, projects: Bool) -> HuggingFaceArchitecture {
    .init(name, "clip_vision_model", "CLIP's tower for pictures", .imageEmbedding) {
      (reader, imageSize) throws(ApusError) in
      let width = try commonWidth(reader, projects: projects)
      let image = try CLIPConfiguration.Image(reader, imageSize: imageSize)
      return { (weights, folder) throws(ApusError) in
        let names = CLIPNames.tower(in: weights)
        let modules = try TowerModules(folder, .imageTower)
        // Beside modules the library takes the tower without its projection.
        let common = modules == nil ? width : nil
        return ModelArchitecture(
          image: CLIPImageTower(
            image: image, commonWidth: common, names: names, weights: weights,
            outputName: common == nil ? .poolerOutput : .imageEmbeds),
          outputs: .encoder(normalizes: modules?.normalizes ?? projects),
          pair: projects ? TowerPair.clip.tower(in: folder) : nil)
      }
    }
  }

  private static func clipTexts(_ name: String, projects: Bool) -> HuggingFaceArchitecture {
    .init(name, "clip_text_model", "CLIP's tower for texts", .textEmbedding) {
      (reader, _) throws(ApusError) in
      let width = try commonWidth(reader, projects: projects)
      let text = try CLIPConfiguration.Text(reader)
      return { (weights, folder) throws(ApusError) in
        var tower = CLIPTextTower(
          text: text, commonWidth: width, names: CLIPNames.tower(in: weights), weights: weights,
          outputName: projects ? .textEmbeds : .poolerOutput)
        let pair = projects ? TowerPair.clip.tower(in: folder) : nil
        guard folder.outer.file("modules.json") != nil else {
          return ModelArchitecture(text: tower, outputs: .encoder(normalizes: projects), pair: pair)
        }
        // Beside modules the library takes the tower without its projection.
        let modules = try SentenceTransformer(folder)
        try modules.requireNoDense(folder)
        tower.pooling = modules.pooling
        tower.commonWidth = nil
        tower.outputName = .sentenceEmbedding
        return ModelArchitecture(
          text: tower, outputs: .encoder(normalizes: modules.normalizes),
          textPreparation: modules.preparation,
          pair: pair)
      }
    }
  }

  /// Features of the common space; nil of a tower without a projection, whose features are no directions of it.
  private static func commonWidth(_ reader: ConfigurationReader, projects: Bool) throws(ApusError) -> Int? {
    if projects { return try reader.size("projection_dim", default: 512) }
    reader.passOver([TransformersKeys.noProjection])
    return nil
  }
}

extension CLIPNames {
  /// Those of a folder with one tower, which stands at the root of newer files when it has no projection.
  fileprivate static func tower(in weights: WeightPath) -> CLIPNames {
    var names = huggingFace
    if !weights.hasTensors(below: names.image) { names.image = "" }
    if !weights.hasTensors(below: names.text) { names.text = "" }
    return names
  }
}

extension GraphBuilder {
  /// The projection to the common space, which has no offset; `x` itself when there is none.
  fileprivate mutating func project(
    _ x: Value, _ projection: CLIPNames.Projection, _ weights: WeightPath, to width: Int?
  ) throws(ApusError) -> Value {
    guard let width else { return x }
    return switch projection {
    case .linear(let path): try linear(x, weights[path], outputs: width, hasBias: false)
    case .transposed(let name): try self.projection(x, weights, name, outputs: width)
    }
  }
}
