import HTMLReport
import Statistics

extension ComparisonPage {
  /// Whether scores mean what they say, and what leaving out unsure answers brings.
  var confidenceSection: Markup? {
    let diagrams = report.models.indices.compactMap(reliability)
    let sweeps = report.models.contains { !$0.sweep.isEmpty } ? [precisionChart, coverageChart] : []
    guard !diagrams.isEmpty || !sweeps.isEmpty else { return nil }
    return .section(
      "Confidence",
      about: [
        """
        A score of 80\u{202F}% should be right 80 times of 100: points on the diagonal. Below it a model is too sure of \
        itself, above it too modest.
        """
      ],
      (diagrams.isEmpty ? [] : [.columns(diagrams)])
        + certaintyTables + (sweeps.isEmpty ? [] : [.columns(sweeps.map { .figure($0, .half) })]))
  }

  private func reliability(_ position: Int) -> Markup? {
    guard let accuracy = report.models[position].accuracy else { return nil }
    let calibration = accuracy.calibration
    let bins = calibration.bins.filter { $0.count > 0 && $0.lower < $0.upper }.map { bin in
      ReliabilityDiagram.Bin(
        range: bin.lower...bin.upper, meanConfidence: bin.confidence, accuracy: bin.accuracy,
        interval: ReportText.range(bin.interval, scale: 1), count: bin.count)
    }
    guard !bins.isEmpty else { return nil }
    let error = NumberText.percent(calibration.expectedError)
    return .figure(
      ReliabilityDiagram(
        title: series(position).name,
        summary: "Reliability diagram; the expected calibration error is \(error).",
        series: series(position), bins: bins), .half,
      caption: [
        """
        On average confidence and accuracy are \(error) apart\(Self.withoutChance(accuracy)). Lines are 95\u{202F}% intervals (Wilson); scores that \
        no answer has are left out. Below: how many answers.
        """
      ])
  }

  /// `; without what chance adds, 2.1 % (0.0–4.5 %)`.
  private static func withoutChance(_ accuracy: AccuracyReport) -> String {
    accuracy.calibrationError.map {
      "; without what chance adds, \(NumberText.percent($0.value)) (\(ReportText.percent($0.interval)))"
    } ?? ""
  }

  private func sweepChart(
    _ title: String, vertical: Axis, _ value: (ThresholdPoint) -> Double?
  ) -> LineChart {
    let lines = report.models.indices.map { position in
      LineChart.Line(
        series(position),
        report.models[position].sweep.compactMap { point in
          value(point).map { LineChart.Point(point.threshold * 100, $0 * 100) }
        })
    }
    return LineChart(
      title: title, summary: "For each threshold from 0 to 100 %, \(vertical.name.lowercased()).",
      horizontal: Axis("Answers less sure count as uncertain", range: 0...100, unit: Self.percentSign),
      vertical: vertical, lines: lines)
  }

  private var precisionChart: LineChart {
    let least = report.models.flatMap(\.sweep).compactMap(\.precision).min() ?? 0
    let floor = min((least * 10).rounded(.down) * 10, 90)
    return sweepChart(
      "Right among the sure answers",
      vertical: Axis("Right answers", range: floor...100, unit: Self.percentSign)
    ) { $0.precision }
  }

  private var coverageChart: LineChart {
    sweepChart(
      "Answers that remain", vertical: Axis("Sure answers", range: 0...100, unit: Self.percentSign)
    ) { $0.coverage }
  }
}
