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

  /// What is expected of a file says where the server looks for it.
  @Test func foldersOfTheServerAreNotNamed() {
    let error = ApusError(.file, "is not there", expected: "a repository in /srv/cache", file: "/srv/model")
    #expect(ServingError(error) == ServingError(.failed, "Is not there."))
  }

  /// Whoever runs the server is told which file it is.
  @Test func logsHaveTheWholeReason() {
    let error = ApusError(.file, "is not there", expected: "a repository in /srv/cache", file: "/srv/model")
    let served = ServingError(error)
    #expect("\(served)" == error.description && served.detail == error.description)
    let items: [Result<Int, ServingError>] = [.success(1), .failure(served)]
    let item = #expect(throws: ServingError.self) { try items.all() }
    #expect(item?.message == "Item 1 of 2: Is not there.")
    #expect(item?.detail == "Item 1 of 2: \(error.description)")
    let plain = ServingError(ApusError(.argument, "top 0", file: "/srv/model"))
    #expect(plain.detail == nil && "\(plain)" == "Top 0.")
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
