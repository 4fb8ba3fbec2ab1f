/// A piece of a page: HTML, or the SVG inside it.
///
/// There is no way to put unescaped text into it. Names of elements and attributes are fixed in the source, and
/// whatever comes from outside is text or the value of an attribute.
package indirect enum Markup: Sendable {
  case text(String)
  case element(StaticString, [Attribute], [Markup])
  case group([Markup])

  package struct Attribute: Sendable {
    let name: StaticString
    let value: String
  }

  package static func tag(
    _ name: StaticString, _ attributes: KeyValuePairs<StaticString, String> = [:], _ children: [Markup] = []
  ) -> Markup {
    .element(name, attributes.map { Attribute(name: $0.key, value: $0.value) }, children)
  }

  package static func tag(_ name: StaticString, _ children: [Markup]) -> Markup { tag(name, [:], children) }

  /// Text from outside, such as a label: whatever direction it is written in, it does not disturb its
  /// neighbours. Long names may be broken where their parts join.
  package static func outside(_ text: String) -> Markup {
    guard text.count > 12 else { return tag("bdi", [.text(text)]) }
    var parts: [Markup] = []
    for part in text.split(omittingEmptySubsequences: false, whereSeparator: { "_/@".contains($0) }) {
      let separator = part.endIndex < text.endIndex ? String(text[part.endIndex]) : ""
      parts += [.text(part + separator), separator.isEmpty ? .none : .tag("wbr")]
    }
    return tag("bdi", parts)
  }

  /// Nothing.
  package static var none: Markup { .group([]) }
}

extension Markup: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self = .text(value) }
}

extension Markup: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: Markup...) { self = .group(elements) }
}
