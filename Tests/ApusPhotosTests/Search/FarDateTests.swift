import Apus
import Foundation
import GRDB
import Images
import TensorCore
import TestSupport
import Testing

@testable import ApusPhotos

/// Photographs and files of other centuries.
@Suite struct FarDateTests {
  private func index(of times: [String: timespec]) async throws -> (Library, isKept: Bool) {
    let samples = ["three-red-circles.png", "a-spotted-green-square.png"]
    let library = try Library(Dictionary(uniqueKeysWithValues: zip(samples, times.keys.sorted())))
    var isKept = true
    for (name, time) in times {
      let path = "\(library.path)/\(name)"
      #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
      var status = stat()
      #expect(stat(path, &status) == 0)
      isKept = isKept && status.st_mtim.tv_sec == time.tv_sec
    }
    try await library.update()
    return (library, isKept)
  }

  private func names(_ library: Library, _ since: String, _ until: String) async throws -> [String] {
    let filter = PhotoFilter(since: try PhotoDate(since), until: try PhotoDate(until))
    return try await library.names("a circle", filter: filter)
  }

  /// In the middle of 2300, and half a second before 1970 begins in UTC.
  @Test func filesOfOtherCenturies() async throws {
    let (library, isKept) = try await index(of: [
      "a.png": timespec(tv_sec: 10_428_134_400, tv_nsec: 5),
      "b.png": timespec(tv_sec: -1, tv_nsec: 500_000_000),
    ])
    // Some disks have no times so far away.
    guard isKept else { return }
    #expect(try await names(library, "2300", "2300") == ["a.png"])
    #expect(try await names(library, "2262", "2299") == [])
    let written = try library.index.store.read {
      try Int64.fetchOne($0, sql: "SELECT \(FilterStatement.written) FROM file WHERE path = 'b.png'")
    }
    #expect(written == -1)
    #expect(try await library.update().unchanged == 2)
  }

  @Test(arguments: [
    (1905, -2_051_222_400), (1969, -31_536_000), (2300, 10_413_792_000), (9999, 253_370_764_800),
  ])
  func picturesOfOtherCenturies(_ year: Int, _ seconds: Int) throws {
    let time = try #require(PictureTime(year: year, month: 1, day: 1, nanosecond: 999_999_999))
    #expect(time.clockSeconds == seconds)
    #expect(PhotoDate.text(seconds) == "\(year)-01-01 00:00:00")
  }
}
