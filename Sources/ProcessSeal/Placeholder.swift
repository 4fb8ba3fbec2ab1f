/// What the process has given up.
public enum ProcessSealPlaceholder {}
