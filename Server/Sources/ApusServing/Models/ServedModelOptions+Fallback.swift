import Apus
import ApusService

extension ServedModelOptions {
  /// A lesser form of a model: other files of it, or the same in another precision.
  public struct Fallback: Sendable, Hashable {
    /// A `.tflite` file, a folder, or the name of a repository in the local Hugging Face cache; nil for the model's own.
    public var path: String?
    /// The precision of its runs; nil for the one that its files have.
    public var precision: Precision?

    /// - Parameters:
    ///   - path: a `.tflite` file, a folder, or the name of a repository; nil for the model's own.
    ///   - precision: the precision of its runs; nil for the one that its files have.
    public init(path: String? = nil, precision: Precision? = nil) {
      (self.path, self.precision) = (path, precision)
    }
  }

  /// Tasks whose results say themselves what they are of, and bare tensors, which are compared. Vectors of other files cannot
  /// be compared with those that clients have, and tokens, which are made before a text waits, mean nothing to other files.
  private static let tasksOfOtherFiles: Set<ModelTask> = [.imageClassification, .tensors]

  /// Whether some fallback has files of its own.
  var hasOtherFiles: Bool { fallbacks.contains { otherPath(of: $0) != nil } }

  /// Where a fallback's own files are; nil where they are the model's, by whatever path.
  func otherPath(of fallback: Fallback) -> String? {
    guard let other = fallback.path, Self.resolved(other) != Self.resolved(path) else { return nil }
    return other
  }

  /// Refuses fallbacks that could not take over, before the first is needed.
  /// - Parameters:
  ///   - tasks: what the model can be asked to do.
  ///   - place: what a fallback is called in errors, by its place in the list.
  /// - Returns: the places of those that are none for ``ModelTask/tensors``: what they take or give has other names, shapes
  ///   or types, and clients cannot know which form they will reach.
  /// - Throws: ``ApusError``: kind `argument` for a fallback that could not; what keeps its files from being looked at.
  @discardableResult
  package func checkFallbacks(
    of tasks: Set<ModelTask>, called place: (Int) -> String
  ) throws(ApusError) -> Set<Int> {
    var others: Set<Int> = []
    var known = [form(path, options.inference.precision)]
    for (index, fallback) in fallbacks.enumerated() {
      do throws(ApusError) {
        try require(fallback)
        let form = self.form(fallback.path ?? path, fallback.precision)
        guard !known.contains(form) else {
          throw ApusError(
            .argument, form == known[0] ? "it is the model itself" : "it is there twice",
            expected: "another path, or another precision")
        }
        known.append(form)
        if let other = otherPath(of: fallback), try !takesOver(other, of: tasks) { others.insert(index) }
      } catch {
        throw error.placed(at: place(index))
      }
    }
    return others
  }

  /// Refuses a precision that a model cannot have.
  /// - Throws: ``ApusError`` of kind `argument`.
  package static func require(_ precision: Precision, of path: String) throws(ApusError) {
    guard precision.isAvailable else {
      let usable = Precision.allCases.filter(\.isAvailable).map(\.rawValue)
      throw ApusError(
        .argument, "this processor has no products of \(precision.rawValue)",
        expected: usable.joined(separator: " or "))
    }
    guard !ModelInterface.isFile(path) else {
      throw ApusError(
        .argument, "a .tflite file is computed in its own numbers",
        expected: "another file in place of a precision")
    }
  }

  /// What tells forms apart: a folder is computed in float32 where nothing is said.
  private func form(_ path: String, _ precision: Precision?) -> [String] {
    let computed = ModelInterface.isFile(path) ? precision : precision ?? .float32
    return [Self.resolved(path), computed?.rawValue ?? ""]
  }

  private func require(_ fallback: Fallback) throws(ApusError) {
    guard fallback.path != nil || fallback.precision != nil else {
      throw ApusError(.argument, "it is the model itself", expected: "another path, or a precision")
    }
    if let precision = fallback.precision { try Self.require(precision, of: fallback.path ?? path) }
  }

  /// - Returns: whether other files take over for bare tensors too.
  /// - Throws: ``ApusError`` where they cannot take over at all.
  private func takesOver(_ other: String, of tasks: Set<ModelTask>) throws(ApusError) -> Bool {
    guard tasks.isSubset(of: Self.tasksOfOtherFiles) else {
      throw ApusError(
        .argument, "other files for \(ModelTask.list(tasks))",
        expected:
          "another precision of the same files, as vectors and tokens of others would not go with them")
    }
    let found = try ModelTask.all(of: other)
    guard found == tasks else {
      throw ApusError(
        .argument, "it does \(ModelTask.list(found))", expected: ModelTask.list(tasks), file: other)
    }
    if tasks.contains(.imageClassification) { try requireClasses(of: other) }
    let isSame = try ModelInterface(of: other) == ModelInterface(of: path)
    guard isSame || tasks.contains(.imageClassification) else {
      throw ApusError(
        .argument, "its inputs or outputs are others than the model's",
        expected: "the same names, shapes and types", file: other)
    }
    return isSame
  }

  private func requireClasses(of other: String) throws(ApusError) {
    let (own, found) = (try ModelInterface.classes(of: path), try ModelInterface.classes(of: other))
    guard own.map({ $0?.count }) == found.map({ $0?.count }) else {
      throw ApusError(
        .argument, "outputs of \(Self.list(found)) classes", expected: "\(Self.list(own)), as the model has",
        file: other)
    }
    guard labelFile != nil || own == found else {
      throw ApusError(
        .argument, "its classes have other names than the model's",
        expected: "the same, or a file with the names for both ('labels')", file: other)
    }
  }

  private static func list(_ classes: [ModelInterface.Classes?]) -> String {
    classes.map { $0.map { "\($0.count)" } ?? "no" }.joined(separator: ", ")
  }
}

extension ApusError {
  /// The same error at a place in a file of settings: a file that it names stands behind the place.
  package func placed(at place: String) -> ApusError {
    var copy = self
    copy.location = [place, file, location].compactMap(\.self).joined(separator: ": ")
    copy.file = nil
    return copy
  }
}

extension ServingLimits {
  /// The same with what a model has in their place.
  func of(_ model: ServedModelOptions) -> ServingLimits {
    var limits = self
    limits.waitingTokens = model.waitingTokens ?? waitingTokens
    limits.waitingPixels = model.waitingPixels ?? waitingPixels
    limits.batchTokens = model.batchTokens ?? batchTokens
    return limits
  }
}
