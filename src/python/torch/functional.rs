//! What `torch.nn.functional` and the optimizers call: activations, losses, fused steps.

use super::table::Row;

pub const ROWS: &[&[Row]] = &[&[]];
