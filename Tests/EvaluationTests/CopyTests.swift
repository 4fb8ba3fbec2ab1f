import Foundation
import Images
import TensorCore
import TestSupport
import Testing

@testable import Evaluation

/// Samples that look or read alike are found, others are not, and intervals know of them.
@Suite struct CopyTests {
  private static func likeness(_ image: RGBImage) -> SampleLikeness { SampleLikeness(.picture(image)) }

  /// A picture of coloured blobs, unlike that of any other seed.
  private static func blobs(_ seed: UInt64, side: Int = 96) throws -> RGBImage {
    var random = SeededRandom(seed: seed)
    let blobs = (0..<7).map { _ in
      (0..<6).map { _ in Double.random(in: 0...1, using: &random) }
    }
    let pixels = (0..<side * side).flatMap { place -> [UInt8] in
      let (x, y) = (Double(place % side) / Double(side), Double(place / side) / Double(side))
      return (0..<3).map { channel in
        let light = blobs.reduce(0.0) { sum, blob in
          let distance = (x - blob[0]) * (x - blob[0]) + (y - blob[1]) * (y - blob[1])
          return sum + blob[3 + channel] * exp(-distance / (0.005 + 0.03 * blob[2]))
        }
        return UInt8(min(255, 255 * light / 2))
      }
    }
    return try RGBImage(width: side, height: side, pixels: pixels)
  }

  private static func turned(_ image: RGBImage) throws -> RGBImage {
    let side = image.width
    let pixels = (0..<side * side).flatMap { place -> ArraySlice<UInt8> in
      let from = 3 * ((place % side) * side + side - 1 - place / side)
      return image.pixels[from..<from + 3]
    }
    return try RGBImage(width: side, height: side, pixels: pixels)
  }

  private static func mirrored(_ image: RGBImage) throws -> RGBImage {
    let side = image.width
    let pixels = (0..<side * side).flatMap { place -> ArraySlice<UInt8> in
      let from = 3 * (place / side * side + side - 1 - place % side)
      return image.pixels[from..<from + 3]
    }
    return try RGBImage(width: side, height: side, pixels: pixels)
  }

  @Test func turnedAndMirroredPicturesAreCopies() throws {
    let first = try Self.blobs(1)
    var turned = try Self.turned(first)
    var samples = [first, try Self.blobs(2), turned]
    turned = try Self.turned(turned)
    samples += [try Self.blobs(3), turned, try Self.mirrored(turned), try Self.turned(Self.mirrored(first))]
    #expect(CopySearch.groups(samples.map(Self.likeness)) == [0, 1, 0, 2, 0, 0, 0])
  }

  @Test func compressedAndSmallerPicturesAreCopies() throws {
    let first = try Self.blobs(4)
    let bytes = try #require(try JPEGEncoder.encode(first, quality: 60, maximumBytes: 1 << 20))
    let samples = [
      first, try ImageDecoder.decode(bytes).image, try Self.blobs(4, side: 57), try Self.blobs(5),
    ]
    #expect(CopySearch.groups(samples.map(Self.likeness)) == [0, 0, 0, 1])
  }

  @Test func differentPicturesAreNone() throws {
    let samples = try (10..<90).map { try Self.likeness(Self.blobs($0)) }
    #expect(CopySearch.groups(samples) == Array(0..<80))
  }

  /// Pictures of one colour have nothing to be known by but their pixels.
  @Test func plainPicturesAreCopiesOnlyWhenEqual() throws {
    func plain(_ value: UInt8) throws -> SampleLikeness {
      Self.likeness(try RGBImage(width: 8, height: 8, pixels: [UInt8](repeating: value, count: 192)))
    }
    #expect(CopySearch.groups([try plain(3), try plain(4), try plain(3)]) == [0, 1, 0])
  }

  @Test func textsAreCopiesButForCaseAndPunctuation() {
    let texts = ["A joy .", "a  joy", "A joyless film", "!!", "?"]
    #expect(CopySearch.groups(texts.map { SampleLikeness(.text($0)) }) == [0, 0, 1, 2, 3])
    #expect(CopyReport(groups: [0, 0, 1, 2, 3])?.distinct == 4)
    #expect(CopyReport(groups: [0, 1, 2]) == nil)
  }
}

/// A warning is for copies that matter.
@Suite struct CopyRemarkTests {
  @Test func fewCopiesAreNoAlarm() {
    var data = SampleReport().report().data
    #expect(data.remarkOnCopies == nil && !data.hasManyCopies)
    data.copies = CopyReport(groups: [[3, 7]], sampleCount: 400)
    #expect(
      data.remarkOnCopies == "1 of the 400 samples looks or reads like another, which is too few to matter.")
    #expect(!data.hasManyCopies)
    data.copies = CopyReport(groups: [[0, 1, 2, 3], [5, 6]], sampleCount: 400)
    #expect(data.hasManyCopies && data.remarkOnCopies?.contains("4 of the 400 samples look") == true)
    data.groups = GroupReport(source: GroupReport.found, members: Array(0..<400))
    #expect(!data.hasManyCopies)
  }

  @Test func oneIsNoPlural() {
    var data = SampleReport().report().data
    data.samples = Array(data.samples.prefix(2))
    data.copies = CopyReport(groups: [[0, 1]], sampleCount: 2)
    #expect(data.remarkOnCopies?.contains("another: 1 is left that does not. Intervals") == true)
    data.groups = GroupReport(source: GroupReport.found, members: [0, 0])
    #expect(
      data.remarkOnCopies == "Intervals take the 2 samples as 1 group of samples that look or read alike.")
  }
}

/// A file of groups is read in the ways that people write it.
@Suite struct SampleGroupTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func pictures() throws -> DataSet {
    for name in ["red/0", "red/1", "blue/0"] { try folder.write("data/\(name).png", [1]) }
    return try DataSet(folder.path + "/data", kind: .pictures)
  }

  private func names(_ file: String, of data: DataSet) throws -> [String] {
    try SampleGroups(contentsOf: folder.write("groups.csv", file)).names(of: data)
  }

  @Test func picturesAreNamedByPath() throws {
    let data = try pictures()
    #expect(try names("red/0.png,a\nred/1.png,a\nblue/0.png,b\n", of: data) == ["b", "a", "a"])
    #expect(
      try names("group,path\na,red/0.png\na,red/1.png\nb,\(folder.path)/data/blue/0.png\n", of: data)
        == ["b", "a", "a"])
    #expect(
      try names("path,size,photograph\nred/0.png,1,x\n1.png,2,x\nblue/0.png,3,y\n", of: data) == [
        "y", "x", "x",
      ])
  }

  @Test func groupsOfAListStandInItsOrder() throws {
    let list = try folder.write("texts.tsv", "good\tpositive\nbad\tnegative\n")
    let data = try DataSet(list, kind: .texts)
    #expect(try names("r1\nr1\n", of: data) == ["r1", "r1"])
    #expect(try names("group\nr1\nr2\n", of: data) == ["r1", "r2"])
    #expect(throws: ApusError.self) { try names("r1\n", of: data) }
  }

  @Test(arguments: [
    ("red/0.png,a\nred/1.png,a\nblue/0.png,b\n\nred/0.png,b\n", "line 5"),
    ("1.png,a\nred/0.png,a\nblue/0.png,b\nred/1.png,b\n", "line 4"),
    ("path,group\nred/0.png,a\nred/1.png,a,b\nblue/0.png,b\n", "line 3"),
  ])
  func aSampleIsInOneGroup(_ file: String, _ line: String) throws {
    let data = try pictures()
    #expect { try names(file, of: data) } throws: {
      let error = $0 as? ApusError
      return error?.location == line && error?.file == folder.path + "/groups.csv"
    }
    #expect(try names("red/0.png,a\n1.png,a\nblue/0.png,b\nred/1.png,a\n", of: data) == ["b", "a", "a"])
  }

  @Test func everySampleNeedsAGroup() throws {
    let data = try pictures()
    for file in ["red/0.png,a\nblue/0.png,b\n", "0.png,a\nred/1.png,b\n", "a\nb\nc\n", "a,b,c\n"] {
      #expect(throws: ApusError.self) { try names(file, of: data) }
    }
  }
}
