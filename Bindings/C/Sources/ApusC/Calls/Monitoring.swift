import Apus
import ApusService
import CApus
import CLibrary

/// A monitor that a caller made.
final class MonitorHandle: Handled {
  static let name = "monitor"
  let monitor = PerformanceMonitor()
}

@c @implementation
public func apus_monitor_make(
  _ monitor: UnsafeMutablePointer<OpaquePointer?>?, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let place = try Arguments.place(monitor, "monitor")
    place.pointee = try HandleTable.shared.add(MonitorHandle())
  }
}

@c @implementation
public func apus_monitor_release(_ monitor: OpaquePointer?) {
  Entry.call { HandleTable.shared.release(monitor, MonitorHandle.self) }
}

@c @implementation
public func apus_monitor_watch(
  _ monitor: OpaquePointer?, _ model: OpaquePointer?, _ name: UnsafePointer<CChar>?,
  _ target_milliseconds: Double, _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let handle = try HandleTable.shared.object(model, ModelHandle.self)
    guard monitor != nil else {
      handle.recorder = nil
      return
    }
    let monitor = try HandleTable.shared.object(monitor, MonitorHandle.self).monitor
    let name = try Arguments.name(name, "the name")
    guard target_milliseconds >= 0, target_milliseconds < 1e12 else {
      throw ApusError(.argument, "a target of \(target_milliseconds) ms", expected: "0 or more")
    }
    let target: Duration? = target_milliseconds > 0 ? .seconds(target_milliseconds / 1e3) : nil
    monitor.register(name, target: target)
    handle.recorder = monitor.recorder(for: name)
  }
}

@c @implementation
public func apus_monitor_json(
  _ monitor: OpaquePointer?, _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ error: ErrorPlace
) -> apus_status {
  Entry.call(error) { () throws(ApusError) in
    let monitor = try HandleTable.shared.object(monitor, MonitorHandle.self).monitor
    let json = try Arguments.place(json, "json")
    try Entry.give(monitor.snapshot().json, to: json)
  }
}
