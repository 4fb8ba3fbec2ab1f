import Apus
import Foundation
import Images
import TestSupport
import Testing

@testable import ApusPhotos

/// Times and places that Google Takeout writes beside photographs.
@Suite struct TakeoutTests {
  private static let record = """
    {"title": "IMG.jpg", "creationTime": {"timestamp": "1258549448"},
     "photoTakenTime": {"timestamp": "1258375918", "formatted": "16 Nov 2009, 12:51:58 UTC"},
     "geoData": {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0},
     "geoDataExif": {"latitude": 30.6578197, "longitude": 104.0738983, "altitude": 486.2}}
    """

  /// Names of Takeout's archives, of either kind; cut ones have 46 characters before `.json`.
  @Test(arguments: [
    ("IMG_1234.jpg", "IMG_1234.jpg.json"), ("IMG_1234.jpg", "IMG_1234.jpg.supplemental-metadata.json"),
    ("IMG_1234(1).jpg", "IMG_1234.jpg(1).json"),
    ("IMG_1234(1).jpg", "IMG_1234.jpg.supplemental-metadata(1).json"),
    ("IMG_1234(1).jpg", "IMG_1234(1).jpg.json"),
    ("IMG_1234-edited.jpg", "IMG_1234.jpg.json"), ("IMG_1234-edited(1).jpg", "IMG_1234.jpg(1).json"),
    ("PXL_20230813_151247831.PORTRAIT-01.COVER.jpg", "PXL_20230813_151247831.PORTRAIT-01.COVER.jpg.s.json"),
    (
      "Screenshot_20200101-120000_Some Application.jpg", "Screenshot_20200101-120000_Some Application.jp.json"
    ),
    ("IMG_20190702_110431_with_a_longer_name.jpg", "IMG_20190702_110431_with_a_longer_name.jpg.sup.json"),
  ])
  func namesOfRecords(_ photograph: String, _ record: String) {
    #expect(TakeoutRecord.names(for: photograph).contains(record))
  }

  @Test func whatARecordSays() throws {
    let record = try #require(TakeoutRecord(Array(Self.record.utf8)))
    #expect(record.taken == 1_258_375_918)
    #expect(record.place == PicturePlace(latitude: 30.6578197, longitude: 104.0738983))
  }

  @Test(arguments: [
    "", "[]", "{", "{}", #"{"photoTakenTime": 7}"#, #"{"photoTakenTime": {"timestamp": "soon"}}"#,
    #"{"photoTakenTime": {"timestamp": "9223372036854775807"}}"#,
    #"{"geoData": {"latitude": 0, "longitude": 0}}"#, #"{"geoData": {"latitude": 91, "longitude": 0}}"#,
    #"{"geoData": {"latitude": 1e999, "longitude": 0}}"#,
  ])
  func recordsThatSayNothing(_ text: String) { #expect(TakeoutRecord(Array(text.utf8)) == nil) }

  /// In this computer's zone, as times of files are.
  @Test func aPhotographWithoutATimeHasThatOfItsRecord() async throws {
    let library = try Library(["three-red-circles.png": "IMG.png"])
    try library.write("IMG.png.supplemental-metadata.json", Array(Self.record.utf8))
    try await library.update()
    let photo = try #require(try await PhotoSearcher(library.index).search("a circle").first).photo
    var (time, local) = (time_t(1_258_375_918), tm())
    localtime_r(&time, &local)
    #expect(photo.taken == PhotoDate.text(1_258_375_918 + Int(local.tm_gmtoff)))
    #expect(photo.zone == Int(local.tm_gmtoff))
    #expect(photo.latitude == 30.6578197 && photo.longitude == 104.0738983)
    let near = PhotoFilter(near: try PhotoFilter.Circle("30.65, 104.07, 5"))
    #expect(try await library.names("a circle", filter: near) == ["IMG.png"])
  }
}
