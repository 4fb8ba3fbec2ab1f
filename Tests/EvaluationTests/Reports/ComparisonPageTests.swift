import Evaluation
import Foundation
import Images
import Statistics
import TestSupport
import Testing

/// The page of a comparison says what the report does, to readers of any screen, whatever the labels are.
@Suite struct ComparisonPageTests {
  /// Labels that would break out of any context of a page, if one of them were not escaped.
  private static let hostile = [
    "<script>document.title='owned'</script>", "\"><img src=x onerror=\"document.title='owned'\">",
    "' onmouseover='document.title=1", "</title></style></svg><script>document.title='owned'</script>",
    "]]><!-- -->", "\u{202E}desrever\u{0}\u{7}\u{1B}[31m", "&lt;b&gt; & co", "javascript:alert(1)",
    "日本語のとても長いラベルとその説明", "a-label-without-any-place-to-break-it-" + String(repeating: "x", count: 90),
  ]

  @Test func headlineSaysWhatChangedAndWhatItIsWorth() {
    let html = ComparisonPage(SampleReport().report()).html()
    let text = Self.text(of: html)
    #expect(text.contains("mobilenet_v2_int8.tflite loses 0.5 points, which may be chance (p = 0.62)"))
    #expect(text.contains("2.1 times faster and 3.6 times smaller"))
    #expect(
      text.contains(
        "16 answers that only one has right would split at least this unevenly in 80 of 100 cases. McNemar’s test: p = 0.62."
      )
    )
  }

  @Test func severalModelsAreEachComparedWithTheFirst() {
    var sample = SampleReport()
    sample.modelNames = ["float.tflite", "int8.tflite", "half.tflite"]
    let text = Self.text(of: ComparisonPage(sample.report()).html())
    #expect(text.contains("Beside float.tflite, int8.tflite and half.tflite differ by what may be chance"))
  }

  /// Of three models the other two stand beside each other too, and each changed sample has all three answers.
  @Test func theOtherTwoOfThreeModelsAreComparedAsWell() throws {
    var sample = SampleReport()
    sample.modelNames = ["float.tflite", "int8.tflite", "half.tflite"]
    let report = sample.report()
    let flips = try #require(report.furtherPairs.first).flips
    let html = ComparisonPage(report).html()
    let text = Self.text(of: html)
    // Key figures, and the list of changed answers.
    #expect(text.components(separatedBy: "C half.tflite beside B int8.tflite").count == 3)
    let lost = flips.count { $0.kind == .becameWrong }, gained = flips.count { $0.kind == .becameRight }
    #expect(text.contains("\(lost) became wrong, \(gained) right"))
    let list = try #require(html.components(separatedBy: "<caption>Answers that changed: C beside B").last)
    let body = try #require(list.components(separatedBy: "</tbody>").first)
    #expect(body.components(separatedBy: "<tr>").count == flips.count + 2)
    let gallery = try #require(html.components(separatedBy: "<ul class=\"gallery\">").dropFirst().first)
    let items =
      gallery.components(separatedBy: "</ul>")[0].components(separatedBy: "class=\"letter ").count - 1
    #expect(items == 3 * min(report.pairs[0].flips.count, 48))
    // Who agrees: samples of one kind can be sorted together.
    let first = try #require(flips.first).sample
    let answers = report.models.map { $0.answers[first] }
    let parties =
      answers[0] == answers[1] ? "AB C" : answers[0] == answers[2] ? "AC B" : "A B C"
    #expect(text.contains("Agree") && text.contains(parties))
  }

  @Test func aMarginIsAnsweredInTheHeadline() {
    var sample = SampleReport()
    sample.margin = 0.1
    let text = Self.text(of: ComparisonPage(sample.report()).html())
    #expect(text.contains("within the margin of 10 points"))
    sample.margin = 0.01
    #expect(
      Self.text(of: ComparisonPage(sample.report()).html()).contains(
        "and is not known to be within 1 point"))
  }

  /// One answer can be divided in no other way, and 4 to none in two of 16, whatever the approximate test says.
  @Test(arguments: [
    (0, 1, "1 answer", "always"), (4, 0, "4 answers", "in 12 of 100 cases"),
    (3, 9, "12 answers", "in 15 of 100 cases"),
  ])
  func splitsAreCountedExactly(lost: Int, gained: Int, answers: String, often: String) {
    var report = SampleReport().report()
    let before = [Bool](repeating: true, count: lost) + [Bool](repeating: false, count: gained)
    let rest = [Bool](repeating: true, count: 400 - before.count)
    report.pairs[0].accuracy = PairedAccuracy(PairedOutcomes(before + rest, before.map { !$0 } + rest))
    let text = Self.text(of: ComparisonPage(report).html())
    let words =
      "If both were equally good, \(answers) that only one has right would split at least this unevenly"
    #expect(text.contains("\(words) \(often)."))
    #expect(text.contains("by the count of splits it is not") == (lost == 4))
  }

  /// Inputs are no layers, and the text does not count them either.
  @Test func layersAreCountedWithoutInputs() {
    var report = SampleReport().report()
    var input = report.layers[0].rows[0]
    (input.position, input.baselineLabel) = (-1, "picture")
    report.layers[0].rows.append(input)
    let html = ComparisonPage(report).html()
    #expect(report.layers[0].matched == 66 && Self.text(of: html).contains("66 matched layers"))
    #expect(!html.contains("<bdi>picture</bdi>"))
  }

  @Test func fourModelsAreOneSentence() {
    var sample = SampleReport()
    sample.modelNames = ["a", "b", "c", "d"]
    var report = sample.report()
    report.models[3].cost.byteCount = 1_000_000
    report.pairs[0].flips = []
    report.pairs[0].accuracy = Self.accuracy(lost: 0, gained: 0)
    report.pairs[1].accuracy = Self.accuracy(lost: 20, gained: 0)
    report.pairs[2].accuracy = Self.accuracy(lost: 3, gained: 2)
    func headline() -> String {
      let text = Self.text(of: ComparisonPage(report).html())
      return String(text.split(separator: "Apus · model comparison")[1].split(separator: "A a ·")[0])
    }
    #expect(
      headline().contains(
        "Beside a, b gives the same answers; c loses 5.0 points beyond chance; d differs by what may be chance; d is the smallest"
      ))
    report.pairs[2].accuracy = Self.accuracy(lost: 30, gained: 0)
    #expect(headline().contains("c and d lose 5.0 and 7.5 points beyond chance"))
    report.data.isLabelled = false
    #expect(headline().contains("Beside a, the same answer is given by b for"))
  }

  private static func accuracy(lost: Int, gained: Int) -> PairedAccuracy {
    let before = [Bool](repeating: true, count: lost) + [Bool](repeating: false, count: gained)
    let rest = [Bool](repeating: true, count: 400 - before.count)
    return PairedAccuracy(PairedOutcomes(before + rest, before.map { !$0 } + rest))
  }

  /// Times that chance makes are no headline.
  @Test func equalSpeedIsSaidAsSuch() {
    var report = SampleReport().report()
    report.pairs[0].speed = SpeedRatio(
      baseline: report.models[0].cost.runMilliseconds,
      other: report.models[0].cost.runMilliseconds.map { $0 * 1.01 })
    let text = Self.text(of: ComparisonPage(report).html())
    #expect(text.contains("it is as fast and 3.6 times smaller") && !text.contains("1.0×"))
  }

  @Test func copiesAndABusyMachineAreSaid() {
    var report = SampleReport().report()
    report.data.copies = CopyReport(groups: [Array(0..<9)], sampleCount: 400)
    report.provenance.otherLoad = 0.5
    report.furtherPairs = [
      ModelPair(
        first: 0, second: 1, agreement: Proportion(390, of: 400), accuracy: report.pairs[0].accuracy,
        flips: report.pairs[0].flips, speed: nil, verdict: "")
    ]
    let text = Self.text(of: ComparisonPage(report).html())
    #expect(text.contains("8 of the 400 samples look or read like others: 392 are left"))
    #expect(text.contains("Other programs used 50 % of this machine"))
    #expect(text.contains("The other pairs") && text.contains("not significant"))
  }

  @Test func numbersThatAreNotFiniteAreCounted() {
    var report = SampleReport().report()
    report.layers[0].rows[0].difference = ValueDifference(
      signalToNoise: -.infinity, cosine: .nan, gain: .nan, greatestError: .infinity, meanError: .infinity,
      baselineRange: 6, count: 100, notFinite: 3)
    #expect(Self.text(of: ComparisonPage(report).html()).contains("not finite (3)"))
  }

  @Test func withoutLabelsThereIsAgreementOnly() {
    var sample = SampleReport()
    sample.isLabelled = false
    let text = Self.text(of: ComparisonPage(sample.report()).html())
    #expect(text.contains("gives the answer of mobilenet_v2_float.tflite for"))
    for absent in ["Accuracy", "Confusions", "Class by class", "McNemar"] { #expect(!text.contains(absent)) }
  }

  @Test func culpritsComeBehindTheVerdict() throws {
    var sample = SampleReport()
    sample.culprits = [
      Culprit(
        kind: .labelOffset, model: 1, certainty: .found, statement: "Every class has its neighbour’s name.",
        advice: "Leave out the first line of the labels.",
        evidence: [.init(name: "accuracy after a shift", value: 0.71)])
    ]
    let text = Self.text(of: ComparisonPage(sample.report()).html())
    let culprit = try #require(text.range(of: "Every class has its neighbour’s name."))
    let verdict = try #require(text.range(of: "Is it real?"))
    let confidence = try #require(text.range(of: "Confidence"))
    #expect(verdict.upperBound < culprit.lowerBound && culprit.upperBound < confidence.lowerBound)
    #expect(text.contains("accuracy after a shift 0.7100"))
  }

  @Test func timesOfADebugBuildAreNotQuoted() {
    var report = SampleReport().report()
    report.provenance.isOptimized = false
    let text = Self.text(of: ComparisonPage(report).html())
    #expect(text.contains("These times say nothing") && !text.contains("faster"))
    #expect(text.contains("it is 3.6 times smaller"))
  }

  @Test func changedPicturesAreShownSmallOrBlank() throws {
    let folder = try TemporaryFolder()
    let picture = try folder.write("noise.jpg", Self.noise(width: 640, height: 480))
    var sample = SampleReport()
    sample.content = { .picture($0.isMultiple(of: 2) ? picture : folder.path + "/absent.jpg") }
    let report = sample.report()
    let html = ComparisonPage(report).html()
    let shown = report.pairs[0].flips.prefix(48)
    let sources = html.matches(of: /src="data:image\/jpeg;base64,([^"]+)"/).map(\.1)
    #expect(sources.count == shown.count { $0.sample.isMultiple(of: 2) })
    #expect(!sources.isEmpty)
    for source in sources {
      let bytes = try #require(Data(base64Encoded: String(source)))
      #expect(bytes.count <= 8000)
      #expect(try ImageDecoder.decode(Array(bytes)).image.width == 192)
    }
    #expect(html.contains("not readable"))
  }

  /// Red of which nothing is to be seen over white.
  @Test func transparentPicturesAreShownAsModelsSawThem() throws {
    let folder = try TemporaryFolder()
    let side = 16
    let pixels = (0..<side * side).flatMap { _ -> [UInt8] in [255, 0, 0, 0] }
    let picture = try folder.write(
      "clear.png", PNGFile.bytes(width: side, height: side, pixels: pixels, hasAlpha: true))
    var sample = SampleReport()
    sample.content = { _ in .picture(picture) }
    let shown: [(transparency: ImageOptions.Transparency, green: Int)] = [
      (.ignored, 0), (.over(.white), 255),
    ]
    for (transparency, green) in shown {
      var report = sample.report()
      report.data.transparency = transparency
      let html = ComparisonPage(report).html()
      let source = try #require(html.firstMatch(of: /src="data:image\/jpeg;base64,([^"]+)"/))
      let bytes = try #require(Data(base64Encoded: String(source.1)))
      let image = try ImageDecoder.decode(Array(bytes)).image
      let difference = abs(Int(image.pixels[1]) - green)
      #expect(difference < 16, "\(transparency)")
    }
  }

  @Test func tooManyFlipsAreCountedInsteadOfShown() {
    var sample = SampleReport()
    sample.disturbance = 0.9
    let report = sample.report()
    let text = Self.text(of: ComparisonPage(report).html())
    #expect(
      text.contains("\(report.pairs[0].flips.count - 48) pictures more with a changed answer left out."))
  }

  @Test func textsAreQuoted() {
    var sample = SampleReport()
    sample.task = .textClassification
    sample.content = { .text("<b>\($0)</b> " + String(repeating: "word ", count: 100)) }
    let html = ComparisonPage(sample.report()).html()
    #expect(html.contains("<blockquote><bdi>&lt;b&gt;"))
    #expect(Self.text(of: html).contains("word…") || Self.text(of: html).contains("word …"))
  }

  @Test func hostileLabelsStayText() {
    var sample = SampleReport()
    sample.classes = Self.hostile
    sample.modelNames = Array(Self.hostile[0...1])
    sample.content = { .picture("\(Self.hostile[$0 % Self.hostile.count])/\($0).jpg") }
    let html = ComparisonPage(sample.report()).html()
    // The one script is the page's own, behind all that is said.
    let scripts = html.components(separatedBy: "<script")
    #expect(scripts.count == 2 && scripts[1].hasPrefix(">\"use strict\";"))
    #expect(!html.contains("onerror=\""))
    #expect(!html.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test(.enabled(if: Browser.isPresent, "no Chromium on this machine"))
  func looksRightInABrowser() throws {
    let folder = try TemporaryFolder()
    let picture = try folder.write("noise.jpg", Self.noise(width: 300, height: 500))
    var sample = SampleReport()
    sample.content = { _ in .picture(picture) }
    let visit = try Browser.visit(ComparisonPage(sample.report()).html(), widths: [1280, 820, 390, 320])
    try Self.check(visit, drawings: 9)
    #expect(visit.looks.allSatisfy { $0.images > 10 && $0.brokenImages == 0 })
  }

  /// The table of all samples stacks its rows on a phone, and is a table elsewhere.
  @Test(.enabled(if: Browser.isPresent, "no Chromium on this machine"))
  func answersOfThreeModelsFitOnAPhone() throws {
    var sample = SampleReport()
    sample.modelNames.append("mobilenet_v2_fp16.tflite")
    let visit = try Browser.visit(
      ComparisonPage(sample.report()).html(), widths: [1280, 390, 320],
      deed: """
        for (const details of page.querySelectorAll("details")) details.open = true;
        const table = page.querySelector("[aria-label='All samples']");
        const head = getComputedStyle(table.querySelector("tbody td"), "::before").content;
        return head + (table.scrollWidth > table.clientWidth ? " and wider than its frame" : "");
        """)
    #expect(visit.looks.allSatisfy { $0.scrollWidth <= $0.width })
    #expect(visit.looks.map(\.answer) == ["none", "\"Is\"", "\"Is\""])
  }

  @Test(.enabled(if: Browser.isPresent, "no Chromium on this machine"))
  func hostileLabelsDoNothingInABrowser() throws {
    var sample = SampleReport()
    sample.classes = Self.hostile
    sample.modelNames = Array(Self.hostile[0...1])
    sample.content = { .picture("\(Self.hostile[$0 % Self.hostile.count])/\($0).jpg") }
    let visit = try Browser.visit(ComparisonPage(sample.report()).html(), widths: [1280, 390])
    try Self.check(visit, drawings: 9)
    #expect(visit.looks.allSatisfy { $0.title.hasSuffix("Apus comparison") })
  }

  // MARK: Support

  private static func check(_ visit: Browser.Visit, drawings: Int) throws {
    #expect(visit.complaints == [])
    for look in visit.looks {
      #expect(look.scrollWidth <= look.width, "at \(look.width) pixels")
      #expect(look.protruding == [], "at \(look.width) pixels")
      #expect(look.requests == [] && look.foreign == [])
      #expect(look.drawings >= drawings)
      #expect(look.smallestText >= (look.width < 360 ? 8.5 : 10))
    }
  }

  /// What a reader sees of a page, roughly: elements are left out, spaces made one.
  private static func text(of html: String) -> String {
    html.replacing(/<style>.*?<\/style>/.dotMatchesNewlines(), with: "").replacing(/<[^>]+>/, with: "")
      .replacing("\u{202F}", with: " ").replacing(/[\s\u{A0}]+/, with: " ")
  }

  private static func noise(width: Int, height: Int) throws -> [UInt8] {
    var random = SeededRandom(seed: 3)
    let image = try RGBImage(width: width, height: height, pixels: random.bytes(width * height * 3))
    return try #require(try JPEGEncoder.encode(image, quality: 90, maximumBytes: 1 << 22))
  }
}
