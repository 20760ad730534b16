//! Nothing makes reading a model panic, hang or fill the memory.
