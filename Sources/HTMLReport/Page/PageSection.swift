/// The parts that pages are put together from.
extension Markup {
  /// The head of a page: what it is about, what was found, and the circumstances.
  package static func masthead(kicker: [Markup], headline: [Markup], standfirst: [Markup]) -> Markup {
    .tag(
      "header",
      [
        .tag("p", ["class": "kicker"], kicker), .tag("h1", headline),
        .tag("p", ["class": "standfirst"], standfirst),
      ])
  }

  /// A section: its heading and what it answers stand beside its content where there is room.
  package static func section(_ heading: String, about: [Markup] = [], _ content: [Markup]) -> Markup {
    .tag(
      "section",
      [
        .tag(
          "div", ["class": "margin"],
          [.tag("h2", [.text(heading)]), about.isEmpty ? .none : .tag("p", about)]),
        .tag("div", ["class": "content"], content),
      ])
  }

  package static func paragraph(_ content: [Markup]) -> Markup { .tag("p", content) }

  /// A remark of lesser weight.
  package static func note(_ content: [Markup]) -> Markup { .tag("p", ["class": "note"], content) }

  package static func strong(_ content: [Markup]) -> Markup { .tag("strong", content) }

  /// Numbers worth a glance before anything is read.
  package static func keyFigures(_ figures: [(value: String, meaning: [Markup])]) -> Markup {
    .tag(
      "dl", ["class": "figures"],
      figures.map { .tag("div", [.tag("dt", $0.meaning), .tag("dd", [.text($0.value)])]) })
  }

  /// Something the reader must know before the rest.
  package static func warning(_ heading: String, _ content: [Markup]) -> Markup {
    .tag("div", ["class": "warning"], [.tag("h3", [.text(heading)])] + content)
  }

  /// Names and what is said of each.
  package static func facts(_ facts: [(name: String, value: [Markup])]) -> Markup {
    .tag(
      "dl", ["class": "facts"],
      facts.map { .tag("div", [.tag("dt", [.text($0.name)]), .tag("dd", $0.value)]) })
  }

  /// Things side by side, as many as there is room for.
  package static func columns(_ items: [Markup]) -> Markup { .tag("div", ["class": "columns"], items) }

  /// Pictures with what is to be said of each.
  package static func gallery(_ items: [Markup]) -> Markup { .tag("ul", ["class": "gallery"], items) }

  /// Content that is collapsed at first.
  package static func details(_ summary: String, _ content: [Markup]) -> Markup {
    .tag("details", [.tag("summary", [.text(summary)])] + content)
  }
}
