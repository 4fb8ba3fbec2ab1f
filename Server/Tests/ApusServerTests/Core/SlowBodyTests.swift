import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import ApusServer

/// When connections end on which the body of a request does not come.
@Suite struct SlowBodyTests {
  /// Requests before it may still be in work, and its own answer is to be written.
  @Test func aSlowBodyIsToldOfLongBeforeItsConnectionIsClosed() throws {
    let channel = EmbeddedChannel()
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    let address = try SocketAddress(unixDomainSocketPath: "/a")
    channel.connect(to: address, promise: nil)
    let connections = Connections(), connection = Connection(channel)
    connections.add(connection)
    connection.beginReading()
    let begin = NIODeadline.now()
    func look(after seconds: Int64) {
      connections.closeSlow(.seconds(30), patience: .seconds(60), at: begin + .seconds(seconds))
    }
    look(after: 29)
    #expect(throws: Never.self) { try channel.throwIfErrorCaught() }
    look(after: 31)
    #expect(throws: SlowBody.self) { try channel.throwIfErrorCaught() }
    look(after: 90)
    #expect(throws: Never.self) { try channel.throwIfErrorCaught() }
    #expect(channel.isActive)
    look(after: 92)
    #expect(!channel.isActive)
  }

  /// ``LingeringCloseHandler`` closes it sooner, when its client has taken that.
  @Test func aConnectionIsLeftForAWhileOnceItHasItsLastAnswer() throws {
    let connections = Connections()
    let channel = EmbeddedChannel(handler: ConnectionHandler(connections))
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    let address = try SocketAddress(unixDomainSocketPath: "/a")
    channel.connect(to: address, promise: nil)
    let connection = try #require(connections[channel])
    connection.beginReading()
    let begin = NIODeadline.now()
    func look(after seconds: Int64) {
      connections.closeSlow(.seconds(30), patience: .seconds(60), at: begin + .seconds(seconds))
    }
    look(after: 31)
    #expect(throws: SlowBody.self) { try channel.throwIfErrorCaught() }
    look(after: 32)
    #expect(channel.isActive)
    let answer = HTTPResponse(status: .requestTimeout, headerFields: [.connection: "close"])
    try channel.writeOutbound(HTTPResponsePart.head(answer))
    look(after: 33)
    #expect(channel.isActive)
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    look(after: 34)
    look(after: 90)
    #expect(channel.isActive)
    #expect(throws: Never.self) { try channel.throwIfErrorCaught() }
    look(after: 92)
    #expect(!channel.isActive)
  }
}
