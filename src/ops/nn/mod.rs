//! What `torch.nn.functional` computes.

pub mod activation;
pub mod conv;
pub mod embedding;
pub mod loss;
pub mod norm;
pub mod pad;
pub mod pool;
