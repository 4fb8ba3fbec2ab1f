import Apus
import ApusPhotos
import Foundation
import TestSupport
import Testing

/// The newest photographs, without a query.
@Suite struct NewestTests {
  private func library(_ times: [String: Int]) async throws -> Library {
    let samples = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.file("Weights/scenes/samples").path
    ).filter { $0.hasSuffix(".png") }.sorted()
    let library = try Library(Dictionary(uniqueKeysWithValues: zip(samples, times.keys.sorted())))
    for (name, seconds) in times {
      let time = timespec(tv_sec: seconds, tv_nsec: 0)
      #expect(utimensat(AT_FDCWD, "\(library.path)/\(name)", [time, time], 0) == 0)
    }
    try await library.update()
    return library
  }

  private func names(_ photos: [IndexedPhoto]) -> [String] {
    photos.map { ($0.paths[0] as NSString).lastPathComponent }
  }

  @Test func comeFirst() async throws {
    let day = 86_400
    let library = try await library([
      "a.png": 500 * day, "b.png": 900 * day, "c.png": -3 * day, "d.png": 700 * day,
    ])
    #expect(names(try await library.index.newest()) == ["b.png", "d.png", "a.png", "c.png"])
    #expect(names(try await library.index.newest(2)) == ["b.png", "d.png"])
    #expect(try await library.index.newest(0).isEmpty)
    let filter = PhotoFilter(until: try PhotoDate("1971-12"))
    #expect(names(try await library.index.newest(filter: filter)) == ["d.png", "a.png", "c.png"])
    // The oldest file says when.
    try FileManager.default.copyItem(atPath: "\(library.path)/a.png", toPath: "\(library.path)/copy.png")
    try await library.update()
    let photos = try await library.index.newest()
    #expect(photos.count == 4 && photos[2].paths.count == 2)
    try FileManager.default.removeItem(atPath: "\(library.path)/b.png")
    try await library.update()
    #expect(names(try await library.index.newest(1)) == ["d.png"])
  }
}
