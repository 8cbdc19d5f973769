//! The computations of `torch.nn.functional`.

pub mod activation;
pub mod conv;
pub mod embedding;
pub mod fold;
pub mod loss;
pub mod norm;
pub mod pad;
pub mod pool;
pub mod rnn;
pub mod upsample;
