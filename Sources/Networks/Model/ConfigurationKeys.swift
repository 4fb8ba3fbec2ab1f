import Formats
import Images
import Models
import TensorCore
import Text

/// The meaning of keys of configuration files.
package enum ConfigurationKeys {
  package static func table() throws(ApusError) -> ConfigurationTable {
    var table = ConfigurationTable()
    try ModelConfigurations.add(to: &table)
    try TokenizerConfiguration.addKeys(to: &table)
    try ImageProcessor.addKeys(to: &table)
    return table
  }
}
