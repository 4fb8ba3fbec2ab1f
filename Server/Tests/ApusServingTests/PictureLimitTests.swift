import Apus
import ServingTestSupport
import Testing

@testable import ApusServing

/// A picture over a limit never fits, whichever limit it is.
@Suite struct PictureLimitTests {
  private func error(_ change: (inout ServingLimits) -> Void) async throws -> ServingError? {
    var limits = ServingLimits.patient
    change(&limits)
    let leaf = ServedModelOptions(Checkout.file("Weights/rice-leaf/rice_v1_int8.tflite"), name: "leaf")
    let server = try ModelServer([leaf], limits: limits)
    let picture = try SampleItems.pictures()[0]
    let outcomes = try await server.model("leaf").classify(pictures: [picture], topK: 1)
    return outcomes[0].error
  }

  @Test func whatNeverFitsIsTooLarge() async throws {
    let none = try await error { _ in }
    #expect(none == nil)
    let pixels = try await error { $0.images.pixels = 1 }
    #expect(pixels?.kind == .tooLarge && pixels?.message.contains("at most 1 in all") == true)
    let bytes = try await error { $0.images.fileBytes = 8 }
    #expect(bytes?.kind == .tooLarge && bytes?.message.contains("at most 8") == true)
  }
}
