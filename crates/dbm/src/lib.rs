//! Zones.
