//! The program's settings for the precision of products and convolutions, under PyTorch's older names and its newer ones.
//!
//! The newer names form a tree: `torch.backends.fp32_precision` is the parent of each backend's setting, and that is the
//! parent of its operators' settings. A leaf that is `none` takes its parent's value. The older names are switches outside
//! the tree, which set leaves of it. A program that uses both can reach states in which an old name has no value. Reading it
//! is then an error.

use crate::error::{Error, Result};
use crate::executor::{Precision, Reduction16};

/// The value of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    None,
    Ieee,
    Tf32,
    Bf16,
}

const WORDS: [(&str, Word); 4] =
    [("none", Word::None), ("ieee", Word::Ieee), ("tf32", Word::Tf32), ("bf16", Word::Bf16)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Backend {
    Generic,
    Cuda,
    Mkldnn,
}

const BACKENDS: [(&str, Backend); 3] =
    [("generic", Backend::Generic), ("cuda", Backend::Cuda), ("mkldnn", Backend::Mkldnn)];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    All,
    Conv,
    Rnn,
    Matmul,
}

const OPS: [(&str, Op); 4] = [("all", Op::All), ("conv", Op::Conv), ("rnn", Op::Rnn), ("matmul", Op::Matmul)];

/// `torch.set_float32_matmul_precision`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Matmul {
    Highest,
    High,
    Medium,
}

const MATMULS: [(&str, Matmul); 3] = [("highest", Matmul::Highest), ("high", Matmul::High), ("medium", Matmul::Medium)];

/// The 16-bit types. The products of each have a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    Float16,
    Bfloat16,
}

/// The node of a backend and those of its operators.
#[derive(Clone, Copy, Debug)]
struct Nodes {
    all: Word,
    conv: Word,
    rnn: Word,
    matmul: Word,
}

impl Nodes {
    const NONE: Nodes = Nodes { all: Word::None, conv: Word::None, rnn: Word::None, matmul: Word::None };

    fn at(&mut self, op: Op) -> &mut Word {
        match op {
            Op::All => &mut self.all,
            Op::Conv => &mut self.conv,
            Op::Rnn => &mut self.rnn,
            Op::Matmul => &mut self.matmul,
        }
    }
}

/// Everything that a program can set, with the values of a new program.
#[derive(Clone, Debug)]
pub struct Choices {
    generic: Word,
    cuda: Nodes,
    mkldnn: Nodes,
    /// Whether the program has set CUDA's convolutions, or its recurrent layers. Until then they use TF32, unless a parent
    /// says otherwise.
    conv_set: bool,
    rnn_set: bool,
    matmul: Matmul,
    cudnn_tf32: bool,
    float16: Reduction16,
    bfloat16: Reduction16,
    float16_throughout: bool,
}

impl Default for Choices {
    fn default() -> Choices {
        Choices {
            generic: Word::None,
            cuda: Nodes::NONE,
            mkldnn: Nodes::NONE,
            conv_set: false,
            rnn_set: false,
            matmul: Matmul::Highest,
            cudnn_tf32: true,
            float16: Reduction16::Reduced,
            bfloat16: Reduction16::Reduced,
            float16_throughout: false,
        }
    }
}

fn named<T: Copy>(what: &str, names: &[(&str, T)], name: &str) -> Result<T> {
    names
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| *value)
        .ok_or_else(|| Error::runtime(format!("Unknown {what}: {name}")))
}

fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: &T) -> &'static str {
    names.iter().find(|(_, known)| known == value).map_or("none", |(name, _)| name)
}

fn place(backend: &str, op: &str) -> Result<(Backend, Op)> {
    let (b, o) = (named("backend", &BACKENDS, backend)?, named("op", &OPS, op)?);
    if b == Backend::Generic && o != Op::All {
        return Err(Error::runtime(format!("Invalid (backend, op) pair: ({}, {})", b as u8, o as u8)));
    }
    Ok((b, o))
}

/// The last sentence of each PyTorch error about mixing old and new names.
const SEE: &str =
    "See also: https://pytorch.org/docs/main/notes/cuda.html#tensorfloat-32-tf32-on-ampere-and-later-devices";

impl Choices {
    /// The value of a node, with those of its parents taken into account.
    fn word(&self, backend: Backend, op: Op) -> Word {
        let nodes = match backend {
            Backend::Generic => return self.generic,
            Backend::Cuda => self.cuda,
            Backend::Mkldnn => self.mkldnn,
        };
        let mut nodes = nodes;
        let chain = [*nodes.at(op), nodes.all, self.generic];
        let found = chain.into_iter().find(|&word| word != Word::None);
        let is_new = backend == Backend::Cuda
            && match op {
                Op::Conv => !self.conv_set,
                Op::Rnn => !self.rnn_set,
                _ => false,
            };
        match found {
            // NVIDIA's libraries can't compute float32 products in bfloat16.
            Some(Word::Bf16) if backend == Backend::Cuda => Word::None,
            Some(word) => word,
            None if is_new => Word::Tf32,
            None => Word::None,
        }
    }

    /// `fp32_precision` of a node.
    ///
    /// # Errors
    /// Unknown names.
    pub fn float32(&self, backend: &str, op: &str) -> Result<&'static str> {
        let (backend, op) = place(backend, op)?;
        Ok(name_of(&WORDS, &self.word(backend, op)))
    }

    /// Sets `fp32_precision` of a node.
    ///
    /// # Errors
    /// Unknown names; a precision that the backend doesn't have.
    pub(crate) fn set_float32(&mut self, backend_name: &str, op: &str, precision: &str) -> Result<()> {
        let (backend, op) = place(backend_name, op)?;
        let word = named("precision", &WORDS, precision)?;
        if backend == Backend::Cuda && word == Word::Bf16 {
            return Err(Error::runtime(format!("backend '{backend_name}' does not support precision '{precision}'")));
        }
        match backend {
            Backend::Generic => self.generic = word,
            Backend::Mkldnn => *self.mkldnn.at(op) = word,
            Backend::Cuda => {
                *self.cuda.at(op) = word;
                self.conv_set |= op == Op::Conv;
                self.rnn_set |= op == Op::Rnn;
            }
        }
        Ok(())
    }

    /// `torch.get_float32_matmul_precision`.
    ///
    /// # Errors
    /// The newer names have been set to something else.
    pub fn matmul(&self) -> Result<&'static str> {
        let cuda = self.word(Backend::Cuda, Op::Matmul);
        let cpu = self.word(Backend::Mkldnn, Op::Matmul);
        let differs = cuda == Word::Tf32 && self.matmul == Matmul::Highest
            || cpu == Word::Bf16 && self.matmul != Matmul::Medium
            || cpu == Word::Tf32 && self.matmul != Matmul::High;
        if differs {
            return Err(Error::runtime(format!(
                "PyTorch is checking the matmul precision without a specific backend name,Current status indicate that \
                 you have used mix of the legacy and new APIs to set the matmul precision. We suggest only using the new \
                 API for matmul precision. {SEE}"
            )));
        }
        Ok(name_of(&MATMULS, &self.matmul))
    }

    /// `torch.set_float32_matmul_precision`. The caller has checked the name.
    ///
    /// # Errors
    /// An unknown name.
    pub(crate) fn set_matmul(&mut self, precision: &str) -> Result<()> {
        self.matmul = named("precision", &MATMULS, precision)?;
        (self.cuda.matmul, self.mkldnn.matmul) = match self.matmul {
            Matmul::Highest => (Word::Ieee, Word::Ieee),
            Matmul::High => (Word::Tf32, Word::Tf32),
            Matmul::Medium => (Word::Tf32, Word::Bf16),
        };
        Ok(())
    }

    /// `torch.backends.cuda.matmul.allow_tf32`.
    ///
    /// # Errors
    /// The newer names have been set to something else.
    pub(crate) fn cublas_tf32(&self) -> Result<bool> {
        let new = self.word(Backend::Cuda, Op::Matmul) == Word::Tf32;
        if new != (self.matmul != Matmul::Highest) {
            return Err(Error::runtime(format!(
                "PyTorch is checking whether allow_tf32_new is enabled for cuBlas matmul,Current status indicate that you \
                 have used mix of the legacy and new APIs to set the TF32 status for cublas matmul. We suggest only using \
                 the new API to set the TF32 flag. {SEE}"
            )));
        }
        Ok(new)
    }

    pub(crate) fn set_cublas_tf32(&mut self, allowed: bool) {
        self.matmul = if allowed { Matmul::High } else { Matmul::Highest };
        self.cuda.matmul = if allowed { Word::Tf32 } else { Word::Ieee };
    }

    /// `torch.backends.cudnn.allow_tf32`.
    ///
    /// # Errors
    /// Convolutions and recurrent layers differ, or the newer names have been set to something else.
    pub(crate) fn cudnn_tf32(&self) -> Result<bool> {
        let conv = self.word(Backend::Cuda, Op::Conv) == Word::Tf32;
        let rnn = self.word(Backend::Cuda, Op::Rnn) == Word::Tf32;
        if conv != rnn || conv != self.cudnn_tf32 {
            return Err(Error::runtime(format!(
                "PyTorch is checking whether allow_tf32 is enabled for cuDNN without a specific operator name,but the \
                 current flag(s) indicate that cuDNN conv and cuDNN RNN have different TF32 flags.This combination \
                 indicates that you have used a mix of the legacy and new APIs to set the TF32 flags. We suggest only \
                 using the new API to set the TF32 flag(s). {SEE}"
            )));
        }
        Ok(conv)
    }

    pub(crate) fn set_cudnn_tf32(&mut self, allowed: bool) {
        self.cudnn_tf32 = allowed;
        let word = if allowed { Word::Tf32 } else { Word::None };
        (self.cuda.conv, self.cuda.rnn) = (word, word);
        (self.conv_set, self.rnn_set) = (true, true);
    }

    /// `allow_fp16_reduced_precision_reduction` or the one for bfloat16: whether it's allowed, and whether the inner dimension
    /// may be split.
    pub fn reduction(&self, half: Half) -> (bool, bool) {
        let reduction = match half {
            Half::Float16 => self.float16,
            Half::Bfloat16 => self.bfloat16,
        };
        (reduction == Reduction16::Reduced, reduction != Reduction16::Whole)
    }

    /// Sets them.
    ///
    /// # Errors
    /// Reduced precision without a split.
    pub(crate) fn set_reduction(&mut self, half: Half, reduced: bool, split: bool) -> Result<()> {
        let reduction = match (reduced, split) {
            (true, true) => Reduction16::Reduced,
            (false, true) => Reduction16::Exact,
            (false, false) => Reduction16::Whole,
            (true, false) => {
                return Err(Error::runtime(
                    "allow_splitk=False is not supported when reduced precision reductions are enabled",
                ));
            }
        };
        match half {
            Half::Float16 => self.float16 = reduction,
            Half::Bfloat16 => self.bfloat16 = reduction,
        }
        Ok(())
    }

    /// `allow_fp16_accumulation`.
    pub(crate) fn float16_throughout(&self) -> bool {
        self.float16_throughout
    }

    pub(crate) fn set_float16_throughout(&mut self, allowed: bool) {
        self.float16_throughout = allowed;
    }

    /// The precision that executors must use with these settings.
    pub fn wanted(&self) -> Precision {
        Precision {
            products_in_tf32: self.word(Backend::Cuda, Op::Matmul) == Word::Tf32,
            convolutions_in_tf32: self.word(Backend::Cuda, Op::Conv) == Word::Tf32,
            float16: self.float16,
            bfloat16: self.bfloat16,
            float16_throughout: self.float16_throughout,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of the nodes in the order of the recorded lines, then the three older names; `ERR` if reading one is
    /// an error.
    fn show(s: &Choices) -> String {
        let nodes = [
            ("generic", "all"),
            ("cuda", "all"),
            ("cuda", "matmul"),
            ("cuda", "conv"),
            ("cuda", "rnn"),
            ("mkldnn", "matmul"),
            ("mkldnn", "conv"),
        ];
        let mut words: Vec<String> = nodes.iter().map(|(b, o)| s.float32(b, o).unwrap().into()).collect();
        let said = |answer: Result<bool>| answer.map_or("ERR".to_string(), |b| (b as u8).to_string());
        words.extend([said(s.cublas_tf32()), said(s.cudnn_tf32()), s.matmul().unwrap_or("ERR").into()]);
        words.join(" ")
    }

    /// Sequences of settings, with the value that PyTorch 2.15 has for every node after each.
    #[test]
    fn precision_follows_the_switches_as_in_pytorch() {
        let recorded: &[&[(&str, &str)]] = &[
            &[
                ("", "none none none tf32 tf32 none none 0 1 highest"),
                ("cublas=1", "none none tf32 tf32 tf32 none none 1 1 high"),
                ("cublas=0", "none none ieee tf32 tf32 none none 0 1 highest"),
                ("matmul=high", "none none tf32 tf32 tf32 tf32 none 1 1 high"),
                ("matmul=medium", "none none tf32 tf32 tf32 bf16 none 1 1 medium"),
                ("matmul=highest", "none none ieee tf32 tf32 ieee none 0 1 highest"),
                ("cudnn=0", "none none ieee none none ieee none 0 0 highest"),
                ("cudnn=1", "none none ieee tf32 tf32 ieee none 0 1 highest"),
            ],
            &[
                ("generic.all=tf32", "tf32 tf32 tf32 tf32 tf32 tf32 tf32 ERR 1 ERR"),
                ("generic.all=ieee", "ieee ieee ieee ieee ieee ieee ieee 0 ERR highest"),
                ("generic.all=bf16", "bf16 none none none none bf16 bf16 0 ERR ERR"),
                ("generic.all=none", "none none none tf32 tf32 none none 0 1 highest"),
            ],
            &[
                ("cuda.conv=ieee", "none none none ieee tf32 none none 0 ERR highest"),
                ("generic.all=tf32", "tf32 tf32 tf32 ieee tf32 tf32 tf32 ERR ERR ERR"),
            ],
            &[
                ("cuda.matmul=ieee", "none none ieee tf32 tf32 none none 0 1 highest"),
                ("generic.all=tf32", "tf32 tf32 ieee tf32 tf32 tf32 tf32 0 1 ERR"),
                ("cuda.matmul=none", "tf32 tf32 tf32 tf32 tf32 tf32 tf32 ERR 1 ERR"),
            ],
            &[
                ("cuda.conv=none", "none none none none tf32 none none 0 ERR highest"),
                ("cuda.all=ieee", "none ieee ieee ieee ieee none none 0 ERR highest"),
            ],
            &[
                ("cudnn=0", "none none none none none none none 0 0 highest"),
                ("generic.all=tf32", "tf32 tf32 tf32 tf32 tf32 tf32 tf32 ERR ERR ERR"),
                ("generic.all=ieee", "ieee ieee ieee ieee ieee ieee ieee 0 0 highest"),
            ],
            &[
                ("matmul=high", "none none tf32 tf32 tf32 tf32 none 1 1 high"),
                ("cuda.matmul=ieee", "none none ieee tf32 tf32 tf32 none ERR 1 high"),
                ("matmul=medium", "none none tf32 tf32 tf32 bf16 none 1 1 medium"),
                ("cuda.all=ieee", "none ieee tf32 ieee ieee bf16 none 1 ERR medium"),
            ],
            &[
                ("cuda.conv=tf32", "none none none tf32 tf32 none none 0 1 highest"),
                ("generic.all=ieee", "ieee ieee ieee tf32 ieee ieee ieee 0 ERR highest"),
            ],
        ];
        for steps in recorded {
            let mut s = Choices::default();
            for (step, expected) in *steps {
                match step.split_once('=') {
                    None => {}
                    Some(("cublas", value)) => s.set_cublas_tf32(value == "1"),
                    Some(("cudnn", value)) => s.set_cudnn_tf32(value == "1"),
                    Some(("matmul", value)) => s.set_matmul(value).unwrap(),
                    Some((node, value)) => {
                        let (backend, op) = node.split_once('.').unwrap();
                        s.set_float32(backend, op, value).unwrap();
                    }
                }
                assert_eq!(show(&s), *expected, "after {step}");
            }
        }
    }

    #[test]
    fn precision_refuses_what_pytorch_refuses() {
        let mut s = Choices::default();
        let mut refuse = |backend, op, word| s.set_float32(backend, op, word).unwrap_err().message;
        assert_eq!(refuse("foo", "all", "ieee"), "Unknown backend: foo");
        assert_eq!(refuse("cuda", "foo", "ieee"), "Unknown op: foo");
        assert_eq!(refuse("cuda", "all", "foo"), "Unknown precision: foo");
        assert_eq!(refuse("cuda", "conv", "bf16"), "backend 'cuda' does not support precision 'bf16'");
        assert_eq!(refuse("generic", "conv", "tf32"), "Invalid (backend, op) pair: (0, 1)");
        assert!(s.set_reduction(Half::Float16, true, false).is_err());
        assert_eq!(s.wanted(), Precision::default());
    }
}
