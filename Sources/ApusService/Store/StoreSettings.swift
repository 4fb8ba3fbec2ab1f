import Apus
import TensorCore

extension ModelStore.Options: JSONOptions {
  /// 60 % of the memory that is left, and models that stay as long as there is room.
  public static var standard: Self { Self() }

  /// `byte_limit`, `keep_alive`, `patience` and `recovery` (seconds), `watch_pressure`, and the keys of
  /// ``MemoryPressure/Options``.
  public static var settings: Settings<Self> {
    .setting(.byteLimit, \.byteLimit, .count()) + .setting(.timeToLive, \.timeToLive, .seconds)
      + .setting(.patience, \.patience, .seconds) + .setting(.recovery, \.recovery, .seconds)
      + .setting(.watchesPressure, \.watchesPressure, .flag)
      + MemoryPressure.Options.settings.inside(\.pressure)
  }
}

extension MemoryPressure.Options: JSONOptions {
  /// The defaults, which suit most machines.
  public static var standard: Self { Self() }

  /// `warning_share`, `critical_share` and `pressure_margin` (0 to 1), `calm` and `interval` (seconds).
  public static var settings: Settings<Self> {
    .setting(.warningShare, \.warningShare, .fraction) + .setting(.criticalShare, \.criticalShare, .fraction)
      + .setting(.pressureMargin, \.margin, .fraction) + .setting(.calm, \.calm, .seconds)
      + .setting(.interval, \.interval, .seconds)
  }
}
