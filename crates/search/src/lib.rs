//! The explore loop over a zone graph and a passed/waiting list.
