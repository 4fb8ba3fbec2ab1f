import Apus
import ApusServing

extension Question {
  /// Vectors of texts.
  static func embedding(
    _ model: ServedModel, truncates: Bool, _ length: EmbeddingLength, _ inference: InferenceOptions
  ) async throws -> Question {
    let library = try await TextEmbedder.load(
      model.path, options: .init(length: length, inference: inference))
    return await Question(
      "\(model.name): vectors of texts, \(length), truncates: \(truncates)",
      SampleItems.texts(maximumTokens: library.maximumTokens)
    ) { text in
      await .of { () async throws(ApusError) in
        if case .pair = text { return .refused(.invalid) }
        if case .tokens(let ids) = text, ids.count > library.maximumTokens {
          guard truncates else { return .refused(.tooLarge) }
          let encoding = try library.encode(tokens: Array(ids.prefix(library.maximumTokens)))
          return ItemOutcome(try await library.embed(encodings: [encoding])[0], encoding, isCut: true)
        }
        let encoding = try encoding(of: text) {
          library.encode($0)
        } fromTokens: { (ids) throws(ApusError) in
          try library.encode(tokens: ids)
        }
        guard truncates || !encoding.wasTruncated else { return .refused(.tooLarge) }
        guard case .text(let words) = text else {
          return ItemOutcome(try await library.embed(encodings: [encoding])[0], encoding)
        }
        return ItemOutcome(try await library.embed(words), encoding)
      }
    } together: { (texts) async throws(ServingError) in
      try await model.embed(texts, truncates: truncates, length: length).map { ItemOutcome($0) { .init($0) } }
    }
  }

  /// Classes of texts.
  static func classification(
    _ model: ServedModel, truncates: Bool, topK: Int?, _ inference: InferenceOptions
  ) async throws -> Question {
    let library = try await TextClassifier.load(model.path, options: .init(inference: inference))
    return await Question(
      "\(model.name): \(topK.map(String.init) ?? "all") classes of texts, truncates: \(truncates)",
      SampleItems.texts(maximumTokens: library.maximumTokens)
    ) { text in
      await .of { () async throws(ApusError) in
        if case .pair(let pair) = text {
          let encoding = try library.encode(pair)
          guard truncates || !encoding.wasTruncated else { return .refused(.tooLarge) }
          return ItemOutcome(try await library.classify(pair, topK: topK))
        }
        if case .tokens(let ids) = text, ids.count > library.maximumTokens {
          guard truncates else { return .refused(.tooLarge) }
          let encoding = try library.encode(tokens: Array(ids.prefix(library.maximumTokens)))
          return ItemOutcome(try await library.classify(encodings: [encoding], topK: topK)[0])
        }
        let encoding = try encoding(of: text) { (text) throws(ApusError) in
          try library.encode(text)
        } fromTokens: { (ids) throws(ApusError) in
          try library.encode(tokens: ids)
        }
        guard truncates || !encoding.wasTruncated else { return .refused(.tooLarge) }
        guard case .text(let words) = text else {
          return ItemOutcome(try await library.classify(encodings: [encoding], topK: topK)[0])
        }
        return ItemOutcome(try await library.classify(words, topK: topK))
      }
    } together: { (texts) async throws(ServingError) in
      try await model.classify(texts, topK: topK, truncates: truncates).map { ItemOutcome($0) { .init($0) } }
    }
  }

  /// Vectors of pictures.
  static func embedding(
    ofPictures model: ServedModel, _ length: EmbeddingLength, _ inference: InferenceOptions
  ) async throws -> Question {
    let library = try await ImageEmbedder.load(
      model.path, options: .init(length: length, inference: inference, limits: model.limits.images))
    return await Question(
      "\(model.name): vectors of pictures, \(length)", try SampleItems.pictures()
    ) { picture in
      await .of { () async throws(ApusError) in ItemOutcome(try await library.embed(picture)) }
    } together: { (pictures) async throws(ServingError) in
      try await model.embed(pictures: pictures, length: length).map { ItemOutcome($0) { .init($0) } }
    }
  }

  /// Classes of pictures.
  static func classification(
    ofPictures model: ServedModel, topK: Int?, _ inference: InferenceOptions
  ) async throws -> Question {
    let library = try await ImageClassifier.load(
      model.path, options: .init(inference: inference, limits: model.limits.images))
    return await Question(
      "\(model.name): \(topK.map(String.init) ?? "all") classes of pictures", try SampleItems.pictures()
    ) { picture in
      await .of { () async throws(ApusError) in ItemOutcome(try await library.classify(picture, topK: topK)) }
    } together: { (pictures) async throws(ServingError) in
      try await model.classify(pictures: pictures, topK: topK).map { ItemOutcome($0) { .init($0) } }
    }
  }

  /// Scores of labels for pictures.
  /// - Parameters:
  ///   - labels: nil for those that the server was started with.
  ///   - own: the labels that the server was started with.
  static func scores(
    _ model: ServedModel, labels: [String]?, own: [String], topK: Int?, _ inference: InferenceOptions
  ) async throws -> Question {
    let library = try await ZeroShotClassifier.load(
      model.path, options: .init(labels: own, inference: inference, limits: model.limits.images))
    return await Question(
      "\(model.name): \(topK.map(String.init) ?? "all") of \(labels ?? own)", try SampleItems.pictures()
    ) { picture in
      await .of { () async throws(ApusError) in
        ItemOutcome(try await library.classify(picture, labels: labels, topK: topK))
      }
    } together: { (pictures) async throws(ServingError) in
      try await model.zeroShot(pictures, labels: labels, topK: topK).map { ItemOutcome($0) { .init($0) } }
    }
  }

  /// Scores of labels for vectors of pictures, of which a request has one.
  static func scores(
    ofVectors model: ServedModel, labels: [String], _ inference: InferenceOptions
  ) async throws -> Question {
    let library = try await ZeroShotClassifier.load(model.path, options: .init(inference: inference))
    let embedder = try await ImageEmbedder.load(
      model.path, options: .init(length: .raw, inference: inference))
    var vectors: [[Float]] = [[], [1, 2], Array(repeating: .nan, count: embedder.width)]
    for picture in try SampleItems.pictures().prefix(4) {
      vectors.append(try await embedder.embed(picture).values)
    }
    return await Question("\(model.name): \(labels) for a vector", vectors) { vector in
      await .of { () async throws(ApusError) in
        ItemOutcome(try await library.classify(embedding: Embedding(vector), labels: labels))
      }
    } together: { (vectors) async throws(ServingError) in
      var outcomes: [ItemOutcome] = []
      for vector in vectors {
        do throws(ServingError) {
          outcomes.append(.init(try await model.zeroShot(embedding: vector, labels: labels, topK: nil)))
        } catch {
          guard error.kind != .cancelled else { throw error }
          outcomes.append(.refused(error.kind))
        }
      }
      return outcomes
    }
  }

  private static func encoding(
    of text: TextInput, _ encode: (String) throws(ApusError) -> Encoding,
    fromTokens encodeTokens: ([Int32]) throws(ApusError) -> Encoding
  ) throws(ApusError) -> Encoding {
    switch text {
    case .text(let words): try encode(words)
    case .pair: throw ApusError(.argument, "a pair of texts", expected: "one text")
    case .tokens(let ids): try encodeTokens(ids)
    }
  }
}
