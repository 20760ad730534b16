//! The zone graph of a system: the successor pipeline, one stage a file.
