import HTMLReport
import Testing

/// Whatever is put into markup comes out as text.
@Suite struct MarkupTests {
  @Test(arguments: [
    ("<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;"), ("a\u{0}b\u{1B}c", "a\u{FFFD}b\u{FFFD}c"),
    ("one\ntwo\tthree", "one\ntwo\tthree"),
    ("\u{FFFE}\u{1FFFF}\u{FDD0}\u{85}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ("æ 日 🙂", "æ 日 🙂"),
  ])
  func textIsEscaped(_ text: String, _ escaped: String) {
    #expect(Markup.tag("p", ["title": text], [.text(text)]).html == "<p title=\"\(escaped)\">\(escaped)</p>")
  }

  @Test func textFromOutsideKeepsToItself() {
    #expect(Markup.outside("a<b").html == "<bdi>a&lt;b</bdi>")
  }

  @Test func elementsWithoutContentHaveNoEnd() {
    #expect(Markup.tag("br").html == "<br>")
    #expect(Markup.tag("td").html == "<td></td>")
  }

  @Test func pagesForbidWhatTheyDoNotNeed() {
    let html = Page(title: "</title><script>", body: [.paragraph(["text"])]).html
    #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en-GB\">"))
    #expect(html.contains("content=\"default-src &#39;none&#39;; img-src data:"))
    #expect(html.contains("<title>&lt;/title&gt;&lt;script&gt;</title>"))
    #expect(!html.contains("<script") && !html.contains("url(") && !html.contains("http:"))
  }

  @Test func tablesHaveHeadings() {
    var table = DataTable(caption: "Numbers", [(["Name"], .text), (["Value"], .number)])
    table.append([["one"], ["1"], ["left out"]])
    #expect(
      table.markup.html.contains(
        #"<th scope="row" class="text">one</th><td class="number">1</td></tr></tbody>"#))
  }
}
