import HTMLReport
import TestSupport
import Testing

@Suite struct SortableTableTests {
  private func page(isSortable: Bool) -> Page {
    var table = DataTable(
      caption: "Numbers", isSortable: isSortable, [(["Name"], .text), (["Size"], .number)])
    // As pages print them: a true minus sign, narrow spaces between thousands and before units, remarks.
    let sizes = ["2\u{202F}MiB", "–", "1\u{202F}230\u{202F}KiB", "−3\u{202F}B", "10\u{202F}B"]
    for (name, size) in zip(["sample 10", "sample 9", "a", "C", "b"], sizes) {
      table.append([[.outside(name)], [.text(size), .tag("small", ["99 of 100"])]])
    }
    return Page(title: "Sorting", body: [.section("Sorting", about: ["A table."], [table.markup])])
  }

  @Test func onlyPagesThatSortHaveAScript() {
    #expect(!page(isSortable: false).html.contains("script"))
    let html = page(isSortable: true).html
    #expect(html.split(separator: "<script>").count == 2)
    #expect(html.contains("script-src &#39;sha256-"))
  }

  @Test(.enabled(if: Browser.isPresent, "no Chromium on this machine"))
  func aBrowserSortsByAnyColumn() throws {
    let visit = try Browser.visit(
      page(isSortable: true).html, widths: [1280],
      deed: """
        const orders = [];
        for (const button of page.querySelectorAll("thead button")) {
          for (let click = 0; click < 3; click++) {
            button.click();
            const names = [...page.querySelectorAll("tbody th")].map((cell) => cell.textContent);
            const heads = [...page.querySelectorAll("thead th")].map((cell) => cell.getAttribute("aria-sort") ?? "none");
            orders.push(names.join(",") + " " + heads.join(","));
          }
        }
        return orders.join("\\n");
        """)
    #expect(visit.complaints == [])
    let look = try #require(visit.looks.first)
    #expect(look.foreign == [] && look.requests == [])
    #expect(
      look.answer.split(separator: "\n") == [
        "a,b,C,sample 9,sample 10 ascending,none", "sample 10,sample 9,C,b,a descending,none",
        "sample 10,sample 9,a,C,b none,none", "C,b,a,sample 10,sample 9 none,ascending",
        "sample 10,a,b,C,sample 9 none,descending", "sample 10,sample 9,a,C,b none,none",
      ])
  }
}
