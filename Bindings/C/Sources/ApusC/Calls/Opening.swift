import Apus
import CApus
import JSONCoding

@c @implementation
public func apus_open(
  _ name: UnsafePointer<CChar>?, _ task: UnsafePointer<CChar>?, _ settings: UnsafePointer<CChar>?,
  _ call: UnsafePointer<apus_call>?, _ model: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let place = try Arguments.place(model, "model")
    let name = try Arguments.name(name, "the model's name")
    let text = try Arguments.json(settings, "the settings")
    let call = try WatchedCall(call)
    let task = try ModelTask(Arguments.name(task), of: name)
    let opened = try OpenModel(
      name, task, settings: text,
      call.isTold ? { call.tell($0.stage?.text ?? "ready", $0.fractionCompleted) } : nil,
      until: { call.isCancelled() })
    place.pointee = try HandleTable.shared.add(ModelHandle(opened, settings: text))
  }
}

@c @implementation
public func apus_model_release(_ model: OpaquePointer?) {
  Entry.call { HandleTable.shared.release(model, ModelHandle.self) }
}

@c @implementation
public func apus_tasks_json(
  _ name: UnsafePointer<CChar>?, _ settings: UnsafePointer<CChar>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let json = try Arguments.place(json, "json")
    let name = try Arguments.name(name, "the model's name")
    let options = try ZeroShotClassifier.Options(json: try Arguments.json(settings, "the settings"))
    let tasks = try ModelTask.all(of: name, options: options)
    let names = ModelTask.allCases.filter(tasks.contains).map(\.rawValue)
    try Entry.give(JSONText.strings(names).bytes, to: json)
  }
}

@c @implementation
public func apus_describe_json(
  _ model: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let handle = try HandleTable.shared.object(model, ModelHandle.self)
    let json = try Arguments.place(json, "json")
    try Entry.give(handle.description().bytes, to: json)
  }
}

@c @implementation
public func apus_model_trim(_ model: OpaquePointer?, _ error: ErrorPlace) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    try HandleTable.shared.object(model, ModelHandle.self).model.common.releaseIdleMemory()
  }
}

extension ModelTask {
  /// The task of a name, or the one that a model is made for where there is none.
  /// - Throws: ``ApusError``: kind `argument` for a name that is no task, and where it might be several; what opening a model
  ///   throws.
  fileprivate init(_ name: String?, of model: String) throws(ApusError) {
    if let name {
      guard let task = ModelTask.allCases.first(where: { Array($0.rawValue.utf8) == Array(name.utf8) }) else {
        throw ApusError(
          .argument, "the task '\(name)'", expected: "one of \(ModelTask.list(Set(ModelTask.allCases)))")
      }
      self = task
    } else {
      let tasks = try ModelTask.all(of: model).subtracting([.tensors])
      guard tasks.count < 2 else {
        throw ApusError(
          .argument, "no task", expected: "one of \(ModelTask.list(tasks)), which the model does", file: model
        )
      }
      self = tasks.first ?? .tensors
    }
  }
}
