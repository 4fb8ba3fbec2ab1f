import Formats
import TensorCore

/// The classes of all models in one numbering: the baseline's, and behind them those that only others know.
struct ClassSpace: Sendable {
  /// What is known of one model's classes.
  struct Classes {
    /// The model's name in errors.
    let model: String
    let count: Int
    /// Nil when neither the model nor the user says.
    let names: [String]?
    /// Whether the names are those of the data, between which the model chooses.
    var isFromData = false
  }

  private(set) var names: [String]
  /// For each model the position in ``names`` of each of its classes.
  private(set) var positions: [[Int]] = []
  /// For each model the positions of classes that share their name with others, and that only the order in which both
  /// lists have them tells from those.
  private(set) var toldByOrder: [Set<Int>] = []
  /// Whether the names are those of the data's folders, in their order, because the models bring none.
  let isNamedByData: Bool

  /// - Parameters:
  ///   - models: the baseline first.
  ///   - table: the data's classes, where a file names them.
  ///   - dataLabels: the labels of the data in the order of their bytes, where that order may number them.
  /// - Throws: ``ApusError`` of kind `configuration` that names both sides, when the classes of a model are not
  ///   those of the baseline.
  init(_ models: [Classes], table: ClassTable?, dataLabels: [String]?) throws(ApusError) {
    guard let base = models.first else { throw ApusError(.argument, "no model", expected: "at least two") }
    let known = models.first { $0.names != nil && !$0.isFromData && $0.count == base.count }?.names
    var isNamedByData = false
    if let own = base.names ?? known {
      names = own
      isNamedByData = base.isFromData && own.count == dataLabels?.count && models.contains { $0.names == nil }
    } else if let table {
      names = try Self.names(of: table, for: base)
    } else if let dataLabels, dataLabels.count == base.count {
      names = dataLabels
      isNamedByData = true
    } else {
      names = (0..<base.count).map { "\($0)" }
    }
    self.isNamedByData = isNamedByData
    positions = [Array(0..<base.count)]
    toldByOrder = [[]]
    for model in models.dropFirst() { try append(model, base) }
  }

  /// The scores of a model in this numbering; 0 for classes that it does not know.
  func scores(_ scores: [Float], of model: Int) -> [Float] {
    var result = [Float](repeating: 0, count: names.count)
    for (score, position) in zip(scores, positions[model]) { result[position] = score }
    return result
  }

  /// The classes of the baseline that a model does not know, and those of it that the baseline does not: a background class
  /// counts for neither.
  func unshared(_ model: Int) -> (ofBaseline: [Int], ofModel: [Int]) {
    let count = positions[0].count
    let known = Set(positions[model])
    func isClass(_ position: Int) -> Bool { ClassName.normalized(names[position]) != "background" }
    return (
      (0..<count).filter { !known.contains($0) && isClass($0) },
      known.filter { $0 >= count && isClass($0) }.sorted()
    )
  }

  private static func names(of table: ClassTable, for base: Classes) throws(ApusError) -> [String] {
    let alignment = try LabelAlignment(labels: table.names, classCount: base.count)
    return (0..<base.count).map { index in
      alignment.label(ofClass: index).map { table.names[$0] } ?? "background"
    }
  }

  private mutating func append(_ model: Classes, _ base: Classes) throws(ApusError) {
    if let own = model.names, base.names != nil, let shared = byName(own, base) {
      positions.append(shared)
      return
    }
    toldByOrder.append([])
    if model.count == base.count, model.names == nil || base.names == nil {
      positions.append(Array(0..<model.count))
    } else if let shifted = byBackground(model, base) {
      positions.append(shifted)
    } else {
      throw ApusError(
        .configuration, "\(model.count) classes\(Self.few(model.names))",
        expected: "those of \(base.model), \(base.count) classes\(Self.few(base.names))", file: model.model,
        advice:
          "Models are compared on the classes that they share; \(Setting.labels) names classes for all of them."
      )
    }
  }

  private static func few(_ names: [String]?) -> String { names.map { " (\(ClassName.few($0)))" } ?? "" }

  /// Positions of classes with names like these; those without a counterpart go to the end. Nil when fewer than
  /// half have one.
  private mutating func byName(_ own: [String], _ base: Classes) -> [Int]? {
    let same = ClassCorrespondence(own, in: names, base: base.count)
    guard 2 * same.positions.count(where: { $0 != nil }) >= min(own.count, names.count) else { return nil }
    toldByOrder.append(same.toldByOrder)
    return zip(own, same.positions).map { name, position in
      if let position { return position }
      names.append(name)
      return names.count - 1
    }
  }

  /// Positions when one of the two has a background class in front of the other's classes.
  private mutating func byBackground(_ model: Classes, _ base: Classes) -> [Int]? {
    guard abs(model.count - base.count) == 1 else { return nil }
    let larger = model.count > base.count ? model : base
    let isBackground = larger.names?.first.map { ClassName.normalized($0) == "background" } ?? false
    guard isBackground || (larger.count == 1001 && larger.names == nil) else { return nil }
    if larger.count == base.count { return Array(1...model.count) }
    names.append("background")
    return [names.count - 1] + Array(0..<base.count)
  }
}
