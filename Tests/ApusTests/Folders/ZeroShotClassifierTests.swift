import Testing

@testable import Apus

/// A logit is the cosine of the reference's text embedding and the picture's, scaled as the model learned.
@Suite struct ZeroShotClassifierTests {
  private let picture = FolderFixture.picture

  @Test(arguments: ["clip", "siglip"])
  func logitsFollowFromTheEmbeddings(name: String) throws {
    let fixture = try FolderFixture(name)
    let classifier = try ZeroShotClassifier(fixture.path)
    let result = try classifier.blocking.classify(picture, labels: fixture.expected.texts)
    let image = try ImageEmbedder(fixture.path).blocking.embed(picture)
    let texts = try fixture.rows(fixture.expected.text_embeddings)
    let scale = try #require(fixture.expected.logit_scale)
    for score in result.predictions {
      let cosine = image.cosine(Embedding(texts[score.index]))
      let logit = cosine * scale + (fixture.expected.logit_bias ?? 0)
      #expect(abs(score.logit - logit) < 1e-4)
      #expect(score.label == fixture.expected.texts[score.index])
    }
    #expect(result.scoring == (name == "clip" ? .softmax : .sigmoid))
  }

  @Test func severalTemplatesAreAveraged() throws {
    let path = try FolderFixture("clip").path
    let templates = ["a photo of {}", "{}", "the film was {}"]
    var options = ZeroShotClassifier.Options()
    options.templates = templates
    let found = try ZeroShotClassifier(path, options: options)
      .blocking.embed(labels: ["a cat"]).embeddings[0].values
    let embedder = try TextEmbedder(path)
    let parts = try embedder.blocking.embed(
      templates.map {
        $0.split(separator: "{}", omittingEmptySubsequences: false)
          .joined(separator: "a cat")
      })
    expectClose(found, Vectors.unit(Vectors.mean(parts.map(\.values))), tolerance: 1e-6)
  }

  @Test func aGivenScaleReplacesTheModels() throws {
    let fixture = try FolderFixture("clip")
    var options = ZeroShotClassifier.Options()
    options.logitScale = 1
    options.scoring = .sigmoid
    let labels = ["a cat", "a dog"]
    let plain = try ZeroShotClassifier(fixture.path).blocking.classify(picture, labels: labels).predictions
    let scaled = try ZeroShotClassifier(fixture.path, options: options).blocking.classify(
      picture, labels: labels)
    let scale = try #require(fixture.expected.logit_scale)
    for (a, b) in zip(plain, scaled.predictions) {
      #expect(abs(a.logit - b.logit * scale) < 1e-4)
      #expect(b.score == b.sigmoid)
    }
  }

  @Test func labelsThatSayNothingAreRefused() throws {
    let classifier = try ZeroShotClassifier(FolderFixture("clip").path)
    for labels in [[], ["a cat", " "], ["a cat", "a dog", "a cat"]] {
      #expect { try classifier.blocking.classify(picture, labels: labels) } throws: {
        ($0 as? ApusError)?.kind == .argument
      }
    }
  }

  @Test func batchesKeepTheOrderAndEqualTheWaitingForm() async throws {
    let classifier = try ZeroShotClassifier(FolderFixture("siglip").path)
    let labels = ["a cat", "a dog"]
    let alone: ZeroShotClassification = try await classifier.classify(picture, labels: labels)
    var indices: [Int] = []
    for await item in classifier.classifications(of: [picture, "nowhere.jpg", picture], labels: labels) {
      indices.append(item.index)
      switch item.result {
      case .success(let result): #expect(result.predictions == alone.predictions)
      case .failure(let error): #expect(error.kind == .file && item.index == 1)
      }
    }
    #expect(indices == [0, 1, 2])
  }
}
