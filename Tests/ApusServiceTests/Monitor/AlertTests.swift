import Testing

@testable import ApusService

/// Alerts come when a model misses its target, get worse and better with it, and do not flicker at a bound.
@Suite struct AlertTests {
  private let clock = FakeClock()

  @Test(
    arguments: [
      (nil, 0.95, 1, nil), (nil, 0.9499, 1, .warning), (nil, 0.80, 1, .warning), (nil, 0.7999, 1, .critical),
      (nil, 1, 2, nil), (nil, 1, 2.001, .critical), (.warning, 0.9699, 1, .warning), (.warning, 0.97, 1, nil),
      (.warning, 0.81, 1, .warning), (.critical, 0.8499, 1, .critical), (.critical, 0.85, 1, .warning),
      (.critical, 1, 1.801, .critical), (.critical, 1, 1.8, nil), (.critical, 0.96, 1, .warning),
    ] as [(PerformanceAlert.Severity?, Double, Double, PerformanceAlert.Severity?)])
  func rule(
    _ before: PerformanceAlert.Severity?, compliance: Double, relativeP95: Double,
    after: PerformanceAlert.Severity?
  ) {
    let finding = AlertRule.Finding(compliance: compliance, relativeP95: relativeP95)
    #expect(AlertRule.severity(after: before, finding) == after)
  }

  @Test func alertsComeAndEnd() async {
    let monitor = clock.monitor
    monitor.register("leaf", target: .milliseconds(50))
    let recorder = monitor.recorder(for: "leaf")
    var alerts = monitor.alerts.makeAsyncIterator()

    recorder.record(45, milliseconds: 40)
    recorder.record(4, milliseconds: 60)
    #expect(monitor.snapshot().alerts == [], "49 runs say nothing")
    recorder.record(1, milliseconds: 60)
    #expect(monitor.snapshot().alerts.map(\.severity) == [.warning])
    let warning = await alerts.next()
    #expect(warning?.severity == .warning && warning?.isResolved == false && warning?.runs == 50)
    #expect(warning?.compliance == 0.9 && warning?.window == .minute)

    recorder.record(50, milliseconds: 120)
    clock.seconds += 6
    recorder.record(1, milliseconds: 40)
    #expect(await alerts.next()?.severity == .critical, "the recording itself judges")

    clock.seconds += 61
    recorder.record(100, milliseconds: 40)
    #expect(monitor.snapshot().alerts == [])
    let end = await alerts.next()
    #expect(end?.isResolved == true && end?.severity == .critical && end?.compliance == 1)
    #expect(monitor.snapshot().recentAlerts.map(\.isResolved) == [false, false, true])
  }

  /// A slow model has too few runs in a minute; it is judged by a longer window.
  @Test func aSlowModelIsJudgedByALongerWindow() {
    let monitor = clock.monitor
    monitor.register("slow", target: .seconds(1))
    for _ in 0..<60 {
      monitor.recorder(for: "slow").record(1, milliseconds: 1500)
      clock.seconds += 20
    }
    #expect(monitor.snapshot().alerts.map(\.window) == [.hour])
  }

  @Test func anAlertEndsWithTheModelsUse() {
    let monitor = clock.monitor
    monitor.register("leaf", target: .milliseconds(1))
    monitor.recorder(for: "leaf").record(50, milliseconds: 40)
    #expect(monitor.snapshot().alerts.count == 1)
    clock.seconds += 3000
    #expect(monitor.snapshot().alerts.count == 1)
    clock.seconds += 601
    let snapshot = monitor.snapshot()
    #expect(snapshot.alerts == [] && snapshot.recentAlerts.last?.isResolved == true)
    #expect(snapshot.recentAlerts.map(\.runs) == [50, 0])
  }

  @Test func anAlertEndsWithTheModel() {
    let monitor = clock.monitor
    monitor.register("leaf", target: .milliseconds(1))
    let recorder = monitor.recorder(for: "leaf")
    recorder.record(50, milliseconds: 40)
    #expect(monitor.snapshot().alerts.count == 1)
    monitor.remove("leaf")
    recorder.record(50, milliseconds: 40)
    clock.seconds += 6
    recorder.record(1, milliseconds: 40)
    let snapshot = monitor.snapshot()
    #expect(snapshot.alerts == [] && snapshot.recentAlerts.map(\.isResolved) == [false, true])
  }

  @Test func anAlertEndsWithTheTarget() {
    let monitor = clock.monitor
    monitor.register("leaf", target: .zero)
    monitor.recorder(for: "leaf").record(50, milliseconds: 40)
    #expect(monitor.snapshot().alerts.map(\.severity) == [.critical])
    monitor.register("leaf")
    #expect(monitor.snapshot().alerts == [])
  }

  /// Who comes later hears what is active; all streams end with the monitor.
  @Test func everyListenerHears() async {
    let clock = FakeClock()
    var monitor: PerformanceMonitor? = clock.monitor
    monitor?.register("leaf", target: .milliseconds(1))
    let early = monitor?.alerts
    monitor?.recorder(for: "leaf").record(50, milliseconds: 40)
    _ = monitor?.snapshot()
    let late = monitor?.alerts
    monitor = nil
    var heard: [PerformanceAlert] = []
    for stream in [early, late] {
      if let stream { for await alert in stream { heard.append(alert) } }
    }
    #expect(heard.count == 2 && heard.first == heard.last)
  }

  @Test func alertsReadAsSentences() {
    let alert = PerformanceAlert(
      model: "leaf", displayName: nil, severity: .warning, isResolved: false, time: 0, window: .fiveMinutes,
      runs: 1204,
      compliance: 0.912, p95Milliseconds: 83.25, targetMilliseconds: 50)
    #expect(
      "\(alert)"
        == "leaf: warning, 91.2 % of 1204 runs in the last five minutes kept to 50 ms, 95 % to 83.25 ms")
    #expect(
      "\(alert.ended(at: 1))" == "leaf: warning ended, it has not run for an hour or has no target")
  }
}
