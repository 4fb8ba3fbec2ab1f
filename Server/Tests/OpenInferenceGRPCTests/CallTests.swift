import GRPCCore
import Testing

@testable import OpenInferenceGRPC

/// What stops a call is what its status says.
@Suite struct CallTests {
  /// Work that is stopped says something else each time: that its client is gone, or what gRPC does not know.
  @Test(arguments: [(Call.Ending.clientGone, 1), (.deadline, 4), (.slowMessage, 4), (.stopping, 14)])
  func theStatusSaysWhyItWasStopped(_ ending: Call.Ending, _ code: Int) async throws {
    let call = Call()
    let work = Task { try await call.doing { try await Task.sleep(for: .seconds(60)) } }
    call.end(ending)
    await #expect(throws: CancellationError.self) { try await work.value }
    try await call.finish(Status(code: .unknown, message: ""), [:]) { _ in }
    #expect(call.outcome.code == code)
  }

  /// A client whose time is over leaves, which may be known before the timer is there.
  @Test func aDeadlineIsNoClientThatIsGone() async throws {
    let call = Call()
    call.end(after: .zero)
    call.end(.clientGone)
    #expect(call.ending == .deadline)
    await #expect(throws: CancellationError.self) {
      try await call.doing { try await Task.sleep(for: .seconds(60)) }
    }
  }

  @Test func aDeadlineStopsTheWork() async throws {
    let call = Call()
    call.end(after: .milliseconds(10))
    await #expect(throws: CancellationError.self) {
      try await call.doing { try await Task.sleep(for: .seconds(60)) }
    }
    #expect(call.ending == .deadline)
  }

  @Test func anAnswerThatIsThereCounts() async throws {
    let call = Call()
    call.end(.stopping)
    try await call.finish(Status(code: .ok, message: ""), [:]) { _ in }
    #expect(call.outcome.code == 0 && call.outcome.kind == .answered)
  }

  /// A server that stops lets calls go on until it cuts them, those that come later among them.
  @Test func callsGoOnUntilTheyAreCut() {
    let calls = Calls(), call = Call(), late = Call()
    calls.add(call)
    calls.drain()
    #expect(calls.isDraining && call.ending == nil)
    calls.cut()
    calls.add(late)
    #expect(call.ending == .stopping && late.ending == .stopping)
  }

  @Test(arguments: [
    ("300m", Duration.milliseconds(300)), ("2S", .seconds(2)), ("1M", .seconds(60)), ("1H", .seconds(3600)),
    ("5u", .microseconds(5)), ("99999999n", .nanoseconds(99_999_999)),
    ("99999999H", .seconds(30 * 24 * 3600)), ("99999999S", .seconds(30 * 24 * 3600)),
  ])
  func timesOfClientsAreRead(_ text: String, _ time: Duration) {
    let metadata: Metadata = ["grpc-timeout": "\(text)"]
    #expect(metadata.patience == time)
  }

  @Test(arguments: ["", "m", "1", "-1S", "1x", "9999999999S"])
  func whatIsNoTimeIsPassedOver(_ text: String) {
    let metadata: Metadata = ["grpc-timeout": "\(text)"]
    #expect(metadata.patience == nil)
  }

  /// Both have one status; only what may come again says when.
  @Test func noRoomIsNoMessageThatIsTooLong() {
    let status = Status(code: .resourceExhausted, message: "")
    let (long, full) = (RPCOutcome(status, [:]), RPCOutcome(status, [Metadata.retryTime: "100"]))
    #expect(long.kind == .refused && full.kind == .overloaded)
  }
}
