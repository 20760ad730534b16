//! Ids, zones and stale nodes over the life of a list.
