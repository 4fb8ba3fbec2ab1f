import HTMLReport
import TestSupport
import Testing

/// A page of all charts in a real browser; and the checks themselves, which must be able to fail.
@Suite(.enabled(if: Browser.isPresent, "no Chromium on this machine")) struct ChartPageTests {
  @Test func chartsFitLaptopAndPhone() throws {
    let figures = SampleCharts.sound(label: { "a longer label for \($0)" }).map { chart in
      Markup.figure(chart, caption: ["What it shows."])
    }
    let page = Page(title: "Charts", body: [.section("Charts", about: ["All kinds."], figures)])
    let visit = try Browser.visit(page.html, widths: [1280, 390])
    #expect(visit.complaints == [])
    for look in visit.looks {
      #expect(look.scrollWidth <= look.width && look.protruding == [])
      #expect(look.drawings == figures.count && look.smallestText >= 10)
      #expect(look.requests == [] && look.foreign == [])
    }
  }

  @Test func faultsOfAPageAreNoticed() throws {
    let visit = try Browser.visit(
      """
      <!DOCTYPE html><meta charset="utf-8"><title>bad</title><body style="margin:0">
      <div class="broad" style="width:1000px">x</div><img src="http://nowhere.invalid/x.png">
      <svg viewBox="0 0 100 10" width="50"><text font-size="8">small</text></svg><b onclick="">x</b>
      <script>console.error("complaint")</script>
      """, widths: [390])
    let look = try #require(visit.looks.first)
    #expect(look.width == 390 && look.scrollWidth == 1000)
    #expect(look.protruding.contains("div.broad"))
    #expect(look.brokenImages == 1 && look.requests == ["http://nowhere.invalid/x.png"])
    #expect(look.smallestText < 9 && look.foreign.contains("script.") && look.foreign.contains("b."))
    #expect(visit.complaints.contains { $0.contains("complaint") })
  }
}
