import Apus
import ApusServing
import ServingTestSupport
import Testing

/// What transparent pixels become is a model's, and what the library makes of them.
@Suite struct ServedTransparencyTests {
  private static let values: [ImageOptions.Transparency] = [.ignored, .over(.white), .over(.black)]
  private static let picture = Picture.file(Checkout.file("Tests/Fixtures/images/pictures/rgba8.png"))

  private func server(_ folder: String, _ transparency: ImageOptions.Transparency) throws -> ModelServer {
    var options = ServedModelOptions(folder)
    options.transparency = transparency
    return try ModelServer([options], limits: .patient)
  }

  @Test func classesOfPictures() async throws {
    let folder = Checkout.modelFolder("vit")
    var found: Set<[Float]> = []
    for transparency in Self.values {
      let server = try server(folder, transparency)
      let served = try await server.models[0].classify(pictures: [Self.picture], topK: nil)[0].get()
      let options = ImageClassifier.Options(image: ImageOptions(transparency: transparency))
      let library = try await ImageClassifier.load(folder, options: options)
      let expected = try await library.classify(Self.picture, topK: nil)
      #expect(served.predictions == expected.predictions, "\(transparency)")
      found.insert(served.predictions.map(\.score))
    }
    #expect(found.count == Self.values.count)
  }

  @Test func vectorsAndLabelsOfPictures() async throws {
    let folder = Checkout.modelFolder("clip")
    let labels = ["a cat", "a dog"]
    var (vectors, scores): (Set<[Float]>, Set<[Float]>) = ([], [])
    for transparency in Self.values {
      let server = try server(folder, transparency)
      let image = ImageOptions(transparency: transparency)
      let vector = try await server.models[0].embed(pictures: [Self.picture], length: .raw)[0].get()
      let embedder = try await ImageEmbedder.load(folder, options: .init(length: .raw, image: image))
      let expected = try await embedder.embed(Self.picture)
      #expect(vector.values == expected.values, "\(transparency)")
      let served = try await server.models[0].zeroShot([Self.picture], labels: labels, topK: nil)[0].get()
      let classifier = try await ZeroShotClassifier.load(folder, options: .init(image: image))
      let scored = try await classifier.classify(Self.picture, labels: labels)
      #expect(served.predictions == scored.predictions, "\(transparency)")
      vectors.insert(vector.values)
      scores.insert(served.predictions.map(\.logit))
    }
    #expect(vectors.count == Self.values.count && scores.count == Self.values.count)
  }
}
