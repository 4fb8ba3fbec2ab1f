import Apus
import Foundation
import TestSupport
import Testing

@testable import ApusPhotos

/// What can be had of a photograph by its number.
@Suite struct IndexedPhotoTests {
  private static let circles = "three-red-circles.png"

  private func only(_ library: Library) async throws -> IndexedPhoto {
    let match = try #require(try await PhotoSearcher(library.index).search("a circle", count: 1).first)
    return try #require(try library.index.photo(match.photo.id))
  }

  @Test func bytesAreThoseOfTheFile() async throws {
    let library = try Library([Self.circles: "a.png"])
    try await library.update()
    let photo = try await only(library)
    #expect(photo.paths == ["\(library.path)/a.png"])
    #expect(photo.version.count == 32)
    let bytes = try await library.index.content(of: photo)
    #expect(bytes == Array(FileManager.default.contents(atPath: "\(Self.samples)/\(Self.circles)") ?? Data()))
    #expect(try library.index.photo(photo.photo.id + 1) == nil)
  }

  @Test func whatTookTheFilesPlaceIsNotHandedOut() async throws {
    let library = try Library([Self.circles: "a.png"])
    try await library.update()
    let photo = try await only(library)
    try library.remove("a.png")
    try FileManager.default.createSymbolicLink(
      atPath: "\(library.path)/a.png", withDestinationPath: "/etc/passwd")
    await #expect(throws: ApusError.self) { try await library.index.content(of: photo) }
    try library.remove("a.png")
    try library.add("a-spotted-green-square.png", as: "a.png")
    await #expect(throws: ApusError.self) { try await library.index.content(of: photo) }
    await #expect(throws: ApusError.self) { try await library.index.thumbnail(of: photo) }
    try await library.update()
    #expect(try library.index.photo(photo.photo.id) == nil)
  }

  @Test func whatIsNoPictureCannotBeHad() async throws {
    let library = try Library([:])
    try library.write("secret.png", Array("not a picture".utf8))
    try await library.update()
    #expect(try library.index.failures().count == 1)
    for id in Int64(0)...4 { #expect(try library.index.photo(id) == nil) }
  }

  @Test func thumbnailsKeepWithinTheirSide() async throws {
    let library = try Library([Self.circles: "a.png"])
    try await library.update()
    let photo = try await only(library)
    let small = try await library.index.thumbnail(of: photo, side: 24)
    #expect(max(small.width, small.height) == 24)
    let decoded = try ImageDecoder.decode(small.bytes)
    #expect(decoded.source.format == .jpeg)
    #expect((decoded.image.width, decoded.image.height) == (small.width, small.height))
    let large = try await library.index.thumbnail(of: photo, side: 10_000)
    #expect(large.width == photo.photo.width && large.height == photo.photo.height)
  }

  private static var samples: String { Library.samples }
}
