//! Figures from Python: turns what `matplotlib` collected into a [`figure::spec::Figure`].

use rustpython_vm::builtins::{PyDict, PyStr};
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};
use serde::Deserialize;
use serde::de::value::{Error, MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::args::Call;
use super::binding::{F, Row};
use super::convert;
use crate::dtype::Scalar;
use crate::figure;
use crate::figure::spec::Figure;

/// A Python object as data: None, numbers, strings, lists, tuples, and dictionaries with string keys.
struct Data<'a> {
    object: PyObjectRef,
    vm: &'a VirtualMachine,
}

impl<'a> Data<'a> {
    fn items(&self) -> Option<impl Iterator<Item = Data<'a>> + use<'a>> {
        let vm = self.vm;
        convert::sequence(&self.object).map(|items| items.into_iter().map(move |object| Data { object, vm }))
    }

    fn pairs(&self) -> Option<impl Iterator<Item = (Data<'a>, Data<'a>)> + use<'a>> {
        let vm = self.vm;
        let dict = self.object.downcast_ref::<PyDict>()?.to_owned();
        Some(dict.into_iter().map(move |(key, value)| (Data { object: key, vm }, Data { object: value, vm })))
    }
}

impl<'de> IntoDeserializer<'de> for Data<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Data<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Data { object, vm } = &self;
        if vm.is_none(object) {
            return visitor.visit_unit();
        }
        if let Some(text) = object.downcast_ref::<PyStr>() {
            // Half a surrogate pair can't be drawn.
            return visitor.visit_string(text.to_string_lossy().into_owned());
        }
        if let Some(items) = self.items() {
            return visitor.visit_seq(SeqDeserializer::new(items));
        }
        if let Some(pairs) = self.pairs() {
            return visitor.visit_map(MapDeserializer::new(pairs));
        }
        match convert::number(object, vm) {
            Ok(Some(Scalar::Bool(b))) => visitor.visit_bool(b),
            Ok(Some(Scalar::Int(n))) => visitor.visit_i64(n),
            Ok(Some(Scalar::Float(f))) => visitor.visit_f64(f),
            _ => Err(Error::custom(format!("unexpected {}", convert::type_name(object)))),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.vm.is_none(&self.object) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    /// A name, or a dictionary from a name to its value.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match (self.pairs(), self.object.downcast_ref::<PyStr>()) {
            (Some(pairs), _) => visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(pairs))),
            (None, Some(text)) => {
                let text: String = text.to_string_lossy().into_owned();
                text.into_deserializer().deserialize_enum(name, variants, visitor)
            }
            (None, None) => Err(Error::custom(format!("unexpected {}", convert::type_name(&self.object)))),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq
        tuple tuple_struct map struct identifier ignored_any
    }
}

fn figure_of(call: Call<'_>) -> PyResult<Figure> {
    let vm = call.vm;
    let a = call.bind(&["figure"], 1)?;
    let Some(object) = a.get(0) else { return Err(a.wrong(0, "dict")) };
    Figure::deserialize(Data { object: object.clone(), vm }).map_err(|e| vm.new_value_error(format!("figure: {e}")))
}

/// `_draw_figure(figure)`: the SVG of a figure's description.
fn draw(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let svg = figure::draw(&figure_of(call)?).map_err(|what| vm.new_value_error(what))?;
    Ok(vm.ctx.new_str(svg).into())
}

/// `_figure_ends(figure)`: for each plot, `[x0, x1, y0, y1]` as drawn.
fn ends(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let number = |v: f64| vm.ctx.new_float(v).into();
    let plots = figure::ends(&figure_of(call)?).into_iter();
    let plots = plots.map(|plot| vm.ctx.new_list(plot.into_iter().flatten().map(number).collect()).into());
    Ok(vm.ctx.new_list(plots.collect()).into())
}

/// `_color_maps()`: the names of the color maps.
fn color_maps(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    call.bind(&[], 0)?;
    Ok(vm.ctx.new_list(figure::color_maps().map(|name| vm.ctx.new_str(name).into()).collect()).into())
}

/// `_map_color(name, share)`: red, green and blue from 0 to 255 for a number from 0 to 1; None if there is no such map.
fn map_color(call: Call<'_>) -> PyResult {
    let vm = call.vm;
    let a = call.bind(&["name", "share"], 2)?;
    let share = a.f64(1)?;
    Ok(match a.str(0)?.and_then(figure::Colors::named) {
        Some(map) => vm.ctx.new_tuple(map.at(share).map(|v| vm.ctx.new_int(v).into()).to_vec()).into(),
        None => vm.ctx.none(),
    })
}

pub(super) const ROWS: &[&[Row]] = &[&[
    ("_draw_figure", F, draw),
    ("_figure_ends", F, ends),
    ("_color_maps", F, color_maps),
    ("_map_color", F, map_color),
]];
