//! Memory that exists already for an operator's result: that of `out=`, or of the tensor that an in-place form changes.
//!
//! An operator allocates its result as usual. If its caller has given a destination and the result fits it, the allocation
//! returns a tensor over the destination's memory, and so the kernel writes there. Afterwards the caller looks where the
//! result is ([`is_in`]), and copies it if it isn't in the destination. So an operator that knows nothing of this is still
//! right; it only takes more memory.

use std::cell::{Cell, RefCell};

use super::Tensor;
use crate::device::Device;
use crate::dtype::DType;
use crate::shape::Layout;

/// Which operands of the operator are in the destination's memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reads {
    /// None: any allocation that fits may get it, even one for a value that's only needed on the way to the result.
    Nothing,
    /// The tensor that an in-place form changes, and nothing else.
    Itself,
    /// Operands with exactly its elements, in the same places. A kernel that reads each element before it writes it is still
    /// right.
    Alike,
}

/// A destination and what's read from it.
pub(crate) type Place = (Tensor, Reads);

thread_local! {
    static PLACES: RefCell<Vec<Place>> = const { RefCell::new(Vec::new()) };
    /// Whether there are any, because every allocation asks.
    static ANY: Cell<bool> = const { Cell::new(false) };
    static LAST: Cell<bool> = const { Cell::new(false) };
}

/// Puts back what was there before, even after a panic.
struct Restore {
    places: Vec<Place>,
    last: bool,
}

impl Restore {
    fn set(places: Vec<Place>) -> Restore {
        ANY.set(!places.is_empty());
        Restore { places: PLACES.replace(places), last: LAST.replace(false) }
    }
}

impl Drop for Restore {
    fn drop(&mut self) {
        LAST.set(self.last);
        ANY.set(!self.places.is_empty());
        drop(PLACES.replace(std::mem::take(&mut self.places)));
    }
}

/// Runs an operator whose results may be written to these places.
pub(crate) fn with<R>(places: Vec<Place>, run: impl FnOnce() -> R) -> R {
    let _restore = Restore::set(places);
    run()
}

/// Runs the elementwise kernel that makes an operator's result: nothing reads the operands after it, so the result may be
/// written over one of them.
pub(crate) fn last<R>(run: impl FnOnce() -> R) -> R {
    struct Back(bool);
    impl Drop for Back {
        fn drop(&mut self) {
            LAST.set(self.0);
        }
    }
    let _back = Back(LAST.replace(true));
    run()
}

/// Whether a tensor is a destination's memory, seen in the same layout.
pub(crate) fn is_in(t: &Tensor, place: &Tensor) -> bool {
    t.is_flipped() == place.is_flipped()
        && t.with_data(|a, la| place.with_data(|b, lb| a.same(b) && a.dtype() == b.dtype() && la == lb))
}

fn take(fits: impl Fn(&Place) -> bool) -> Option<Tensor> {
    if !ANY.get() {
        return None;
    }
    let (target, _) = PLACES.with_borrow_mut(|places| {
        let at = places.iter().position(fits)?;
        let place = places.remove(at);
        ANY.set(!places.is_empty());
        Some(place)
    })?;
    Some(target.detach())
}

fn holds(place: &Tensor, shape: &[usize], dtype: DType, device: Device) -> bool {
    // Kernels write elements as they are.
    !place.is_flipped()
        && place.with_data(|s, l| s.device() == device && s.dtype() == dtype && l.shape.as_slice() == shape)
}

/// The place for a new tensor of this layout. The caller may rely on its strides, and on its storage being no
/// larger.
pub(super) fn laid_out(layout: &Layout, dtype: DType, device: Device) -> Option<Tensor> {
    let whole = |place: &Tensor| {
        place.with_data(|s, l| l.offset == 0 && l.strides == layout.strides && Some(s.numel()) == layout.end())
    };
    take(|(place, reads)| *reads == Reads::Nothing && holds(place, &layout.shape, dtype, device) && whole(place))
}

/// The place for the result of one elementwise kernel, in any layout.
pub(crate) fn elementwise(shape: &[usize], dtype: DType, device: Device) -> Option<Tensor> {
    take(|(place, reads)| (*reads == Reads::Nothing || LAST.get()) && holds(place, shape, dtype, device))
}

/// The place of `x` itself, for an operator that writes some elements of a copy of `x`: that copy isn't needed.
pub(crate) fn itself(x: &Tensor) -> Option<Tensor> {
    take(|(place, reads)| *reads == Reads::Itself && !place.is_flipped() && is_in(x, place))
}
