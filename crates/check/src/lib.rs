//! What is asked of a model, how it is answered, and runs that show why.
