//! The passed/waiting list, and how it stores discrete states and zones.
