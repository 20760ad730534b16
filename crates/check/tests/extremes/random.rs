//! Random networks, judged by regions.
