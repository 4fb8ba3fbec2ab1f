import Apus
import ApusServer
import ApusServing

/// A JSON file with models, each with settings of its own: `{"models": [{"path": "leaf.tflite", "threshold": 0.8}]}`.
enum ModelsFile {
  /// The models of a file, in its order.
  /// - Parameters:
  ///   - names: those of other models.
  ///   - defaults: sets what an entry does not say.
  /// - Throws: ``ApusError``, with the path of the key, such as `models[0].threshold`: kind `configuration` for what the file
  ///   says; `argument` for a value that the model cannot have, or where the file is a model; `file` when it, or one that it
  ///   names, cannot be read; what keeps a model from being looked at.
  static func models(
    in path: String, beside names: [String] = [], over defaults: (inout ServedModelOptions) -> Void
  ) throws(ApusError) -> [ServedModelOptions] {
    // A folder has a file behind its slash.
    let isFolder = !path.isEmpty && ModelArguments.isThere("\(path)/."[...])
    guard !path.hasSuffix(".tflite"), !isFolder else {
      throw ApusError(
        .argument, "it is no file of models",
        expected: "JSON such as {\"models\": [{\"path\": \"\(path.clipped)\"}]}",
        file: path, advice: "Use --model for a single model.")
    }
    let text = try TextFile.read(path)
    // Behind the last slash.
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "./"
    let entries: [ModelEntry]
    do throws(RequestFault) {
      entries = try self.entries(Array(text.utf8), in: folder, over: defaults)
    } catch {
      throw ApusError(.configuration, String(error.message[...].trimming { $0 == "." }), file: path)
    }
    var models: [ServedModelOptions] = []
    for entry in entries {
      do throws(ApusError) {
        let model = try entry.options()
        guard !names.contains(where: { ExactText($0) == ExactText(model.name) }),
          !models.contains(where: { ExactText($0.name) == ExactText(model.name) })
        else {
          throw ApusError(
            .configuration, "two models called '\(model.name)'", expected: "a name for each",
            at: "'\(entry.place)'", advice: "Give one of them another 'name'.")
        }
        models.append(model)
      } catch {
        throw error.inFile(path)
      }
    }
    return models
  }

  private static func entries(
    _ bytes: [UInt8], in folder: String, over defaults: (inout ServedModelOptions) -> Void
  ) throws(RequestFault) -> [ModelEntry] {
    let value = try JSONValue.parse(body: bytes, called: "file", from: .settings)
    let file = try RequestFields(whole: value, called: "file")
    try refuseNulls(value, at: "")
    try file.refuseAll(but: ["models"])
    let list = try file.value("models")
    guard case .array(let values) = list else {
      throw .unexpected(list, "models", expected: "a list of objects")
    }
    guard !values.isEmpty else { throw .empty("models") }
    var entries: [ModelEntry] = []
    for (index, value) in values.enumerated() {
      let place = "models[\(index)]"
      let fields = try RequestFields(value, place)
      entries.append(try ModelEntry(fields, at: place, in: folder, over: defaults))
    }
    return entries
  }

  /// A key without a value leaves open what is meant by it.
  private static func refuseNulls(_ value: JSONValue, at place: String) throws(RequestFault) {
    switch value {
    case .null: throw .unexpected(value, place, expected: "a value, or not to be there")
    case .object(let members):
      for member in members.sorted(by: { $0.key < $1.key }) {
        try refuseNulls(member.value, at: place.isEmpty ? member.key.text : "\(place).\(member.key)")
      }
    case .array(let values):
      for (index, value) in values.enumerated() { try refuseNulls(value, at: "\(place)[\(index)]") }
    case .bool, .number, .string: break
    }
  }
}
