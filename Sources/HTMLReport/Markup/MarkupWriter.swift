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

/// Makes any text harmless inside elements and inside quoted attributes.
enum HTMLEscaping {
  static func append(_ text: String, to html: inout String) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": html += "&amp;"
      case "<": html += "&lt;"
      case ">": html += "&gt;"
      case "\"": html += "&quot;"
      case "'": html += "&#39;"
      default: html.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
      }
    }
  }

  /// Control characters and noncharacters are errors in HTML, and a terminal that shows the file may obey them.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: true
    case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: false
    default: scalar.value & 0xFFFE != 0xFFFE
    }
  }
}
