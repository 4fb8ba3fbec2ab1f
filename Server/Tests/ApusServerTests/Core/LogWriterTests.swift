import CLibrary
import Dispatch
import ServingTestSupport
import Testing

@testable import ApusServer

/// A log that is not read stops no work.
@Suite struct LogWriterTests {
  private let ends: (read: Int32, write: Int32)

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    self.ends = (ends[0], ends[1])
  }

  private func line(_ number: Int) -> [UInt8] {
    Array("line \(number) \(String(repeating: "x", count: 90))\n".utf8)
  }

  /// All that is written until the writer's end is closed.
  private func rest() -> [String] {
    var all: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(ends.read, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
    return String(decoding: all, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func aReaderThatStallsStopsNothing() async throws {
    let writer = LogWriter(ends.write)
    writer.tellDropped { Array("dropped \($0)\n".utf8) }
    let begin = ContinuousClock.now
    for number in 0..<50_000 { writer.write(line(number)) }
    // It gives up waiting for lines that are not taken.
    writer.finish(within: .milliseconds(100))
    #expect(ContinuousClock.now - begin < .patience)
    let dropped = writer.droppedCount
    #expect(dropped > 20_000)
    // On a thread of its own: those of tasks are few, and this one waits.
    let (content, contents) = AsyncStream.makeStream(of: [String].self)
    DispatchQueue(label: "reader").async { contents.yield(rest()) }
    writer.finish(within: .patience)
    writer.write(line(-1))
    writer.finish(within: .patience)
    close(ends.write)
    let lines = try #require(await content.first { _ in true })
    close(ends.read)
    let told = lines.filter { $0.hasPrefix("dropped ") }.compactMap { Int($0.dropFirst(8)) }
    let kept = lines.filter { $0.hasPrefix("line ") && $0.hasSuffix("x") }
      .compactMap { Int($0.dropFirst(5).prefix { $0 != " " }) }
    #expect(told.reduce(0, +) == dropped && kept.last == -1)
    // What is there is whole and in order; with what was dropped it is all.
    #expect(kept.count == 50_000 - dropped + 1 && kept.count + told.count == lines.count)
    #expect(kept.dropLast() == kept.dropLast().sorted()[...])
  }

  @Test func whatIsReadIsWhole() {
    let writer = LogWriter(ends.write)
    for number in 0..<100 { writer.write(line(number)) }
    writer.finish(within: .patience)
    close(ends.write)
    #expect(rest().map { $0 + "\n" } == (0..<100).map { String(decoding: line($0), as: UTF8.self) })
    #expect(writer.droppedCount == 0)
    close(ends.read)
  }
}
