import Apus
import TestSupport
import Testing

@testable import ApusService

/// What a store says of a model that it opened.
@Suite struct StoreStatusTests {
  @Test func itSaysHowAModelWasOpened() async throws {
    let folder = try TemporaryFolder(copying: Checkout.modelFolder("bert-classifier"))
    try folder.write("meta.json", "[1]")
    var options = ModelStore.Options(byteLimit: 1 << 30)
    options.watchesPressure = false
    let store = try ModelStore(options: options)
    let stars = ServiceModel<TextClassifier>("stars", at: folder.path, options: .init())
    try store.pin(stars)
    let before = try #require(store.status().models.first)
    #expect(before.loadTimes == nil && before.notes.isEmpty)
    let (times, notes) = try await opened(stars, by: store)
    #expect(times.total > .zero && notes == ["meta.json beside the model is no JSON object: passed over"])
    let open = try #require(store.status().models.first)
    #expect(open.loadTimes == times && open.notes == notes)
    // It stays known when the model has left memory.
    await store.unload(stars)
    let gone = try #require(store.status().models.first)
    #expect(!gone.isLoaded && gone.loadTimes == times && gone.notes == notes)
  }

  private func opened(
    _ type: ServiceModel<TextClassifier>, by store: ModelStore
  ) async throws -> (LoadTimes, [String]) {
    let model = try await store.model(for: type)
    return (model.loadTimes, model.notes)
  }
}
