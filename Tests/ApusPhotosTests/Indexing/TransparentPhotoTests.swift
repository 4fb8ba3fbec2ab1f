import Apus
import Foundation
import GRDB
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// Vectors of pictures whose transparent pixels became different things are kept apart.
@Suite struct TransparentPhotoTests {
  private static let values: [ImageOptions.Transparency] = [.ignored, .over(.white), .over(.black)]
  private let library: Library
  private let bytes: [UInt8]

  init() throws {
    bytes = try Self.fixture("rgba8.png")
    library = try Library([:])
    try library.write("a.png", bytes)
  }

  private static func fixture(_ name: String) throws -> [UInt8] {
    try FileBytes.read(Checkout.fixture("images/pictures/\(name)").path)
  }

  private static func model(_ transparency: ImageOptions.Transparency) throws -> PhotoModel {
    try PhotoModel(
      Checkout.file("Weights/scenes").path,
      options: .init(precision: .float32, transparency: transparency))
  }

  /// What an embedder gives that is told the same.
  private func vector(_ transparency: ImageOptions.Transparency) throws -> [Float] {
    var options = ImageEmbedder.Options(length: .unit, image: ImageOptions(transparency: transparency))
    options.inference = InferenceOptions(precision: .float32)
    let embedder = try ImageEmbedder(Checkout.file("Weights/scenes").path, options: options)
    return try embedder.blocking.embed(.encoded(bytes)).values
  }

  private func hash(_ index: PhotoIndex) throws -> Int64? {
    try index.store.read { try Int64.fetchOne($0, sql: "SELECT hash FROM content") }
  }

  @Test func eachWayHasVectorsOfItsOwn() async throws {
    for transparency in Self.values {
      let model = try Self.model(transparency)
      let first = try await library.index.update([library.path], with: model)
      let second = try await library.index.update([library.path], with: model)
      #expect(first.embedded == 1 && second.embedded == 0 && second.unchanged == 1, "\(transparency)")
    }
    let status = try library.index.status()
    #expect(status.models.map(\.transparency) == ["ignored", "white", "black"])
    #expect(status.models.allSatisfy { $0.vectors == 1 && $0.decoding == "fast" })
    let store = library.index.store
    let models = try store.read { try StoredModel.all(in: $0) }
    #expect(models.map(\.decoding) == ["fast", "fast over white", "fast over black"])
    let key = ContentKey(bytes)
    var found: Set<[Float]> = []
    for (model, transparency) in zip(models, Self.values) {
      let known = try store.read { try StoredVector.find(key, by: model, in: $0) }
      let stored = try #require(known)
      let expected = try vector(transparency)
      let worst = zip(stored.values, expected).map { abs($0 - $1) }.max() ?? 1
      #expect(stored.values.count == expected.count && worst < 1e-5, "\(transparency)")
      found.insert(stored.values)
    }
    #expect(found.count == Self.values.count)
  }

  /// The vectors of an index stay what they were: `apus zero-shot` shows one transparent colour as white.
  @Test func oneTransparentColourIsKept() async throws {
    let keyed = try Self.fixture("rgb8_key.png")
    let other = try Library([:])
    try other.write("a.png", keyed)
    try await other.index.update([other.path], with: Self.model(.ignored))
    let models = try other.index.store.read { try StoredModel.all(in: $0) }
    let model = try #require(models.first)
    let known = try other.index.store.read { try StoredVector.find(ContentKey(keyed), by: model, in: $0) }
    let stored = try #require(known)
    var options = ImageEmbedder.Options(length: .unit)
    options.inference = InferenceOptions(precision: .float32)
    let embedder = try ImageEmbedder(Checkout.file("Weights/scenes").path, options: options)
    let expected = try embedder.blocking.embed(.pixels(try ImageDecoder.decode(keyed).image)).values
    let worst = zip(stored.values, expected).map { abs($0 - $1) }.max() ?? 1
    #expect(stored.values.count == expected.count && worst < 1e-5)
  }

  /// The same pixels in another file, of which the index knows nothing.
  @Test func aPictureOfAQueryIsSeenAsThoseOfTheIndex() async throws {
    let query = try PhotoQuery([], like: [.encoded(try Self.fixture("rgba8_interlaced.png"))])
    let (ignored, white) = (try vector(.ignored), try vector(.over(.white)))
    let likeness = zip(ignored, white).reduce(Float(0)) { $0 + $1.0 * $1.1 }
    // Else the scores below would say nothing.
    #expect(likeness < 0.9999)
    for transparency in Self.values {
      try await library.index.update([library.path], with: Self.model(transparency))
      let matches = try await PhotoSearcher(library.index).search(query, count: 1)
      let match = try #require(matches.first)
      #expect(match.score > 0.99995, "\(transparency)")
    }
  }

  @Test func eachWayIsChosenByItsName() async throws {
    let store = library.index.store
    func decoding(_ name: String) throws -> String { try StoredModel.named(name, in: store).decoding }
    try await library.index.update([library.path], with: Self.model(.over(.white)))
    let only = try decoding("scenes@f32")
    #expect(only == "fast over white")
    try await library.index.update([library.path], with: Self.model(.ignored))
    try await library.index.update([library.path], with: Self.model(.over(.black)))
    let expected = [
      ("scenes", "fast over black"), ("scenes@f32", "fast"), ("scenes@f32, over ignored", "fast"),
      ("scenes@f32, over white", "fast over white"), ("scenes@float32, over black", "fast over black"),
    ]
    for (name, text) in expected {
      let found = try decoding(name)
      #expect(found == text, "\(name)")
    }
    for name in ["scenes@f32, over 0a80ff", "scenes@f32, over pink", "scenes@int8, over white"] {
      let error = #expect(throws: ApusError.self) { try decoding(name) }
      let message = error.map { "\($0)" } ?? ""
      #expect(message.contains("scenes@float32, over white'") && message.contains("scenes@float32'"))
    }
    for model in try store.read({ try StoredModel.all(in: $0) }) {
      let found = try decoding(model.fullName)
      #expect(found == model.decoding)
    }
  }

  /// Else a program that watches would add to other vectors than those that are searched.
  @Test func anIndexGoesOnWithWhatTransparentPixelsBecame() async throws {
    let index = library.index
    let new = try PhotoModel.transparency(nil, with: nil, in: index)
    #expect(new == .ignored)
    try await index.update([library.path], with: Self.model(.over(.white)))
    let used = try PhotoModel.transparency(nil, with: nil, in: index)
    let asked = try PhotoModel.transparency(.ignored, with: nil, in: index)
    let other = try PhotoModel.transparency(nil, with: "scenes", in: index)
    #expect(used == .over(.white) && asked == .ignored && other == .ignored)
    let again = try await index.update([library.path], with: Self.model(used))
    #expect(again.unchanged == 1)
  }

  @Test func aStatusOfBeforeIsRead() async throws {
    try await library.index.update([library.path], with: Self.model(.over(.white)))
    let status = try library.index.status()
    let data = try JSONEncoder().encode(status)
    let read = try JSONDecoder().decode(PhotoIndex.Status.self, from: data)
    #expect(read == status)
    let text = String(decoding: data, as: UTF8.self)
    let before = text.replacing("\"transparency\":\"white\",", with: "")
      .replacing(",\"transparency\":\"white\"", with: "")
    #expect(before != text)
    let old = try JSONDecoder().decode(PhotoIndex.Status.self, from: Data(before.utf8))
    #expect(old.models.map(\.transparency) == ["ignored"])
  }

  @Test func mergingKeepsThemApart() async throws {
    let other = try Library([:])
    try other.write("b.png", bytes)
    try await library.index.update([library.path], with: Self.model(.ignored))
    try await other.index.update([other.path], with: Self.model(.over(.white)))
    try library.index.merge(other.index.folder)
    let models = try library.index.models()
    #expect(models.map(\.transparency).sorted() == ["ignored", "white"])
    #expect(models.allSatisfy { $0.vectors == 1 })
  }

  /// A content has one hash, by whichever model it was read first.
  @Test func copiesAreKnownWhateverTransparentPixelsBecome() async throws {
    let other = try Library([:])
    try other.write("a.png", bytes)
    try await library.index.update([library.path], with: Self.model(.ignored))
    try await other.index.update([other.path], with: Self.model(.over(.white)))
    let (plain, white) = (try hash(library.index), try hash(other.index))
    #expect(plain != nil && plain == white)
  }

  @Test func whatIsStoredIsRead() {
    let colour = ImageOptions.Colour(red: 10, green: 128, blue: 255)
    let all: [(String, StoredDecoding)] = [
      ("fast", StoredDecoding(.fast, .ignored)), ("exact over white", StoredDecoding(.exact, .over(.white))),
      ("fast over 0a80ff", StoredDecoding(.fast, .over(colour))),
    ]
    for (text, decoding) in all {
      let read = StoredDecoding(text)
      #expect(decoding.text == text && read == decoding)
    }
  }
}
