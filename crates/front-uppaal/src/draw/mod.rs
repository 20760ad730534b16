//! Templates as pictures.
