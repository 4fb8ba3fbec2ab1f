/// Columns of text for people.
package struct Table {
  package enum Alignment { case left, right }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  package init(_ columns: [(String, Alignment)]) {
    self.columns = columns.map { (title: $0.0, alignment: $0.1) }
  }

  package mutating func append(_ cells: [String]) { rows.append(cells) }

  /// The lines: titles, then rows, columns two spaces apart.
  package var lines: [String] {
    let titles = columns.map(\.title)
    let all = (titles.allSatisfy(\.isEmpty) ? [] : [titles]) + rows
    let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        let isLast = column == columns.count - 1
        switch columns[column].alignment {
        case .left: line += cell + (isLast ? "" : padding + "  ")
        case .right: line += padding + cell + (isLast ? "" : "  ")
        }
      }
      return line
    }
  }

  package func print() { for line in lines { StandardStreams.printLine(line) } }
}
