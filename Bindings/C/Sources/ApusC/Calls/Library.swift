import Apus
import ApusService
import CApus
import CLibrary
import JSONCoding

/// A text that is there as long as the process.
private func lasting(_ text: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

private enum LibraryTexts {
  nonisolated(unsafe) static let version: UnsafePointer<CChar>? = UnsafePointer(strdup(ApusVersion.current))
}

@c @implementation
public func apus_abi_version() -> Int32 { APUS_ABI_VERSION }

@c @implementation
public func apus_version() -> UnsafePointer<CChar>? { LibraryTexts.version }

@c @implementation
public func apus_status_name(_ status: Int32) -> UnsafePointer<CChar>? {
  lasting(apus_status.names.indices.contains(Int(status)) ? apus_status.names[Int(status)] : "unknown")
}

@c @implementation
public func apus_free(_ block: UnsafeMutableRawPointer?) { free(block) }

@c @implementation
public func apus_thread_count() -> Int32 { Int32(clamping: WorkerThreads.count) }

@c @implementation
public func apus_library_json(
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let json = try Arguments.place(json, "json")
    let machine = PerformanceMonitor().snapshot().machine
    let formats = ImageFormat.allCases.filter(\.isSupported).map(\.rawValue)
    let text: JSONText = .object([
      ("version", .string(ApusVersion.current)), ("abi", .integer(Int(APUS_ABI_VERSION))),
      ("processor", .string(machine.processor)), ("kernels", .string(machine.kernels)),
      ("threads", .integer(WorkerThreads.count)), ("picture_formats", .strings(formats.sorted())),
      (
        "tasks",
        .object(
          ModelTask.allCases.map { task in (task.rawValue, JSONText.object([("settings", task.settings)])) })
      ),
    ])
    try Entry.give(text.bytes, to: json)
  }
}

extension ModelTask {
  /// What can be set for it, by key.
  fileprivate var settings: JSONText {
    switch self {
    case .imageClassification: ImageClassifier.Options.settings.json
    case .zeroShot: ZeroShotClassifier.Options.settings.json
    case .textClassification: TextClassifier.Options.settings.json
    case .textEmbedding: TextEmbedder.Options.settings.json
    case .imageEmbedding: ImageEmbedder.Options.settings.json
    case .tensors: InferenceSession.Options.settings.json
    }
  }
}

extension Settings {
  fileprivate var json: JSONText {
    .object(keys.compactMap { key in shape(of: key).map { (key, $0.json) } })
  }
}

extension SettingShape {
  /// What it is called; of a choice the list of them.
  fileprivate var json: JSONText {
    switch self {
    case .text: "text"
    case .choice(let choices): .strings(choices)
    case .flag: "flag"
    case .number: "number"
    case .wholeNumber: "whole number"
    case .texts: "texts"
    case .shapes: "shapes"
    }
  }
}
