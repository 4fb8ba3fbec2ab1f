/// Writes markup as HTML.
struct MarkupWriter {
  private(set) var html = ""

  mutating func write(_ markup: Markup) {
    switch markup {
    case .text(let text):
      HTMLEscaping.append(text, to: &html)
    case .group(let children):
      for child in children { write(child) }
    case .element(let name, let attributes, let children):
      let name = name.description
      html += "<" + name
      for attribute in attributes { write(attribute) }
      guard !Self.voidElements.contains(name) else { return html += ">" }
      html += ">"
      for child in children { write(child) }
      html += "</" + name + ">"
    }
  }

  private mutating func write(_ attribute: Markup.Attribute) {
    html += " " + attribute.name.description
    guard !attribute.value.isEmpty else { return html += "=\"\"" }
    html += "=\""
    HTMLEscaping.append(attribute.value, to: &html)
    html += "\""
  }

  /// The elements of HTML that have no end tag, as far as pages use them.
  private static let voidElements: Set = ["br", "col", "hr", "img", "meta", "wbr"]
}

extension Markup {
  /// The markup as HTML.
  package var html: String {
    var writer = MarkupWriter()
    writer.write(self)
    return writer.html
  }
}
