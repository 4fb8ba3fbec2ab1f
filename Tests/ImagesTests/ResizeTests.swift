import Images
import TensorCore
import Testing

/// What holds for every resize beside being that of its library.
@Suite struct ResizeTests {
  static let picture: RGBImage = {
    var state: UInt64 = 42
    let pixels = (0..<(61 * 47 * 3)).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(state >> 56)
    }
    return RGBImage(sound: 61, 47, pixels)
  }()

  /// A window of a resized picture is cut out of the whole resized picture.
  @Test(arguments: ResizeMethod.all)
  func windowIsACrop(_ method: ResizeMethod) throws {
    for (width, height) in [(20, 30), (90, 11), (100, 80), (61, 20)] {
      let size = try PixelSize(width: width, height: height)
      let window = PixelWindow(columns: 3..<(width - 2), rows: 1..<(height - 4))
      let whole = Self.resized(method, size, PixelWindow(size))
      let part = Self.resized(method, size, window)
      let cut = window.rows.flatMap { row in
        window.columns.flatMap { column in (0..<3).map { whole[(row * width + column) * 3 + $0] } }
      }
      #expect(part == cut, "\(method) to \(size)")
    }
  }

  private static func resized(_ method: ResizeMethod, _ size: PixelSize, _ window: PixelWindow) -> [Float] {
    switch method {
    case .pillow(let filter, let version):
      PillowResize.resize(
        picture, to: size, filter: filter, version: version, box: SourceBox(picture), window: window
      ).pixels.map { Float($0) }
    case .tensorFlow(let kind):
      TensorFlowResize.resize(picture, to: size, kind: kind, window: window).pixels
    case .torchvision(let filter):
      TorchvisionResize.resize(picture, to: size, filter: filter, window: window).pixels.map { Float($0) }
    }
  }

  /// A picture of one colour stays that colour.
  @Test(arguments: ResizeMethod.all)
  func constantStaysConstant(_ method: ResizeMethod) throws {
    let flat = try RGBImage(width: 50, height: 40, pixels: (0..<6000).map { [7, 130, 255][$0 % 3] })
    for (width, height) in [(3, 2), (50, 40), (70, 90), (49, 7)] {
      switch method {
      case .pillow(let filter, let version):
        let image = try PillowResize.resize(
          flat, width: width, height: height, filter: filter, version: version)
        #expect(image.pixels.enumerated().allSatisfy { $1 == [7, 130, 255][$0 % 3] }, "\(method)")
      case .tensorFlow(let kind):
        let image = try TensorFlowResize.resize(flat, width: width, height: height, kind: kind)
        #expect(
          image.pixels.enumerated().allSatisfy { abs($1 - [7, 130, 255][$0 % 3]) < 0.001 }, "\(method)")
      case .torchvision(let filter):
        let image = try TorchvisionResize.resize(flat, width: width, height: height, filter: filter)
        #expect(image.pixels.enumerated().allSatisfy { $1 == [7, 130, 255][$0 % 3] }, "\(method)")
      }
    }
  }

  /// Pillow 13 reduces the height first when it loses more than twice the pixels that the width loses.
  @Test func passOrder() throws {
    let version = PillowVersion.current
    #expect(!version.resizesHeightFirst(Self.picture, to: try PixelSize(width: 61, height: 47)))
    #expect(version.resizesHeightFirst(Self.picture, to: try PixelSize(width: 61, height: 46)))
    #expect(!version.resizesHeightFirst(Self.picture, to: try PixelSize(width: 51, height: 27)))
    #expect(version.resizesHeightFirst(Self.picture, to: try PixelSize(width: 51, height: 26)))
    #expect(!version.resizesHeightFirst(Self.picture, to: try PixelSize(width: 90, height: 50)))
    #expect(!PillowVersion.upTo12.resizesHeightFirst(Self.picture, to: try PixelSize(width: 61, height: 5)))
  }

  @Test func namesAreUnique() {
    #expect(Set(ResizeMethod.all.map(\.description)).count == ResizeMethod.all.count)
  }

  @Test(arguments: [(0, 5), (5, 0), (-1, 5), (1 << 17, 5), (65536, 65536)])
  func impossibleSizes(_ width: Int, _ height: Int) {
    #expect(throws: ApusError.self) {
      try PillowResize.resize(Self.picture, width: width, height: height, filter: .box)
    }
  }

  @Test func impossibleBoxes() {
    for (left, right) in [
      (Float(-1), Float(5)), (5, 5), (9, 5), (0, 62), (.nan, 5), (0, .nan), (0, .infinity),
    ] {
      #expect(throws: ApusError.self) {
        try SourceBox(left: left, top: 0, right: right, bottom: 47, in: Self.picture)
      }
    }
  }

  @Test func thinBoxes() throws {
    let box = try SourceBox(left: 60.9999, top: 0.00001, right: 61, bottom: 0.00002, in: Self.picture)
    for filter in PillowFilter.allCases {
      let image = try PillowResize.resize(Self.picture, width: 4, height: 3, filter: filter, box: box)
      #expect(image.pixels.count == 36)
    }
  }
}
