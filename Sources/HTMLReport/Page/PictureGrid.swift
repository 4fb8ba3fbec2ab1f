/// Pictures with labels and bars.
extension Markup {
  /// Pictures side by side, as many as there is room for.
  package static func pictures(_ items: [Markup]) -> Markup { .tag("ul", ["class": "pictures"], items) }

  /// A picture with its name, remarks, a bar for each label, and notes below them.
  /// - Parameters:
  ///   - picture: nil where it cannot be shown.
  ///   - bars: labels with shares of 1.
  ///   - isUncertain: whether none of the labels is to be trusted.
  package static func pictureItem(
    _ picture: Markup?, name: String, remarks: [String], bars: [(label: String, share: Double)],
    notes: [String] = [], isUncertain: Bool
  ) -> Markup {
    .tag(
      "li", ["class": isUncertain ? "uncertain" : "sure"],
      [
        picture ?? .tag("div", ["class": "blank"], ["not readable"]),
        .tag("h3", [.outside(name)]),
        remarks.isEmpty ? .none : .tag("p", ["class": "remark"], [.text(remarks.joined(separator: "; "))]),
        .tag("ol", bars.map(bar)),
      ] + notes.map { .tag("p", [.outside($0)]) })
  }

  /// The number says it to those who do not see the bar.
  private static func bar(_ label: String, _ share: Double) -> Markup {
    let width = NumberText.plain(min(max(share.isFinite ? share : 0, 0), 1) * 100, 1)
    return .tag(
      "li",
      [
        .tag("span", [.outside(label)]),
        .tag("span", ["class": "number"], [.text(NumberText.percent(share))]),
        .tag(
          "span", ["class": "bar", "aria-hidden": "true"], [.tag("span", ["style": "width:\(width)%"], [])]),
      ])
  }
}
