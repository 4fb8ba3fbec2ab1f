/// State shared by the models of a monitor.
struct MonitorCommons: Sendable {
  let clock: MonitorClock
  let alerts = AlertCenter()
  let energy: EnergyMeter

  init(clock: MonitorClock = .system, powerFolder: String = EnergyMeter.systemFolder) {
    self.clock = clock
    energy = EnergyMeter(folder: powerFolder, at: clock.nanoseconds())
  }
}
