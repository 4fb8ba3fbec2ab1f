import HTMLReport
import Testing

/// Whatever is put into markup comes out as text.
@Suite struct MarkupTests {
  @Test(arguments: [
    ("<b>&\"'", "&lt;b&gt;&amp;&quot;&#39;"), ("a\u{0}b\u{1B}c\u{85}", "a\u{FFFD}b\u{FFFD}c\u{FFFD}"),
    ("one\ntwo\tthree", "one\ntwo\tthree"), ("æ 日 🙂", "æ 日 🙂"),
  ])
  func textIsEscaped(_ text: String, _ escaped: String) {
    #expect(Markup.tag("p", ["title": text], [.text(text)]).html == "<p title=\"\(escaped)\">\(escaped)</p>")
  }

  @Test(arguments: [0xFDD0, 0xFFFE, 0x1FFFF, 0x10FFFE] as [UInt32])
  func noncharactersAreReplaced(_ value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(Markup.text(String(scalar)).html == "\u{FFFD}")
  }

  @Test func textFromOutsideKeepsToItself() {
    #expect(Markup.outside("a<b").html == "<bdi>a&lt;b</bdi>")
    #expect(Markup.outside("a_long/name@v1.0").html == "<bdi>a_<wbr>long/<wbr>name@<wbr>v1.0</bdi>")
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
