//! Convolutions of small maps: the positions of several images are the columns of one product. A product for each image would read
//! all weights again for a few columns.

use std::borrow::Cow;
use std::ops::Range;

use super::{Compute, Done, Gemm, Matrix, Shared, Sizes, multiply, scratch, try_parallel};

/// About how many columns a product has.
const COLUMNS: usize = 256;

/// Stands for a place outside the input.
const OUTSIDE: usize = usize::MAX;

/// A convolution of several small images.
pub(super) struct Small {
    s: Sizes,
    /// The elements of a kernel plane that are inside the input for some output position. On a map of 1×1, a kernel of 3×3 has one.
    taps: Vec<usize>,
    /// For each of them and each output position, the place in the input plane.
    sources: Vec<usize>,
    /// How many images share a product.
    images: usize,
}

impl Small {
    /// `None` if one image has enough columns, or there is only one.
    pub(super) fn new(s: Sizes) -> Option<Small> {
        let positions = s.positions();
        if s.batch < 2 || positions == 0 || positions > COLUMNS / 2 {
            return None;
        }
        let [oh, ow] = s.output;
        let [kh, kw] = s.kernel;
        let (mut taps, mut sources) = (Vec::new(), Vec::new());
        for (i, j) in (0..kh).flat_map(|i| (0..kw).map(move |j| (i, j))) {
            let place = |y, x| match (s.source(0, y, i), s.source(1, x, j)) {
                (Some(row), Some(column)) => row * s.input[1] + column,
                _ => OUTSIDE,
            };
            let places: Vec<usize> =
                (0..oh).flat_map(|y| (0..ow).map(move |x| (y, x))).map(|(y, x)| place(y, x)).collect();
            if places.iter().any(|&place| place != OUTSIDE) {
                taps.push(i * kw + j);
                sources.extend(places);
            }
        }
        let images = (COLUMNS / positions).clamp(1, s.batch);
        (s.c > 0 && s.o > 0 && !taps.is_empty()).then_some(Small { s, taps, sources, images })
    }

    /// Number of elements in one patch.
    fn patch(&self) -> usize {
        self.s.c * self.taps.len()
    }

    fn blocks(&self) -> usize {
        self.s.batch.div_ceil(self.images)
    }

    /// The images of a block, and how many columns they have.
    fn block(&self, block: usize) -> (Range<usize>, usize) {
        let images = block * self.images..((block + 1) * self.images).min(self.s.batch);
        let width = images.len() * self.s.positions();
        (images, width)
    }

    /// The columns of a whole block.
    fn width(&self) -> usize {
        self.images * self.s.positions()
    }

    /// The fewest blocks that are shared among threads.
    fn grain(&self) -> usize {
        let work = self.patch().saturating_mul(self.s.o).saturating_mul(self.width());
        (super::WORTHWHILE / work.max(1)).max(1)
    }

    /// The weights of the taps: [output channels, patch].
    fn weights<'a, C: Compute>(&self, w: &'a [C]) -> Done<Cow<'a, [C]>> {
        let whole = self.s.kernel[0] * self.s.kernel[1];
        if self.taps.len() == whole {
            return Ok(Cow::Borrowed(w));
        }
        let mut found = scratch(w.len() / whole * self.taps.len())?;
        for (to, from) in found.chunks_exact_mut(self.taps.len()).zip(w.chunks_exact(whole)) {
            for (to, &tap) in to.iter_mut().zip(&self.taps) {
                *to = from[tap];
            }
        }
        Ok(Cow::Owned(found))
    }

    /// Calls `f(place in the patch matrix, first element of the input plane, sources)` for each run of positions of a block's images.
    #[inline(always)]
    fn runs(&self, group: usize, block: usize, mut f: impl FnMut(usize, usize, &[usize])) {
        let (images, width) = self.block(block);
        let (positions, taps) = (self.s.positions(), self.taps.len());
        for (at, image) in images.enumerate() {
            for c in 0..self.s.c {
                let plane = ((image * self.s.groups + group) * self.s.c + c) * self.s.plane();
                for (t, sources) in self.sources.chunks_exact(positions).enumerate() {
                    f((c * taps + t) * width + at * positions, plane, sources);
                }
            }
        }
    }

    /// The patches of a block: [patch, columns].
    fn unfold<C: Compute>(&self, x: &[C], group: usize, block: usize, patches: &mut [C]) {
        self.runs(group, block, |at, plane, sources| {
            for (v, &source) in patches[at..].iter_mut().zip(sources) {
                *v = if source == OUTSIDE { C::default() } else { x[plane + source] };
            }
        });
    }

    /// Calls `f(place among a block's columns, place in the output)` for each run of positions: [output channels, columns] and
    /// [images, output channels, positions].
    #[inline(always)]
    fn outputs(&self, group: usize, block: usize, mut f: impl FnMut(usize, usize, usize)) {
        let (images, width) = self.block(block);
        let positions = self.s.positions();
        for (at, image) in images.enumerate() {
            for o in 0..self.s.o {
                f(o * width + at * positions, ((image * self.s.groups + group) * self.s.o + o) * positions, o);
            }
        }
    }

    /// The gradient of the outputs of a block: [output channels, columns].
    fn gathered<C: Compute>(&self, grad: &[C], group: usize, block: usize, columns: &mut [C]) {
        let positions = self.s.positions();
        self.outputs(group, block, |at, from, _| {
            columns[at..][..positions].copy_from_slice(&grad[from..][..positions])
        });
    }

    pub(super) fn forward<C: Gemm>(&self, x: &[C], w: &[C], bias: Option<&[C]>, out: &mut [C]) -> Done {
        let (s, patch, positions) = (self.s, self.patch(), self.s.positions());
        let w = self.weights(w)?;
        let shared = Shared::new(out);
        let tasks = self.blocks() * s.groups;
        try_parallel(tasks, self.grain(), |range| {
            let mut patches = scratch::<C>(patch * self.width())?;
            let mut product = scratch::<C>(s.o * self.width())?;
            for task in range {
                let (block, group) = (task / s.groups, task % s.groups);
                let width = self.block(block).1;
                self.unfold(x, group, block, &mut patches);
                let w = Matrix::of(&w[group * s.o * patch..][..s.o * patch], patch);
                let (columns, target) = (Matrix::of(&patches, width), Matrix::of_mut(&mut product, width));
                // SAFETY: [o, patch] @ [patch, width] into [o, width].
                unsafe { multiply([s.o, patch, width], w, columns, target, C::ONE, None, tasks == 1) };
                self.outputs(group, block, |at, to, o| {
                    // SAFETY: each task writes its own planes.
                    let line = unsafe { shared.slice(to..to + positions) };
                    line.copy_from_slice(&product[at..][..positions]);
                    if let Some(bias) = bias {
                        line.iter_mut().for_each(|v| *v = v.plus(bias[group * s.o + o]));
                    }
                });
            }
            Ok(())
        })
    }

    pub(super) fn grad_input<C: Gemm>(&self, grad: &[C], w: &[C], out: &mut [C]) -> Done {
        let (s, patch) = (self.s, self.patch());
        let w = self.weights(w)?;
        let shared = Shared::new(out);
        let tasks = self.blocks() * s.groups;
        try_parallel(tasks, self.grain(), |range| {
            let mut patches = scratch::<C>(patch * self.width())?;
            let mut columns = scratch::<C>(s.o * self.width())?;
            for task in range {
                let (block, group) = (task / s.groups, task % s.groups);
                let (images, width) = self.block(block);
                self.gathered(grad, group, block, &mut columns);
                let w = Matrix::of(&w[group * s.o * patch..][..s.o * patch], patch).transposed();
                let target = Matrix::of_mut(&mut patches, width);
                // SAFETY: [patch, o] @ [o, width] into [patch, width].
                unsafe {
                    multiply([patch, s.o, width], w, Matrix::of(&columns, width), target, C::ONE, None, tasks == 1)
                };
                let size = s.c * s.plane();
                for image in images {
                    let start = (image * s.groups + group) * size;
                    // SAFETY: each task writes its own planes.
                    unsafe { shared.slice(start..start + size) }.fill(C::default());
                }
                self.runs(group, block, |at, plane, sources| {
                    // SAFETY: likewise.
                    let out = unsafe { shared.slice(plane..plane + s.plane()) };
                    for (v, &source) in patches[at..].iter().zip(sources) {
                        if source != OUTSIDE {
                            out[source] = out[source].plus(*v);
                        }
                    }
                });
            }
            Ok(())
        })
    }

    pub(super) fn grad_weight<C: Gemm>(&self, grad: &[C], x: &[C], out: &mut [C]) -> Done {
        let (s, patch) = (self.s, self.patch());
        let size = s.groups * s.o * patch;
        // Parts of the work have separate sums, which are added in order, so the result doesn't depend on timing.
        let blocks = self.blocks();
        let parts = blocks.min(8);
        let mut sums = scratch::<C>(parts * size)?;
        let shared = Shared::new(&mut sums);
        try_parallel(parts, self.grain().div_ceil((blocks * s.groups).div_ceil(parts)), |range| {
            let mut patches = scratch::<C>(patch * self.width())?;
            let mut columns = scratch::<C>(s.o * self.width())?;
            for part in range {
                for block in part * blocks / parts..(part + 1) * blocks / parts {
                    let width = self.block(block).1;
                    for group in 0..s.groups {
                        self.gathered(grad, group, block, &mut columns);
                        self.unfold(x, group, block, &mut patches);
                        let target = Matrix::part(shared.get(), patch, part * size + group * s.o * patch);
                        let (grad, patches) = (Matrix::of(&columns, width), Matrix::of(&patches, width).transposed());
                        // SAFETY: each part has its own sums; [o, width] @ [width, patch] into [o, patch].
                        unsafe {
                            multiply([s.o, width, patch], grad, patches, target, C::ONE, Some(C::ONE), parts == 1)
                        };
                    }
                }
            }
            Ok(())
        })?;
        let whole = s.kernel[0] * s.kernel[1];
        if self.taps.len() < whole {
            out.fill(C::default());
        }
        for (i, to) in out.chunks_exact_mut(whole).enumerate() {
            for (t, &tap) in self.taps.iter().enumerate() {
                let place = i * self.taps.len() + t;
                to[tap] = (1..parts).fold(sums[place], |sum, part| sum.plus(sums[part * size + place]));
            }
        }
        Ok(())
    }
}
