import Apus
import ApusService
import ServingTestSupport
import Testing

@testable import ApusServing

/// What is being opened while a model is taken out comes to nobody, and does not hinder its being put in again.
@Suite struct FormAccessTests {
  private let store: ModelStore
  private let access: FormAccess
  private let gate = Gate()
  private let form: ServiceModel<GatedModel>

  init() throws {
    store = try ModelStore()
    access = FormAccess(of: "m", in: store)
    form = ServiceModel(
      "m (gated)", at: Checkout.modelFolder("bert-sentence"), options: .init(gate: gate), memory: 1_000_000)
  }

  private static let withdrawal = ServingError(.unavailable, "Model 'm' was unloaded.")

  private func withdraw() async { await access.inTurn { () async in await access.withdraw([form]) } }

  /// As ``ServedModel/load()`` does.
  private func loading() -> Task<Void, any Error> {
    Task { [access, form, store] in
      try await access.inTurn { () async throws(ServingError) in
        try await access.putIn([form], within: .patience) { () async throws(ServingError) in
          do throws(ApusError) { _ = try await store.model(for: form) } catch { throw ServingError(error) }
        }
      }
    }
  }

  /// The opening that began before does not count for it: the store lets go of what comes of that.
  @Test func whatIsPutInAgainIsOpenedAnewAndStays() async throws {
    let request = Task { [access, form] in _ = try await access.model(for: form) }
    await gate.wait(for: 1)
    await withdraw()
    let loading = loading()
    try await Task.sleep(for: .milliseconds(20))
    #expect(access.isWithdrawn && gate.count == 1)
    gate.open()
    await #expect(throws: Self.withdrawal) { try await request.value }
    try await loading.value
    #expect(!access.isWithdrawn && gate.count == 2 && store.isLoaded(form))
  }

  /// Something between asking the store and putting out what came of it.
  @Test func whatWasBegunBeforeEndsFirst() async throws {
    let request = Task { [access, gate] in
      try await access.opening { () async throws(ServingError) in await gate.pass() }
    }
    await gate.wait(for: 1)
    await withdraw()
    let loading = loading()
    try await Task.sleep(for: .milliseconds(20))
    #expect(access.isWithdrawn)
    gate.open()
    try await request.value
    try await loading.value
    #expect(!access.isWithdrawn && store.isLoaded(form))
  }

  @Test func whatIsReadMeanwhileIsNotKept() async throws {
    let kept = KeptValue<Int>(access)
    let request = Task { [gate] in
      try await kept.value { () async throws(ServingError) -> Int in
        await gate.pass()
        return 1
      }
    }
    await gate.wait(for: 1)
    await withdraw()
    kept.clear()
    gate.open()
    await #expect(throws: Self.withdrawal) { try await request.value }
    try await access.admit([form], within: .patience)
    let read = try await kept.value { () async throws(ServingError) -> Int in 2 }
    let again = try await kept.value { () async throws(ServingError) -> Int in 3 }
    #expect(read == 2 && again == 2)
  }

  @Test func whoDoesNotWaitLeavesItOut() async throws {
    let request = Task { [access, form] in _ = try await access.model(for: form) }
    await gate.wait(for: 1)
    await withdraw()
    let loading = loading()
    loading.cancel()
    await #expect(throws: ServingError(.cancelled, "The client is gone.")) { try await loading.value }
    #expect(access.isWithdrawn)
    gate.open()
    await #expect(throws: Self.withdrawal) { try await request.value }
    #expect(!store.isLoaded(form))
  }

  /// The client that put it in is gone while it is being opened: it is out, as the other client left it.
  @Test func whoLeavesWhileItIsOpenedLeavesItOut() async throws {
    await withdraw()
    let loading = loading()
    await gate.wait(for: 1)
    #expect(!access.isWithdrawn)
    loading.cancel()
    let error = await #expect(throws: ServingError.self) { try await loading.value }
    #expect(error?.kind == .cancelled && access.isWithdrawn)
    gate.open()
    #expect(!store.isLoaded(form))
  }

  /// Where nobody had taken it out, it is in, and the next who asks opens it.
  @Test func whoLeavesTakesNothingOut() async throws {
    let loading = loading()
    await gate.wait(for: 1)
    loading.cancel()
    await #expect(throws: ServingError.self) { try await loading.value }
    #expect(!access.isWithdrawn)
    gate.open()
    _ = try await access.model(for: form)
    #expect(store.isLoaded(form))
  }

  @Test func whatStaysInUseIsNotWaitedForLonger() async throws {
    let request = Task { [access, gate] in
      try await access.opening { () async throws(ServingError) in await gate.pass() }
    }
    await gate.wait(for: 1)
    await withdraw()
    await #expect(throws: ServingError(.unavailable, "Model 'm' is still in use.")) {
      try await access.admit([form], within: .milliseconds(20))
    }
    #expect(access.isWithdrawn)
    gate.open()
    try await request.value
  }
}
