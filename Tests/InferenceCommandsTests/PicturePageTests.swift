import Apus
import InferenceCommands
import Foundation
import Images
import Networks
import TestSupport
import Testing

/// The page of a classification shows its pictures with what the model says of them, whatever labels and files are
/// called.
@Suite struct PicturePageTests {
  private static let hostile = [
    "<script>document.title='owned'</script>", "\"><img src=x onerror=\"document.title='owned'\">",
    "' onmouseover='document.title=1", "</style></ol><script>document.title='owned'</script>",
    "\u{202E}desrever\u{0}\u{7}\u{1B}[31m", "日本語のとても長いラベルとその説明",
    "a-label-without-any-place-to-break-it-" + String(repeating: "x", count: 90),
  ]
  private let folder: TemporaryFolder
  private let classifier: ImageClassifier

  init() throws {
    folder = try TemporaryFolder()
    classifier = try ImageClassifier(Checkout.modelFolder("vit"))
  }

  private func page(
    _ paths: [String], labels: [String]? = nil, by other: ImageClassifier? = nil, notes: [String] = []
  ) -> String {
    let pictures = paths.map { path in
      let answer = Result { () throws(ApusError) in
        ShownPicture.Answer(try (other ?? classifier).blocking.classify(.file(path)), notes: notes)
      }
      return ShownPicture(path, answer, limits: .standard, options: .standard)
    }
    return html(pictures, labels)
  }

  private func html(_ pictures: [ShownPicture], _ labels: [String]?) -> String {
    PicturePage(
      pictures,
      PicturePage.Circumstances(
        model: "some/model", preprocessing: classifier.preprocessing, computation: classifier.computation,
        labels: labels, cutLabels: labels.map { Array($0.prefix(1)) } ?? [],
        arguments: ["classify", "a b.png"])
    ).html()
  }

  private func pictures(_ count: Int) throws -> [String] {
    var random = SeededRandom(seed: 5)
    return try (0..<count).map { index in
      let image = try RGBImage(width: 30 + index, height: 20, pixels: random.bytes((30 + index) * 20 * 3))
      return try folder.write(
        "\(index).png", PNGFile.bytes(width: image.width, height: image.height, pixels: image.pixels))
    }
  }

  /// What a reader sees of a page, roughly.
  private func text(_ html: String) -> String {
    html.replacing(/<style>.*?<\/style>/.dotMatchesNewlines(), with: "").replacing(/<[^>]+>/, with: " ")
      .replacing("\u{202F}", with: " ").replacing(/\s+/, with: " ")
  }

  @Test func everyPictureHasItsLabelsAndBars() throws {
    let paths = try pictures(3)
    let html = page(paths)
    let text = text(html)
    for path in paths {
      let best = try classifier.blocking.classify(.file(path)).predictions
      #expect(html.contains(path.split(separator: "/").suffix(2).joined(separator: "/").suffix(5)))
      for prediction in best {
        let percent = Double(prediction.score) * 100
        #expect(text.contains("\(prediction.label) \(String(format: "%.1f", percent)) %"))
        #expect(html.contains("style=\"width:\(String(format: "%.1f", percent))%\""))
      }
    }
    let images = html.matches(of: /<img src="data:image\/jpeg;base64,([^"]+)"/).map(\.1)
    #expect(images.count == 3)
    for image in images {
      let bytes = try #require(Data(base64Encoded: String(image)))
      #expect(try ImageDecoder.decode(Array(bytes)).image.height == 20)
    }
    #expect(text.contains("What 3 pictures show, by model"))
    #expect(html.contains("apus classify &#39;a b.png&#39;"))
  }

  /// A grey picture is like no leaf.
  @Test func aForeignPictureIsOfNoLabel() throws {
    let leaves = try ImageClassifier(Checkout.file("Weights/rice-leaf/rice_v1_float32.tflite").path)
    let grey = try folder.write(
      "grey.png", PNGFile.bytes(width: 64, height: 64, pixels: [UInt8](repeating: 128, count: 64 * 64 * 3)))
    let best = try leaves.blocking.classify(.file(grey))
    try #require(best.uncertainty == .foreign)
    let one = text(page([grey], by: leaves))
    #expect(one.contains("It is unlike all that the model knows.") && !one.contains("best label"))
    let two = text(page([grey, grey], by: leaves))
    #expect(two.contains("The model is certain of none of them."))
    #expect(!two.contains("Labels by the pictures that they are the best of"))
  }

  @Test func uncertainPicturesAreCountedApart() throws {
    var options = ImageClassifier.Options()
    options.threshold = 1
    let doubting = try ImageClassifier(Checkout.modelFolder("vit"), options: options)
    let paths = try pictures(2)
    #expect(text(page(paths, by: doubting)).contains("The model is certain of none of them."))
    #expect(text(page([paths[0]], by: doubting)).contains(", which is uncertain."))
    options.threshold = 0
    let sure = text(
      page([paths[0], paths[0]], by: try ImageClassifier(Checkout.modelFolder("vit"), options: options)))
    #expect(sure.contains(" is the best label of 2 pictures, more than any other."))
    #expect(sure.contains("Label Pictures Share Uncertain Mean score"))
  }

  @Test func aPageSaysWhatIsAdvisedAndWhatWasCut() throws {
    let path = try pictures(1)[0]
    let text = text(page([path], labels: ["a long label"], notes: ["Remove the leaf."]))
    #expect(text.contains("Remove the leaf."))
    #expect(text.contains("Cut, as longer than the model takes a long label"))
  }

  @Test func whatFailedIsListedWithItsReason() throws {
    let text = text(page(try pictures(1) + [folder.path + "/absent.png"]))
    #expect(text.contains("Not classified") && text.contains("absent.png: cannot be opened"))
    #expect(text.contains("picture classified 1") && text.contains("could not be classified 1"))
    let none = self.text(page([folder.path + "/absent.png", folder.path + "/absent.png"]))
    #expect(none.contains("None of them could be classified"))
  }

  @Test func hundredsOfPicturesAreAPage() throws {
    let paths = try pictures(4)
    let html = page((0..<400).map { paths[$0 % 4] })
    #expect(html.matches(of: /<img src=/).count == 400)
    #expect(html.utf8.count < 400 * 20_000)
  }

  @Test func hostileNamesStayText() throws {
    let picture = try pictures(1)[0]
    let paths = try Self.hostile.enumerated().map { index, name in
      let plain = name.replacing("/", with: "").replacing("\u{0}", with: "").prefix(80)
      let path = "\(folder.path)/\(plain)\(index).png"
      try FileManager.default.copyItem(atPath: picture, toPath: path)
      return path
    }
    let html = page(paths + Self.hostile, labels: Self.hostile)
    #expect(!html.contains("<script") && !html.contains("onerror=\""))
    #expect(!html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test(.enabled(if: Browser.isPresent, "no Chromium on this machine"))
  func looksRightInABrowser() throws {
    let paths = try pictures(5) + [folder.path + "/absent.png"]
    let visit = try Browser.visit(page(paths, labels: Self.hostile), widths: [1280, 820, 390, 320])
    #expect(visit.complaints == [])
    for look in visit.looks {
      #expect(look.scrollWidth <= look.width && look.protruding == [], "at \(look.width) pixels")
      #expect(look.requests == [] && look.foreign == [] && look.brokenImages == 0 && look.images == 5)
      #expect(look.title.hasSuffix("Apus"))
    }
  }
}
