/// A table with a heading for each column, and for each row in its first cell.
package struct DataTable: Sendable {
  package enum Alignment: String, Sendable { case text, number }

  private let caption: String
  private let isSortable: Bool
  private let columns: [(title: [Markup], alignment: Alignment)]
  private let stackedHeads: [String]
  private var rows: [[[Markup]]] = []

  /// - Parameters:
  ///   - isSortable: whether readers may sort the rows by a column: rows of one kind, whose order is a choice.
  ///   - stackedHeads: short headings of the columns behind the first, for a table of many: on narrow screens its rows
  ///     are set below one another, the first cell above the others, each of which has its heading with it.
  package init(
    caption: String, isSortable: Bool = false, stackedHeads: [String] = [],
    _ columns: [(title: [Markup], alignment: Alignment)]
  ) {
    self.caption = caption
    self.isSortable = isSortable
    self.stackedHeads = stackedHeads
    self.columns = columns
  }

  /// Adds a row; cells beyond the columns are left out.
  package mutating func append(_ cells: [[Markup]]) { rows.append(Array(cells.prefix(columns.count))) }

  package var isEmpty: Bool { rows.isEmpty }

  /// The table in a frame that scrolls by itself where the table is wider than the page.
  package var markup: Markup {
    let head = columns.map { column -> Markup in
      // A corner that says nothing is no heading.
      column.title.isEmpty
        ? .tag("td", ["class": column.alignment.rawValue])
        : .tag("th", ["scope": "col", "class": column.alignment.rawValue], column.title)
    }
    return .tag(
      "div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption],
      [
        .tag(
          "table", classes.isEmpty ? [:] : ["class": classes.joined(separator: " ")],
          [
            .tag("caption", [.text(caption)]), .tag("thead", [.tag("tr", head)]),
            .tag("tbody", rows.map { .tag("tr", cells(of: $0)) }),
          ])
      ])
  }

  private var classes: [String] {
    (isSortable && rows.count > 1 ? [Self.sortableClass] : []) + (stackedHeads.isEmpty ? [] : ["stacked"])
  }

  /// By this the page's script finds what to sort.
  fileprivate static let sortableClass = "sortable"

  private func cells(of row: [[Markup]]) -> [Markup] {
    zip(row, columns).enumerated().map { index, cell in
      let style = cell.1.alignment.rawValue
      guard index > 0 else { return .tag("th", ["scope": "row", "class": style], cell.0) }
      guard stackedHeads.indices.contains(index - 1) else { return .tag("td", ["class": style], cell.0) }
      return .tag("td", ["class": style, "data-head": stackedHeads[index - 1]], cell.0)
    }
  }
}

extension Markup {
  /// Whether some table in it can be sorted.
  var hasSortableTable: Bool {
    switch self {
    case .text: false
    case .group(let children): children.contains(where: \.hasSortableTable)
    case .element(_, let attributes, let children):
      attributes.contains {
        $0.name.description == "class"
          && $0.value.split(separator: " ").contains { $0 == DataTable.sortableClass }
      }
        || children.contains(where: \.hasSortableTable)
    }
  }
}
