//! How kernels are declared: the types of a kernel's fields say where its views and numbers are.

use super::{
    Argument, BinaryOp, Conv2d, Draw, Elements, OptimizerRule, Philox, Pick, Pool2d, ReduceOp, Reduction, ScanOp,
    ScatterOp, TernaryOp, UnaryOp, Updated,
};
use crate::dtype::{DType, Scalar};

/// A field of a kernel, for code that must look at every kernel.
pub(super) trait Field<B> {
    /// The same field on buffers that `C` names.
    type On<C>;

    /// The same field with each buffer replaced by the result of `f`.
    fn on<'b, C, F: FnMut(&'b B) -> C>(&'b self, f: &mut F) -> Self::On<C>
    where
        B: 'b;

    fn views<F: FnMut(&Elements<B>)>(&self, _f: &mut F) {}

    /// Calls `f` with every number that is used as an element.
    fn numbers<F: FnMut(Scalar)>(&self, _f: &mut F) {}
}

impl<B> Field<B> for Elements<B> {
    type On<C> = Elements<C>;

    fn on<'b, C, F: FnMut(&'b B) -> C>(&'b self, f: &mut F) -> Elements<C>
    where
        B: 'b,
    {
        let Elements { buffer, dtype, shape, strides, offset } = self;
        Elements { buffer: f(buffer), dtype: *dtype, shape: shape.clone(), strides: strides.clone(), offset: *offset }
    }

    fn views<F: FnMut(&Elements<B>)>(&self, f: &mut F) {
        f(self);
    }
}

impl<B> Field<B> for Argument<B> {
    type On<C> = Argument<C>;

    fn on<'b, C, F: FnMut(&'b B) -> C>(&'b self, f: &mut F) -> Argument<C>
    where
        B: 'b,
    {
        match self {
            Argument::View(view) => Argument::View(view.on(f)),
            Argument::Scalar(number) => Argument::Scalar(*number),
        }
    }

    fn views<F: FnMut(&Elements<B>)>(&self, f: &mut F) {
        if let Argument::View(view) = self {
            f(view);
        }
    }

    fn numbers<F: FnMut(Scalar)>(&self, f: &mut F) {
        if let Argument::Scalar(number) = self {
            f(*number);
        }
    }
}

impl<B> Field<B> for Updated<B> {
    type On<C> = Updated<C>;

    fn on<'b, C, F: FnMut(&'b B) -> C>(&'b self, f: &mut F) -> Updated<C>
    where
        B: 'b,
    {
        let Updated { param, grad, state, count } = self;
        Updated { param: param.on(f), grad: grad.on(f), state: state.on(f), count: count.on(f) }
    }

    fn views<F: FnMut(&Elements<B>)>(&self, f: &mut F) {
        f(&self.param);
        f(&self.grad);
        self.state.views(f);
        self.count.views(f);
    }
}

impl<B, T: Field<B>> Field<B> for Option<T> {
    type On<C> = Option<T::On<C>>;

    fn on<'b, C, F: FnMut(&'b B) -> C>(&'b self, f: &mut F) -> Option<T::On<C>>
    where
        B: 'b,
    {
        self.as_ref().map(|field| field.on(f))
    }

    fn views<F: FnMut(&Elements<B>)>(&self, f: &mut F) {
        self.iter().for_each(|field| field.views(f));
    }

    fn numbers<F: FnMut(Scalar)>(&self, f: &mut F) {
        self.iter().for_each(|field| field.numbers(f));
    }
}

impl<B, T: Field<B>> Field<B> for Vec<T> {
    type On<C> = Vec<T::On<C>>;

    fn on<'b, C, F: FnMut(&'b B) -> C>(&'b self, f: &mut F) -> Vec<T::On<C>>
    where
        B: 'b,
    {
        self.iter().map(|field| field.on(f)).collect()
    }

    fn views<F: FnMut(&Elements<B>)>(&self, f: &mut F) {
        self.iter().for_each(|field| field.views(f));
    }

    fn numbers<F: FnMut(Scalar)>(&self, f: &mut F) {
        self.iter().for_each(|field| field.numbers(f));
    }
}

impl<B> Field<B> for Scalar {
    type On<C> = Scalar;

    fn on<'b, C, F: FnMut(&'b B) -> C>(&'b self, _f: &mut F) -> Scalar
    where
        B: 'b,
    {
        *self
    }

    fn numbers<F: FnMut(Scalar)>(&self, f: &mut F) {
        f(*self);
    }
}

/// Fields without buffers or elements.
macro_rules! parameters {
    ($($ty:ty),*) => {
        $(impl<B> Field<B> for $ty {
            type On<C> = $ty;

            fn on<'b, C, F: FnMut(&'b B) -> C>(&'b self, _f: &mut F) -> $ty
            where
                B: 'b,
            {
                *self
            }
        })*
    };
}

parameters!(bool, usize, i64, f64, DType, Philox);
parameters!(
    UnaryOp,
    BinaryOp,
    TernaryOp,
    ReduceOp,
    ScanOp,
    ScatterOp,
    Reduction,
    Conv2d,
    Pool2d,
    Draw,
    OptimizerRule,
    Pick
);

/// An enum of kernels from their declarations: `Variant { read: type } -> { written: type } = name`. The name may be computed
/// from the fields.
macro_rules! kernels {
    ($(#[$about:meta])* pub enum $Kernel:ident<B> { $(
        $(#[$doc:meta])*
        $variant:ident { $($(#[$field_doc:meta])* $read:ident: $read_ty:ty),* $(,)? }
            -> { $($written:ident: $written_ty:ty),* $(,)? } = $name:expr;
    )* }) => {
        $(#[$about])*
        pub enum $Kernel<B> { $(
            $(#[$doc])*
            $variant { $($(#[$field_doc])* $read: $read_ty,)* $($written: $written_ty),* },
        )* }

        impl<B> $Kernel<B> {
            /// The name in the trace.
            #[allow(unused_variables)]
            pub fn name(&self) -> &'static str {
                match self { $($Kernel::$variant { $($read,)* .. } => $name,)* }
            }

            /// The same kernel with each buffer replaced by the result of `f`.
            pub fn on<'b, C>(&'b self, mut f: impl FnMut(&'b B) -> C) -> $Kernel<C> {
                match self { $(
                    $Kernel::$variant { $($read,)* $($written),* } => $Kernel::$variant {
                        $($read: Field::<B>::on($read, &mut f),)*
                        $($written: Field::<B>::on($written, &mut f)),*
                    },
                )* }
            }

            /// Calls `f` with every view of the kernel: first those that it only reads, then those that it writes.
            #[inline]
            pub fn views(&self, f: &mut impl FnMut(&Elements<B>)) {
                match self { $(
                    $Kernel::$variant { $($read,)* $($written),* } => {
                        $(Field::<B>::views($read, f);)*
                        $(Field::<B>::views($written, f);)*
                    }
                )* }
            }

            /// Calls `f` with every number that takes the place of elements.
            #[inline]
            pub(super) fn numbers(&self, f: &mut impl FnMut(Scalar)) {
                match self { $(
                    $Kernel::$variant { $($read,)* $($written),* } => {
                        $(Field::<B>::numbers($read, f);)*
                        $(Field::<B>::numbers($written, f);)*
                    }
                )* }
            }

            /// Calls `f` with every view that the kernel writes.
            pub(crate) fn written(&self, f: &mut impl FnMut(&Elements<B>)) {
                match self { $($Kernel::$variant { $($written,)* .. } => { $(Field::<B>::views($written, f);)* })* }
            }

            /// The name of the variant.
            #[cfg(test)]
            pub(crate) fn variant(&self) -> &'static str {
                match self { $($Kernel::$variant { .. } => stringify!($variant),)* }
            }

            /// The names of all variants.
            #[cfg(test)]
            pub(crate) const VARIANTS: &'static [&'static str] = &[$(stringify!($variant)),*];
        }
    };
}
pub(super) use kernels;
