import Apus
import Foundation
import TestSupport
import Testing

/// A picture is the same picture in whatever form it comes.
@Suite struct PictureFormTests {
  private let classifier: ImageClassifier
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    classifier = try ImageClassifier(folder.write("colour.tflite", ColourModel.bytes(softmax: false)))
  }

  @Test func filesURLsDataAndBytesGiveOneResult() throws {
    let path = try folder.write("picture with a blank.png", [UInt8](FolderFixture.png))
    let expected = try classifier.blocking.classify(Picture(path)).predictions
    let forms: [Picture] = [
      .file(path), try Picture(URL(fileURLWithPath: path)), Picture(FolderFixture.png),
      Picture([UInt8](FolderFixture.png)),
    ]
    for form in forms { #expect(try classifier.blocking.classify(form).predictions == expected) }
  }

  @Test func whatWouldHaveToBeFetchedIsRefused() throws {
    let error = #expect(throws: ApusError.self) {
      try Picture(try #require(URL(string: "https://example.org/a.png")))
    }
    #expect(error?.description.contains("https://example.org/a.png") == true)
  }

  @Test(arguments: PixelLayout.allCases)
  func pixelsOfEveryLayoutAndStride(_ layout: PixelLayout) throws {
    let (width, height) = (5, 3)
    let colours: [[UInt8]] = (0..<15).map { (place: UInt8) in [place, place + 50, place + 100] }
    func bytes(_ colour: [UInt8]) -> [UInt8] {
      switch layout {
      case .rgb: colour
      case .bgr: colour.reversed()
      case .rgba: colour + [9]
      case .bgra: colour.reversed() + [9]
      case .argb: [9] + colour
      case .abgr: [9] + colour.reversed()
      case .gray: [colour[0]]
      }
    }
    let expected = colours.flatMap { layout == .gray ? [$0[0], $0[0], $0[0]] : $0 }
    for padding in [0, 1, 7] {
      let stride = width * layout.bytesPerPixel + padding
      var rows: [UInt8] = []
      for y in 0..<height {
        rows += colours[(y * width)..<((y + 1) * width)].flatMap(bytes)
        rows += [UInt8](repeating: 77, count: padding)
      }
      // The last row may end with its last pixel.
      rows.removeLast(padding)
      let image = try RGBImage(width: width, height: height, rows, layout: layout, bytesPerRow: stride)
      #expect(image.pixels == expected)
      #expect(throws: ApusError.self) {
        try RGBImage(width: width, height: height, rows.dropLast(), layout: layout, bytesPerRow: stride)
      }
    }
  }

  @Test func aBufferOfAnotherProgramIsReadWhereItLies() throws {
    // A byte of something else stands before two rows of one pixel in BGRA, eight bytes apart.
    let memory: [UInt8] = [99, 3, 2, 1, 255, 77, 77, 77, 77, 6, 5, 4, 255]
    let frame = try memory.withUnsafeBytes { memory in
      try RGBImage(
        width: 1, height: 2, UnsafeRawBufferPointer(rebasing: memory[1...]), layout: .bgra, bytesPerRow: 8)
    }
    #expect(frame.pixels == [1, 2, 3, 4, 5, 6])
    let short = #expect(throws: ApusError.self) {
      try memory.withUnsafeBytes { memory in
        try RGBImage(
          width: 1, height: 2, UnsafeRawBufferPointer(rebasing: memory[2...]), layout: .bgra, bytesPerRow: 8)
      }
    }
    #expect(short?.kind == .argument)
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    let nothing = #expect(throws: ApusError.self) {
      try RGBImage(width: 1, height: 1, empty, layout: .bgra)
    }
    #expect(nothing?.kind == .argument)
  }

  @Test func aPathMayBeWrittenWhereAPictureIsAskedFor() throws {
    let folder = "pictures"
    let picture: Picture = "\(folder)/a.png"
    guard case .file(let path) = picture else {
      Issue.record("no file")
      return
    }
    #expect(path == "pictures/a.png")
  }

  @Test func pixelsThatAreMissingAreCounted() {
    let error = #expect(throws: ApusError.self) {
      try RGBImage(width: 32, height: 16, [1, 2], layout: .rgba)
    }
    #expect(
      error?.summary
        == "2 bytes of 32×16 pixels in rgba, expected 16 rows that begin 128 bytes apart, 128 bytes in "
        + "the last.")
  }

  @Test func sidesAndStridesThatMakeNoSenseAreRefused() {
    let bytes = [UInt8](repeating: 0, count: 64)
    let cases: [(Int, Int, Int)] = [
      (0, 1, 4), (1, 0, 4), (-1, 4, 4), (4, 1, 15), (4, 1, -16), (.max, 1, .max), (1, .max, 4),
      (1, .max, .max),
      (.max / 2, .max / 2, .max),
    ]
    for (width, height, stride) in cases {
      #expect(throws: ApusError.self) {
        try RGBImage(width: width, height: height, bytes, layout: .rgba, bytesPerRow: stride)
      }
    }
  }
}
