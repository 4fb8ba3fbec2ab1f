import Formats
import Networks
import Testing

@Suite struct ConfigurationKeyTests {
  @Test(arguments: [
    ("hidden_size", "used"), ("projection_dim", "used"), ("crop_pct", "used"), ("max_seq_length", "used"),
    ("do_lower_case", "used"), ("output_stride", "refused unless 32"),
    ("model_cfg.vision_cfg.timm_model_name", "refused unless null"), ("preprocess_cfg.resize_mode", "used"),
    ("pretrained_cfg.crop_pct", "used"), ("drop_path_rate", "no effect: training and initialisation"),
  ])
  func theTableSaysWhatIsMadeOfAKey(_ key: String, _ use: String) throws {
    let rows = try ConfigurationKeys.table().rows
    #expect(rows.allSatisfy { $0.count == ConfigurationTable.columns.count })
    #expect(rows.contains { $0[1].contains("`\(key)`") && $0[2] == use })
  }
}
