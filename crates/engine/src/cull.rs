//! Which bodies are drawn. The kernels are in `cull/`; here is what tests hold them against.

pub mod reference;
