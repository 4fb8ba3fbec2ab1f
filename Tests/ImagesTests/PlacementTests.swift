import Images
import TensorCore
import Testing

/// Geometry by numbers that torchvision, Hugging Face and plain arithmetic give.
@Suite struct PlacementTests {
  private func place(_ geometry: Geometry, _ width: Int, _ height: Int, on side: Int) throws -> Placement {
    let image = RGBImage(sound: width, height, [UInt8](repeating: 0, count: width * height * 3))
    return try Placement(geometry, of: image, on: try PixelSize(width: side, height: side))
  }

  @Test func torchvisionCrop() throws {
    let rule = Geometry.centerCrop(shorterSide: .ratio(8, over: 7), rounding: .torchvision)
    // 256 × 500/375 = 341.3, rounded down; a border of 117 begins at round(58.5) = 58.
    let wide = try place(rule, 500, 375, on: 224)
    #expect(wide.resized == (try PixelSize(width: 341, height: 256)))
    #expect(wide.window == PixelWindow(columns: 58..<282, rows: 16..<240))
    // 256 × 343/256: a border of 119 begins at round(59.5) = 60.
    #expect(try place(rule, 343, 256, on: 224).window.columns == 60..<284)
    #expect(try place(rule, 500, 375, on: 299).resized.height == 342)
  }

  @Test func huggingFaceCrop() throws {
    let rule = Geometry.centerCrop(shorterSide: .asInput, rounding: .huggingFace)
    let tall = try place(rule, 375, 500, on: 224)
    #expect(tall.resized == (try PixelSize(width: 224, height: 298)))
    #expect(tall.window == PixelWindow(columns: 0..<224, rows: 37..<261))
  }

  @Test func smallerThanTheCrop() throws {
    let rule = Geometry.centerCrop(shorterSide: .pixels(100), rounding: .torchvision)
    let placement = try place(rule, 50, 50, on: 224)
    #expect(placement.window == PixelWindow(columns: 0..<100, rows: 0..<100))
    #expect(placement.x == 62 && placement.y == 62)
  }

  @Test func letterbox() throws {
    let placement = try place(.letterbox(.white), 400, 100, on: 200)
    #expect(placement.resized == (try PixelSize(width: 200, height: 50)))
    #expect(placement.x == 0 && placement.y == 75)
    #expect(try place(.letterbox(.white), 1, 1000, on: 200).resized.width == 1)
  }

  @Test func aLongerSideOverTheLimitIsNamed() {
    let rule = Geometry.centerCrop(shorterSide: .pixels(73), rounding: .huggingFace)
    let error = #expect(throws: ApusError.self) { try place(rule, 3000, 2, on: 64) }
    #expect(error?.problem == "a picture resized to 109500×73")
  }

  @Test func impossibleShorterSides() {
    for side in [
      Geometry.ShorterSide.pixels(0), .pixels(-1), .pixels(1 << 40), .ratio(0, over: 7), .ratio(8, over: 0),
    ] {
      #expect(throws: ApusError.self) {
        try place(.centerCrop(shorterSide: side, rounding: .torchvision), 10, 10, on: 8)
      }
    }
  }
}
