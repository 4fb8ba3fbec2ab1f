import Apus
import ApusServing
import Testing

@Suite struct ServingErrorTests {
  @Test func messagesAreSentences() {
    let error = ApusError(
      .argument, "top 0", expected: "at least 1", file: "/srv/model", advice: "Ask for more.")
    #expect(ServingError(error).message == "Top 0, expected at least 1.")
    #expect(ServingError(error).kind == .invalid)
  }

  /// A tensor is called what the model calls it.
  @Test func namesKeepTheirLetters() {
    let error = ApusError(.argument, "has shape [2]", expected: "[3]", at: "pixel_values")
    #expect(ServingError(error).message == "pixel_values: has shape [2], expected [3].")
    #expect(ServingError(error.at("main")).message == "main: pixel_values: has shape [2], expected [3].")
  }

  @Test func othersSayNothingOfTheServer() {
    struct Secret: Error {}
    #expect(ServingError(Secret()) == ServingError(.failed, "The server failed."))
    #expect(ServingError(CancellationError()).kind == .cancelled)
    #expect(ServingError(ServingError(.notFound, "x")) == ServingError(.notFound, "x"))
  }
}
