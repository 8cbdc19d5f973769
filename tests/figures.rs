//! Figures are drawn with any data, and the drawing can be parsed.

use serde_json::{Value, json};
use tensoryard::figure::spec::Figure;
use tensoryard::figure::{draw, ends};

fn axis() -> Value {
    json!({"name": "", "ends": [null, null], "log": false, "inverted": false, "marks": null, "labels": null, "words": [],
           "turned": 0.0, "shared": null, "labeled": true})
}

fn stroke(color: &str, style: &str) -> Value {
    json!({"color": color, "width": 1.5, "style": style, "alpha": null})
}

fn line(x: &[f64], y: &[f64]) -> Value {
    styled(x, y, "#1f77b4", "solid")
}

fn styled(x: &[f64], y: &[f64], color: &str, style: &str) -> Value {
    json!({"line": {"x": numbers(x), "y": numbers(y), "stroke": stroke(color, style), "marker": null, "size": 6.0,
                    "label": null}})
}

/// JSON has no NaN. Such numbers are inserted afterwards, in place of marker values far outside all data.
fn numbers(values: &[f64]) -> Vec<Value> {
    let number = |v: &f64| {
        if v.is_nan() {
            json!(NAN)
        } else if v.is_infinite() {
            json!(INFINITE)
        } else {
            json!(v)
        }
    };
    values.iter().map(number).collect()
}
const NAN: f64 = -7.25e250;
const INFINITE: f64 = -8.25e250;

fn plot(artists: Value) -> Value {
    json!({"cell": {"row": 0, "column": 0, "tall": 1, "wide": 1, "heights": [1.0], "widths": [1.0]},
           "title": {"text": "", "size": 12.0}, "x": axis(), "y": axis(), "grid": null, "legend": null, "shown": true,
           "aspect": null, "bar": null, "face": "#ffffff", "font": 10.0, "artists": artists})
}

/// The plot with one more property; `at` is its path, such as `/x/log`.
fn with(mut plot: Value, at: &str, value: Value) -> Value {
    *plot.pointer_mut(at).expect("a property of plots") = value;
    plot
}

fn figure(plots: Vec<Value>) -> Figure {
    let spec = json!({"size": [6.4, 4.8], "face": "#ffffff", "title": null, "tight": false, "words": "what it shows", "axes": plots});
    let mut figure: Figure = serde_json::from_value(spec).unwrap();
    for artist in figure.axes.iter_mut().flat_map(|axes| &mut axes.artists) {
        if let tensoryard::figure::spec::Artist::Line(line) = artist {
            for v in line.x.iter_mut().chain(&mut line.y) {
                *v = if *v == NAN {
                    f64::NAN
                } else if *v == INFINITE {
                    f64::INFINITY
                } else {
                    *v
                };
            }
        }
    }
    figure
}

/// An element's name, attributes and text.
type Element = (String, Vec<(String, String)>, String);

/// Elements in order; fails on anything that isn't XML.
fn elements(svg: &str) -> Vec<Element> {
    use xml::reader::XmlEvent;
    let mut out: Vec<Element> = Vec::new();
    for event in xml::EventReader::new(svg.as_bytes()) {
        match event.expect("well-formed") {
            XmlEvent::StartElement { name, attributes, .. } => {
                let attributes = attributes.into_iter().map(|a| (a.name.local_name, a.value)).collect();
                out.push((name.local_name, attributes, String::new()));
            }
            XmlEvent::Characters(text) | XmlEvent::CData(text) => {
                out.last_mut().expect("text is in an element").2.push_str(text.trim());
            }
            _ => {}
        }
    }
    out
}

fn count(svg: &str, name: &str, attribute: &str) -> usize {
    elements(svg)
        .iter()
        .filter(|e| e.0 == name && e.1.iter().any(|(k, v)| format!("{k}={v}").contains(attribute)))
        .count()
}

fn texts(svg: &str) -> Vec<String> {
    elements(svg).into_iter().filter(|e| e.0 == "text").map(|e| e.2).collect()
}

fn drawn(plots: Vec<Value>) -> String {
    draw(&figure(plots)).unwrap()
}

#[test]
fn lines_have_their_colors_and_dashes() {
    let (x, y) = ([0.0, 1.0, 2.0], [0.0, 4.0, 1.0]);
    let lines = ["solid", "dashed", "dotted", "dashdot", "none"].map(|style| styled(&x, &y, "#d62728", style));
    let svg = drawn(vec![plot(json!(lines))]);
    assert_eq!(count(&svg, "polyline", "stroke=#D62728"), 4);
    assert_eq!(count(&svg, "polyline", "stroke-dasharray"), 3);
    let points =
        elements(&svg).into_iter().find(|e| e.1.iter().any(|(k, v)| k == "stroke" && v == "#D62728")).unwrap().1;
    let points = &points.iter().find(|(k, _)| k == "points").unwrap().1;
    // The margin is a twentieth of the data's range; a pixel has ten units.
    assert_eq!(points.trim(), "1025,4104 3280,744 5535,3264");
    assert!(texts(&svg).contains(&"0.25".to_string()) && texts(&svg).contains(&"4.0".to_string()), "{:?}", texts(&svg));
}

#[test]
fn every_marker_is_a_shape() {
    for (marker, name) in "o.,sx+|_^v<>Dd*".chars().zip(
        ["circle", "circle", "circle", "polygon", "polyline", "polyline", "polyline", "polyline"]
            .into_iter()
            .chain(["polygon"; 7]),
    ) {
        let points = json!({"points": {"x": [1.0, 2.0], "y": [1.0, 2.0], "sizes": [36.0], "colors": ["#2ca02c"], "map": null,
                                       "marker": marker.to_string(), "alpha": 0.5, "edge": null, "label": null}});
        let svg = drawn(vec![plot(json!([points]))]);
        let each = if "x+".contains(marker) { 2 } else { 1 };
        assert_eq!(count(&svg, name, "#2CA02C"), 2 * each, "{marker}");
        assert_eq!(count(&svg, name, "opacity=0.5"), 2 * each, "{marker}");
    }
}

#[test]
fn bars_bands_and_pictures_are_areas() {
    let boxes = |boxes: Value| json!({"boxes": {"boxes": boxes, "colors": ["#1f77b4", "#ff7f0e"], "alpha": null, "edge": null, "upright": true, "label": "n"}});
    let svg =
        drawn(vec![plot(json!([boxes(json!([[0.0, 0.0, 1.0, 3.0], [1.0, 0.0, 1.0, 2.0], [2.0, 0.0, 1.0, 1.0]]))]))]);
    assert_eq!((count(&svg, "rect", "fill=#1F77B4"), count(&svg, "rect", "fill=#FF7F0E")), (2, 1));
    // Bars touch the axis.
    assert_eq!(ends(&figure(vec![plot(json!([boxes(json!([[0.0, 0.0, 1.0, 2.0]]))]))]))[0][1], [0.0, 2.1]);

    let band = json!({"band": {"x": [0.0, 1.0], "low": [0.0, 0.0], "high": [1.0, 2.0], "color": "#9467bd", "alpha": 0.3, "label": null}});
    assert_eq!(count(&drawn(vec![plot(json!([band]))]), "polygon", "opacity=0.3"), 1);

    let image = json!({"image": {"rows": 2, "columns": 3, "rgb": [], "alpha": null, "extent": [-0.5, 2.5, 1.5, -0.5], "lower": false,
        "map": {"name": "gray", "values": [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], "ends": [null, null]}}});
    let bar = with(plot(json!([image])), "/bar", json!({"artist": 0, "label": "value"}));
    let mut tight = figure(vec![bar.clone()]);
    tight.tight = true;
    let label = elements(&draw(&tight).unwrap()).into_iter().find(|e| e.2 == "value").expect("the scale's name").1;
    let x: f64 = label.iter().find(|(k, _)| k == "x").unwrap().1.parse().unwrap();
    assert!((6000.0..6300.0).contains(&x), "the scale's name ends where the page ends: {x}");
    let svg = drawn(vec![bar]);
    // The image and its color scale.
    assert_eq!(count(&svg, "image", "href=data:image/png;base64,iVBOR"), 2);
    assert!(texts(&svg).contains(&"value".to_string()));
}

/// As in matplotlib, areas are below lines, in any order of the calls.
#[test]
fn lines_lie_above_areas() {
    let band = json!({"band": {"x": [0.0, 1.0], "low": [0.0, 0.0], "high": [1.0, 2.0], "color": "#9467bd", "alpha": null, "label": null}});
    let svg = drawn(vec![plot(json!([line(&[0.0, 1.0], &[0.0, 1.0]), band]))]);
    let place = |color: &str| elements(&svg).iter().position(|e| e.1.iter().any(|(_, v)| v == color)).expect("drawn");
    assert!(place("#9467BD") < place("#1F77B4"));
}

#[test]
fn the_legend_stands_where_it_is_asked_for() {
    let mut named = line(&[0.0, 1.0], &[0.0, 1.0]);
    named["line"]["label"] = json!("a <b>");
    for (place, left, upper) in [("upper left", true, true), ("lower right", false, false), ("best", true, true)] {
        let legend = json!({"place": place, "size": 10.0, "title": null});
        let svg = drawn(vec![with(plot(json!([named])), "/legend", legend)]);
        let found = elements(&svg).into_iter().find(|e| e.2 == "a <b>").expect("a named line");
        let at = |k: &str| found.1.iter().find(|(name, _)| name == k).unwrap().1.parse::<f64>().unwrap();
        assert_eq!((at("x") < 3200.0, at("y") < 2400.0), (left, upper), "{place}");
    }
}

#[test]
fn grids_names_and_turned_marks() {
    let mut one = plot(json!([line(&[0.0, 1.0], &[0.0, 1.0])]));
    one = with(one, "/grid", json!({"x": true, "y": false, "line": stroke("#b0b0b0", "dotted")}));
    one = with(one, "/x/turned", json!(45.0));
    one = with(one, "/x/name", json!("time"));
    one = with(one, "/y/name", json!("loss"));
    let svg = drawn(vec![one]);
    assert_eq!(count(&svg, "line", "stroke-dasharray"), 6);
    assert_eq!(count(&svg, "text", "transform=rotate(-45 "), 6);
    assert!(texts(&svg).contains(&"time".to_string()));
    assert_eq!(count(&svg, "text", "transform=rotate(270"), 1);
}

#[test]
fn plots_lie_in_a_grid_and_share_ends() {
    let one = |column: usize, shared: Option<usize>, high: f64| {
        let mut one = plot(json!([line(&[0.0, high], &[0.0, high])]));
        one["cell"] = json!({"row": 0, "column": column, "tall": 1, "wide": 1, "heights": [1.0], "widths": [1.0, 3.0]});
        one["face"] = json!("#eeeeee");
        with(one, "/y/shared", json!(shared))
    };
    let svg = drawn(vec![one(0, None, 1.0), one(1, None, 2.0)]);
    let faces: Vec<f64> = elements(&svg)
        .into_iter()
        .filter(|e| e.1.contains(&("fill".into(), "#EEEEEE".into())))
        .map(|e| e.1.iter().find(|(k, _)| k == "width").unwrap().1.parse().unwrap())
        .collect();
    assert!(faces.len() == 2 && (faces[1] / faces[0] - 3.0).abs() < 0.01, "{faces:?}");
    let shared = ends(&figure(vec![one(0, Some(1), 1.0), one(1, Some(1), 2.0)]));
    assert_eq!((shared[0][1], shared[0][0]), ([-0.1, 2.1], [-0.05, 1.05]));
}

/// A title comes from the learner: it stays text, whatever it contains.
#[test]
fn texts_stay_texts() {
    let title = "<script>alert(1)</script> \" opacity=\"2\" \u{0}\u{1b}[31m & two\nlines";
    let mut figure = figure(vec![with(plot(json!([])), "/title/text", json!(title))]);
    figure.words = "</title><script>".into();
    let svg = draw(&figure).unwrap();
    let all = elements(&svg);
    assert!(all.iter().all(|e| e.0 != "script"));
    assert!(
        texts(&svg).contains(&"<script>alert(1)</script> \" opacity=\"2\" [31m & two".to_string()),
        "{:?}",
        texts(&svg)
    );
    assert_eq!((all[1].0.as_str(), all[1].2.as_str()), ("title", "</title><script>"));
}

#[test]
fn a_page_has_a_size_that_can_be_drawn() {
    for (size, said) in [
        ([0.0, 1.0], "figure size must be positive finite not (0, 1)"),
        ([f64::NAN, 1.0], "figure size must be positive finite not (NaN, 1)"),
        ([1.0, f64::INFINITY], "figure size must be positive finite not (1, inf)"),
        (
            [1e9, 1.0],
            "Image size of 100000000000x100 pixels is too large. It must be less than 2^16 in each direction.",
        ),
    ] {
        let mut figure = figure(vec![plot(json!([]))]);
        figure.size = size;
        assert_eq!(draw(&figure).unwrap_err(), said);
    }
    for size in [[0.05, 0.05], [600.0, 0.1]] {
        for tight in [false, true] {
            let mut figure = figure(vec![plot(json!([line(&[0.0, 1.0], &[0.0, 1.0])]))]);
            (figure.size, figure.tight) = (size, tight);
            elements(&draw(&figure).unwrap());
        }
    }
}

/// Numbers that are NaN, far too large, closer together than a pixel, or not above zero on a logarithmic axis: the figure is
/// drawn, and nothing fails.
#[test]
fn any_number_can_be_plotted() {
    let inf = f64::INFINITY;
    let data: [&[f64]; 9] = [
        &[],
        &[f64::NAN],
        &[1.0, f64::NAN, 2.0, inf, 3.0, 4.0],
        &[1e308, -1e308],
        &[5e-324, 0.0],
        &[1.0, 1.0 + f64::EPSILON],
        &[-5.0, 0.0],
        &[0.0, 1e-300, 1e300],
        &[3.0, 3.0],
    ];
    for values in data {
        for (x_log, y_log) in [(false, false), (true, false), (false, true), (true, true)] {
            let all = with(with(plot(json!([line(values, values)])), "/x/log", json!(x_log)), "/y/log", json!(y_log));
            let given = with(all.clone(), "/y/ends", json!([-1.0, 1e-9]));
            for plot in [all, given] {
                let figure = figure(vec![plot]);
                elements(&draw(&figure).unwrap());
                let [x, y] = ends(&figure)[0];
                assert!(
                    x.iter().chain(&y).all(|v| v.is_finite()) && x[0] != x[1] && y[0] != y[1],
                    "{values:?} {x:?} {y:?}"
                );
            }
        }
    }
    // A NaN breaks a line: only two of the six points have a neighbor.
    let svg = drawn(vec![plot(json!([line(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], data[2])]))]);
    assert_eq!(count(&svg, "polyline", "stroke=#1F77B4"), 1);
    // Values that aren't above zero are below a logarithmic axis, so a line leaves the plot.
    let svg = drawn(vec![with(plot(json!([line(&[0.0, 1.0, 2.0], &[0.0, 10.0, 1000.0])])), "/y/log", json!(true))]);
    let falls = elements(&svg).into_iter().find(|e| e.1.contains(&("stroke".into(), "#1F77B4".into()))).unwrap().1;
    assert!(
        falls.iter().any(|(k, v)| k == "points" && v.split(' ').next().is_some_and(|p| p.ends_with(",4272"))),
        "{falls:?}"
    );
}

/// The page's size limits the size of the drawing, not the data's.
#[test]
fn a_million_points_are_a_bounded_drawing() {
    let count = 1_000_000;
    let wave: Vec<f64> = (0..count).map(|i| (i as f64 * 0.37).sin()).collect();
    let x: Vec<f64> = (0..count).map(|i| i as f64).collect();
    let mut line = figure(vec![plot(json!([line(&[], &[])]))]);
    let mut marks =
        figure(vec![plot(json!([{"points": {"x": [], "y": [], "sizes": [36.0], "colors": ["#1f77b4"], "map": null,
        "marker": "o", "alpha": null, "edge": null, "label": null}}]))]);
    let mut bars =
        figure(vec![plot(json!([{"boxes": {"boxes": [], "colors": ["#1f77b4"], "alpha": null, "edge": null,
        "upright": true, "label": null}}]))]);
    use tensoryard::figure::spec::Artist::{Boxes, Line, Points};
    match (&mut line.axes[0].artists[0], &mut marks.axes[0].artists[0], &mut bars.axes[0].artists[0]) {
        (Line(l), Points(p), Boxes(b)) => {
            (l.x, l.y) = (x.clone(), wave.clone());
            b.boxes = x.iter().zip(&wave).map(|(x, y)| [*x, 0.0, 0.8, *y]).collect();
            (p.x, p.y) = (x, wave);
        }
        _ => unreachable!("made above"),
    }
    for (kind, figure, most) in [("line", line, 100_000), ("marks", marks, 8_000_000), ("bars", bars, 2_000_000)] {
        let svg = draw(&figure).unwrap();
        assert!(svg.len() < most, "{kind}: {} bytes", svg.len());
        assert!(svg.len() > 10_000, "{kind}: {} bytes", svg.len());
    }
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let image = |rows: usize, name: &str| {
        let map = json!({"name": name, "values": [0.0, 1.0], "ends": [null, null]});
        json!([{"image": {"rows": rows, "columns": 2, "rgb": [], "alpha": null, "extent": [0.0, 1.0, 0.0, 1.0], "lower": false,
                          "map": map}}])
    };
    assert!(draw(&figure(vec![plot(image(1, "viridis"))])).is_ok());
    assert_eq!(draw(&figure(vec![plot(image(2, "viridis"))])).unwrap_err(), "an image of 2 by 2 cells with 2 values");
    assert_eq!(draw(&figure(vec![plot(image(1, "nosuch"))])).unwrap_err(), "'nosuch' is not a known color map");
}
