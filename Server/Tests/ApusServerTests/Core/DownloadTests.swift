import Apus
import ApusPhotos
import CLibrary
import Dispatch
import FoundationEssentials
import Testing

@testable import ApusServer

/// Long answers go on as long as they are read, and no longer.
@Suite struct DownloadTests {
  private static let scenes = TestServer.root + "/Weights/scenes"

  /// A folder with an index of one large picture, gone when the test is done.
  private final class Place {
    let folder: String
    let byteCount: Int
    var picture: String { folder + "/pictures/large.bmp" }

    init() async throws {
      folder =
        FileManager.default.temporaryDirectory.appending(path: "apus-\(UInt64.random(in: 0...(.max)))").path
      try FileManager.default.createDirectory(atPath: folder + "/pictures", withIntermediateDirectories: true)
      let file = Self.bitmap(side: 2048)
      byteCount = file.count
      try Data(file).write(to: URL(filePath: folder + "/pictures/large.bmp"))
      let index = try PhotoIndex(at: folder + "/index", creating: true)
      try await index.update([folder + "/pictures"], with: PhotoModel(DownloadTests.scenes))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func library() throws -> PhotoLibrary { try PhotoLibrary(index: folder + "/index", threads: 1) }

    /// A BMP file of three bytes for a pixel.
    private static func bitmap(side: Int) -> [UInt8] {
      func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
      let pixels = side * side * 3
      let file = Array("BM".utf8) + bytes(54 + pixels, 4) + bytes(0, 4) + bytes(54, 4)
      let header = bytes(40, 4) + bytes(side, 4) + bytes(side, 4) + bytes(1, 2) + bytes(24, 2)
      let rows = (0..<side).flatMap { [UInt8](repeating: UInt8(truncatingIfNeeded: $0 * 7), count: side * 3) }
      return file + header + bytes(0, 4) + bytes(pixels, 4) + bytes(0, 16) + rows
    }
  }

  private static let request = "GET /api/photos/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

  /// It takes several times as long as connections may be idle.
  @Test func whoReadsSlowlyGetsAll() async throws {
    let place = try await Place()
    try await RunningServer.with(photos: try place.library()) {
      $0.idleTime = .seconds(1)
    } _: { server in
      let begin = ContinuousClock.now
      let count = await server.byteCount(
        ofAnswerTo: Self.request, reading: 64 << 10, every: .milliseconds(20))
      #expect(count > place.byteCount)
      #expect(ContinuousClock.now - begin > .seconds(3))
    }
  }

  /// What is in memory of files is counted among the bodies until their clients have them, or have left.
  @Test func filesAreCounted() async throws {
    let place = try await Place()
    try await RunningServer.with(photos: try place.library()) {
      $0.bodyBytesInAll = PhotoContent.pieceBytes * 3 / 2
    } _: { server in
      let (begun, begins) = AsyncStream.makeStream(of: Void.self), isAsked = DispatchSemaphore(value: 0)
      async let silent = server.byteCount(ofAnswerTo: Self.request, reading: 1 << 20) { socket in
        RunningServer.wait(for: Int16(POLLIN), of: socket)
        begins.yield()
        isAsked.wait()
      }
      for await _ in begun { break }
      let other = await server.answer(to: Self.request)
      isAsked.signal()
      #expect(other?.hasPrefix("HTTP/1.1 429 ") == true)
      #expect(await silent > place.byteCount)
      let count = await server.byteCount(ofAnswerTo: Self.request, reading: 1 << 20)
      #expect(count > place.byteCount)
    }
  }

  @Test func piecesAreTheWholeFile() async throws {
    let place = try await Place()
    let index = try PhotoIndex(at: place.folder + "/index")
    let photo = try #require(try index.photo(1))
    let content = try await index.open(photo)
    #expect(content.byteCount == place.byteCount && content.pieceCount == 13)
    var bytes: [UInt8] = []
    for number in 0..<content.pieceCount { bytes += try content.piece(number) }
    #expect(bytes == Array(try Data(contentsOf: URL(filePath: place.picture))))
    #expect(throws: ApusError.self) { try content.piece(13) }
    #expect(throws: ApusError.self) { try content.piece(-1) }
    // What took its place is another file, of which this one knows nothing.
    try FileManager.default.removeItem(atPath: place.picture)
    #expect(try content.piece(12).count == place.byteCount - (12 << 20))
    await #expect(throws: ApusError.self) { try await index.open(photo) }
  }

  /// A client of a file that is larger than all bodies together gets it, whole and as it was.
  @Test func largeFilesAreSentInPieces() async throws {
    let place = try await Place()
    try await RunningServer.with(photos: try place.library()) {
      $0.bodyBytes = PhotoContent.pieceBytes
      $0.bodyBytesInAll = PhotoContent.pieceBytes
    } _: { server in
      let head = await server.answer(to: Self.request.replacing("GET", with: "HEAD"))
      #expect(head?.lowercased().contains("content-length: \(place.byteCount)\r\n") == true)
      let count = await server.byteCount(ofAnswerTo: Self.request, reading: 1 << 20)
      #expect(count > place.byteCount && count < place.byteCount + 1000)
    }
  }

  /// The connection ends, rather than wait for bytes that do not come, or hand out what was not indexed.
  @Test(arguments: [true, false])
  func aFileThatChangesEndsItsAnswer(_ shrinks: Bool) async throws {
    let place = try await Place()
    try await RunningServer.with(photos: try place.library()) { server in
      let (picture, half) = (place.picture, place.byteCount / 2)
      // By then at most two pieces were read.
      let found = await server.byteCount(
        ofAnswerTo: Self.request, reading: 1 << 10,
        whenBegun: {
          if shrinks {
            truncate(picture, off_t(half))
          } else {
            let file = open(picture, O_WRONLY)
            let bytes = [UInt8](repeating: 1, count: half)
            pwrite(file, bytes, half, off_t(half))
            close(file)
          }
        })
      #expect(found > PhotoContent.pieceBytes / 2 && found <= place.byteCount / 2 + 1000, "\(found)")
      #expect(await server.answer(to: Self.request)?.hasPrefix("HTTP/1.1 404 ") == true)
    }
  }

  @Test func whoReadsNothingIsLetGo() async throws {
    let place = try await Place()
    try await RunningServer.with(photos: try place.library()) {
      $0.idleTime = .seconds(1)
    } _: { server in
      let count = await server.byteCount(ofAnswerTo: Self.request, reading: 1 << 20) { socket in
        RunningServer.wait(for: RunningServer.otherSideIsGone, of: socket)
      }
      #expect(count < place.byteCount)
    }
  }
}
