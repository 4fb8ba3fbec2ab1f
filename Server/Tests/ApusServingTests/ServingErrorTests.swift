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

  /// A label may be as long as a body, and what stands behind it says what is wrong.
  @Test func bothEndsOfLongMessagesAreKept() {
    let label = String(repeating: "x", count: 100_000)
    let message = ServingError(
      ApusError(.argument, "label 1 is '\(label)' again, as label 0 is", expected: "each label once")
    ).message
    #expect(message.count < 400 && message.hasPrefix("Label 1 is 'xxx"))
    #expect(message.hasSuffix("xxx' again, as label 0 is, expected each label once."))
  }

  @Test func othersSayNothingOfTheServer() {
    struct Secret: Error {}
    #expect(ServingError(Secret()) == ServingError(.failed, "The server failed."))
    #expect(ServingError(CancellationError()).kind == .cancelled)
    #expect(ServingError(ServingError(.notFound, "x")) == ServingError(.notFound, "x"))
  }
}
