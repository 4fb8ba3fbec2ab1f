"""The parts of Tools/checks/config-parity: what is changed, where, and who answers."""
