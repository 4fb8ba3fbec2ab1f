import Foundation
import TestSupport
import Testing

@testable import ApusService

/// The page of a monitor, in a real browser where there is one, and with numbers that no monitor has.
@Suite struct DashboardTests {
  private let clock = FakeClock()

  /// Three models in a busy hour: one that keeps to its target, one that does not, one that was never used.
  private var busy: PerformanceSnapshot {
    let monitor = clock.monitor
    monitor.register("a leaf's disease", target: .milliseconds(50))
    monitor.register(
      "scenes/<b>vision</b>-with-a-long-name-that-does-not-fit-anywhere", target: .milliseconds(120))
    monitor.register("never used")
    let leaf = monitor.recorder(for: "a leaf's disease")
    let scenes = monitor.recorder(for: "scenes/<b>vision</b>-with-a-long-name-that-does-not-fit-anywhere")
    leaf.memoryByteCount = 17 << 20
    for second in 0..<3600 {
      leaf.record(.decode, .microseconds(900 + second % 300))
      leaf.record(.run, .milliseconds(20 + second * second % 13))
      leaf.record(.total, .milliseconds(22 + second * second % 13))
      if second > 1800 { scenes.record(.total, .milliseconds(150 + second / 8 % 200)) }
      clock.seconds += 1
    }
    scenes.recordFailure()
    return monitor.snapshot()
  }

  @Test func thePageSaysWhatTheSnapshotHas() {
    let page = busy.html()
    #expect(page.contains("<bdi>scenes/<wbr>&lt;b&gt;vision&lt;/<wbr>b&gt;") && !page.contains("<b>vision"))
    #expect(page.contains("misses its target") && page.contains("Critical"))
    #expect(page.contains("It has not run."))
    #expect(page.contains("3600") && page.contains("17.0\u{202F}MiB"))
    #expect(page.contains("has no energy counters"))
  }

  @Test(.enabled(if: Browser.isPresent, "no Chromium on this machine")) func itFitsLaptopAndPhone() throws {
    let visit = try Browser.visit(busy.html(), widths: [1280, 390])
    #expect(visit.complaints == [])
    for look in visit.looks {
      #expect(look.scrollWidth <= look.width && look.protruding == [])
      #expect(look.drawings == 5 && look.smallestText >= 10)
      #expect(look.requests == [] && look.foreign == [] && look.title == "Performance – Apus")
    }
  }

  @Test func energyIsSharedAmongInferences() throws {
    let folder = try TemporaryFolder()
    try folder.write("intel-rapl:0/name", "package-0")
    try folder.write("intel-rapl:0/energy_uj", "1000000")
    try folder.write("intel-rapl:0/max_energy_range_uj", "262143328850")
    let monitor = PerformanceMonitor(MonitorCommons(clock: clock.clock, powerFolder: folder.path))
    monitor.recorder(for: "leaf").record(50, milliseconds: 20)
    try folder.write("intel-rapl:0/energy_uj", "31000000")
    clock.seconds += 2
    let page = monitor.snapshot().html()
    #expect(page.contains("15.0\u{202F}W") && page.contains("package-0 30.00 J"))
    #expect(page.contains("at most 0.600\u{202F}J"))
  }

  @Test func headlines() {
    let monitor = clock.monitor
    #expect(monitor.snapshot().html().contains("No model has run"))
    monitor.recorder(for: "leaf").record(60, milliseconds: 20)
    #expect(monitor.snapshot().html().contains("1 model, none with a target"))
    monitor.register("leaf", target: .milliseconds(50))
    #expect(monitor.snapshot().html().contains("keeps to its target"))
    monitor.register("other", target: .milliseconds(50))
    monitor.recorder(for: "other").record(60, milliseconds: 20)
    #expect(monitor.snapshot().html().contains("All 2 models keep to their targets"))
  }

  @Test func aModelThatIsLateIsNotPraisedBeforeThereIsAnAlert() {
    let monitor = clock.monitor
    monitor.register("leaf", target: .milliseconds(50))
    monitor.recorder(for: "leaf").record(1, milliseconds: 20)
    monitor.recorder(for: "leaf").record(19, milliseconds: 80)
    #expect(monitor.snapshot().alerts == [])
    let page = monitor.snapshot().html()
    #expect(page.contains(" misses its target") && !page.contains("keeps to its target"))
  }

  /// A file may say anything: each number in turn becomes one that nobody measures, and the page is drawn.
  @Test func numbersThatNobodyMeasures() throws {
    let monitor = clock.monitor
    monitor.register("leaf", target: .milliseconds(50))
    monitor.recorder(for: "leaf").record(60, milliseconds: 80)
    monitor.recorder(for: "leaf").record(3, milliseconds: 90)
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let text = String(decoding: try encoder.encode(monitor.snapshot()), as: UTF8.self)
    let numbers = text.matches(of: /:(-?[0-9][0-9.e+-]*)/).map { $0.output.1 }
    #expect(numbers.count > 50)
    var drawn = 0
    for number in numbers {
      for nonsense in ["0", "-1", "1e308", "-1e308", "1e-320", "18446744073709551615", "9223372036854775807"]
      {
        let damaged = text[..<number.startIndex] + nonsense + text[number.endIndex...]
        guard let snapshot = try? PerformanceSnapshot(json: Array(damaged.utf8)) else { continue }
        #expect(snapshot.html().hasSuffix("</html>\n"))
        drawn += 1
      }
    }
    #expect(drawn > 200)
  }

  @Test(arguments: [
    (0, "1970-01-01 00:00:00 UTC"), (1_795_374_331.9, "2026-11-22 19:05:31 UTC"), (-1, "–"), (.infinity, "–"),
    (.nan, "–"), (253_402_300_799, "9999-12-31 23:59:59 UTC"), (253_402_300_800, "–"),
  ])
  func moments(_ seconds: Double, _ text: String) {
    #expect(MomentText.utc(seconds) == text)
  }

  @Test(arguments: [
    (0.25, "250\u{202F}ms"), (75, "1\u{202F}min 15\u{202F}s"), (4321, "1\u{202F}h 12\u{202F}min"),
    (90_000, "1\u{202F}d 1\u{202F}h"), (.infinity, "∞\u{202F}s"),
  ])
  func spans(_ seconds: Double, _ text: String) {
    #expect(MomentText.span(seconds) == text)
  }
}
