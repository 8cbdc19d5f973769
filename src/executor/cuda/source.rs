//! From the files of `shaders/` to one CUDA C++ program.
//!
//! A family's file contains kernel templates. A program is `prelude.cu`, the other files that the family needs, the family
//! itself, and the names of the wanted instantiations. NVRTC compiles exactly those.

/// One kernel family.
#[derive(Debug, PartialEq, Eq)]
pub struct Family {
    pub name: &'static str,
    /// The files before the family's own text, in order, and that text.
    parts: &'static [&'static str],
}

macro_rules! shader {
    ($name:literal) => {
        include_str!(concat!("../../../shaders/", $name))
    };
}

const PRELUDE: &str = shader!("prelude.cu");
const MATH: &str = shader!("math.cu");
const ELEMENTWISE: &str = shader!("elementwise.cu");
const PRODUCT: &str = shader!("product.cu");

macro_rules! families {
    ($($id:ident $file:literal [$($part:ident)*])*) => {
        $(pub(super) static $id: Family = Family { name: $file, parts: &[$($part,)* shader!($file)] };)*
        /// Every family.
        #[cfg(test)]
        pub(crate) static ALL: &[&Family] = &[$(&$id),*];
    };
}

families! {
    FILL "fill.cu" [PRELUDE MATH ELEMENTWISE]
    UNARY "unary.cu" [PRELUDE MATH ELEMENTWISE]
    BINARY "binary.cu" [PRELUDE MATH ELEMENTWISE]
    TERNARY "ternary.cu" [PRELUDE MATH ELEMENTWISE]
    REDUCE "reduce.cu" [PRELUDE MATH]
    SCAN "scan.cu" [PRELUDE]
    SOFTMAX "softmax.cu" [PRELUDE MATH]
    NORM "norm.cu" [PRELUDE MATH]
    MATMUL "matmul.cu" [PRELUDE PRODUCT]
    CONV "conv.cu" [PRELUDE PRODUCT]
    POOL "pool.cu" [PRELUDE]
    INDEX "index.cu" [PRELUDE]
    SCATTER "scatter.cu" [PRELUDE]
    NONZERO "nonzero.cu" [PRELUDE]
    SORT "sort.cu" [PRELUDE]
    LOSS "loss.cu" [PRELUDE]
    OPTIMIZER "optimizer.cu" [PRELUDE MATH]
    RANDOM "random.cu" [PRELUDE]
}

impl Family {
    /// The program's text.
    pub fn program(&self) -> String {
        self.parts.concat()
    }
}
