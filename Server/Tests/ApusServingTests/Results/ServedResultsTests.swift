import Apus
import ApusServing
import Testing

/// The law of serving: what a server gives for an item is what the library gives for it alone, to the last bit, whatever
/// else it is asked for meanwhile.
@Suite(.serialized) struct ServedResultsTests {
  private static let ownLabels = ["a red house", "three red circles", "two pink flowers"]

  @Test(arguments: [Precision.float32, .int8], [24, 160, 1024])
  func itemsHaveTheResultsOfTheLibrary(precision: Precision, batchTokens: Int) async throws {
    let server = try Self.server(precision, batchTokens: batchTokens)
    let questions = try await Self.questions(server, InferenceOptions(precision: precision))
    // Nothing comes of labels that are there twice; of everything else something has to.
    #expect(questions.count { $0.right.contains(where: \.isResult) } == questions.count - 1)
    var random = SeededRandom(seed: UInt64(batchTokens))
    let requests = (0..<400).map { number in
      let question = questions[number % questions.count]
      let indices = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Int.random(in: question.right.indices, using: &random)
      }
      return (question, indices, patience: Int.random(in: 0..<5, using: &random))
    }
    await withTaskGroup(of: Void.self) { group in
      for (number, (question, indices, patience)) in requests.enumerated() {
        group.addTask {
          await Self.check(question, indices, isCancelled: number % 5 == 0, after: patience * patience)
        }
      }
    }
    for model in server.models {
      let waiting = model.waiting
      #expect(waiting.tokens + waiting.pixels + waiting.bytes == 0, "\(model.name)")
    }
  }

  /// - Parameter patience: how often others run before the request is cancelled.
  private static func check(
    _ question: Question, _ indices: [Int], isCancelled: Bool, after patience: Int
  ) async {
    let asking = Task { () async throws(ServingError) in try await question.ask(indices) }
    if isCancelled {
      for _ in 0..<patience { await Task.yield() }
      asking.cancel()
    }
    switch await asking.result {
    case .success(let outcomes):
      #expect(outcomes == indices.map { question.right[$0] }, "\(question.name): items \(indices)")
    case .failure(let error):
      #expect(
        isCancelled && (error as? ServingError)?.kind == .cancelled,
        "\(question.name): items \(indices): \(error)")
    }
  }

  private static func server(_ precision: Precision, batchTokens: Int) throws -> ModelServer {
    var limits = ServingLimits()
    limits.batchTokens = batchTokens
    (limits.waitingTokens, limits.waitingPixels) = (1 << 30, 1 << 40)
    limits.requestTime = .seconds(86_400)
    let folders = [
      "sentence": Checkout.modelFolder("bert-sentence"), "stars": Checkout.modelFolder("bert-classifier"),
      "ranker": Checkout.modelFolder("bert-reranker"), "clip": Checkout.modelFolder("clip"),
      "vit": Checkout.modelFolder("vit"),
      "sentiment": Checkout.file("Weights/sentiment"), "scenes": Checkout.file("Weights/scenes"),
    ]
    var models = folders.map { name, path in
      var options = ServedModelOptions(path, name: name)
      options.inference.precision = precision
      options.zeroShotLabels = ownLabels
      return options
    }
    models.append(ServedModelOptions(Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite"), name: "leaf"))
    return try ModelServer(models, limits: limits)
  }

  private static func questions(
    _ server: ModelServer, _ inference: InferenceOptions
  ) async throws -> [Question] {
    let (sentence, clip) = (try server.model("sentence"), try server.model("clip"))
    let (stars, sentiment) = (try server.model("stars"), try server.model("sentiment"))
    let (scenes, vit, leaf) = (try server.model("scenes"), try server.model("vit"), try server.model("leaf"))
    let labels = ["four orange mushrooms", "a yellow sun", "three red circles", "a blue heart"]
    return [
      try await .embedding(sentence, truncates: true, .model, inference),
      try await .embedding(sentence, truncates: false, .unit, inference),
      try await .embedding(clip, truncates: true, .raw, inference),
      try await .embedding(scenes, truncates: true, .model, inference),
      try await .classification(stars, truncates: true, topK: nil, inference),
      try await .classification(stars, truncates: false, topK: 2, inference),
      try await .classification(server.model("ranker"), truncates: true, topK: nil, inference),
      try await .classification(sentiment, truncates: true, topK: nil, inference),
      try await .classification(sentiment, truncates: false, topK: 1, inference),
      try await .embedding(ofPictures: clip, .raw, inference),
      try await .embedding(ofPictures: scenes, .model, inference),
      try await .classification(ofPictures: vit, topK: 3, inference),
      try await .classification(ofPictures: leaf, topK: nil, InferenceOptions()),
      try await .scores(scenes, labels: labels, own: ownLabels, topK: 2, inference),
      try await .scores(scenes, labels: nil, own: ownLabels, topK: nil, inference),
      try await .scores(scenes, labels: ["twice", "twice"], own: ownLabels, topK: nil, inference),
      try await .scores(ofVectors: scenes, labels: labels, inference),
    ]
  }
}
