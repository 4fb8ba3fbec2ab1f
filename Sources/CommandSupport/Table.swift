/// Columns of text for people. Cells are made printable: names and contents of files cannot break the table.
package struct Table {
  package enum Alignment {
    case left, right
    /// To the left, and as it is: with colours of Apus' own.
    case drawn
  }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  package init(_ columns: [(String, Alignment)]) {
    self.columns = columns.map { (title: $0.0.printable, alignment: $0.1) }
  }

  package mutating func append(_ cells: [String]) {
    rows.append(zip(columns, cells).map { $0.alignment == .drawn ? $1 : $1.printable })
  }

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
        case .left, .drawn: line += cell + (isLast ? "" : padding + "  ")
        case .right: line += padding + cell + (isLast ? "" : "  ")
        }
      }
      return line
    }
  }

  package func print() { for line in lines { StandardStreams.printLine(line) } }
}
