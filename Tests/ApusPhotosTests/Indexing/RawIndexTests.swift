import Apus
import Foundation
import Images
import TestSupport
import Testing

@testable import ApusPhotos

/// Raw photographs and videos among the files of an index.
@Suite struct RawIndexTests {
  private static func raw(_ sample: String, _ format: String = "NEF") throws -> [UInt8] {
    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: "\(Library.samples)/\(sample)")))
    let image = try ImageDecoder.decode(bytes).image
    let jpegs = try [32, max(image.width, image.height)].map {
      try Thumbnail(of: image, side: $0, maximumBytes: 200_000).bytes
    }
    return switch format {
    case "ORF": RawFile.orf(jpegs[1])
    case "CR3": RawFile.cr3(jpegs[0], jpegs[1])
    default: RawFile.nef(jpegs[0], jpegs[1])
    }
  }

  @Test(arguments: ["NEF", "ORF", "CR3"])
  func aRawPhotographIsFoundByTheJPEGInIt(_ format: String) async throws {
    let library = try Library(["a-spotted-green-square.png": "b.png"])
    try library.write("a.\(format)", try Self.raw("three-red-circles.png", format))
    let progress = try await library.update()
    #expect(progress.embedded == 2 && progress.failed == 0)
    let match = try #require(
      try await PhotoSearcher(library.index).search("three red circles", count: 1).first)
    #expect(match.paths == ["\(library.path)/a.\(format)"] && match.photo.format == format)
    let thumbnail = try PhotoThumbnail(contentsOf: match.paths[0], side: 64)
    #expect(max(thumbnail.width, thumbnail.height) == 64)
    #expect(try await library.update().unchanged == 2)
  }

  /// Nobody should remove one as a copy of the other.
  @Test func whatWasDevelopedIsNoCopyOfARawPhotograph() async throws {
    let library = try Library(["three-red-circles.png": "a.png"])
    try library.write("a.nef", try Self.raw("three-red-circles.png"))
    try library.write("a.jpg", try #require(try RawPicture(in: Self.raw("three-red-circles.png"))).jpeg)
    try await library.update()
    let groups = try library.index.duplicates(.samePicture).groups
    #expect(
      groups.map { $0.members.flatMap(\.paths).sorted() } == [
        ["\(library.path)/a.jpg", "\(library.path)/a.png"]
      ])
  }

  @Test func aRawPhotographWithoutAJPEGIsNamed() async throws {
    let library = try Library([:])
    try library.write("a.nef", RawFile.nef([], []))
    #expect(try await library.update().failed == 1)
    #expect(try library.index.failures().first?.error.contains("a raw photograph (NEF)") == true)
  }

  @Test func whatIsPassedOverIsCountedByItsEnding() async throws {
    let library = try Library(["three-red-circles.png": "a.png"])
    for name in [
      "a.MOV", "b.mp4", "c/d.mov", "e.crw", "._f.mov", ".hidden/g.mov", "h.txt", "mov", "i.movie", "c/.mov",
    ] {
      try library.write(name, [1])
    }
    let progress = try await library.update()
    #expect(progress.found == 1)
    #expect(progress.videos.map(\.ending) == ["mov", "mp4"] && progress.videos.map(\.count) == [2, 1])
    #expect(progress.raw.map(\.ending) == ["crw"] && progress.raw.map(\.count) == [1])
    let others = try await library.update(ApusPhotos.IndexOptions(excluded: ["c"])).videos
    #expect(others.map(\.count) == [1, 1])
  }
}
