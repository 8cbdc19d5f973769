//! From numbers to colors, and images made of colors.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::spec::{Image, Map};

/// The maps, each with some colors at equal distances. Between them, colors are interpolated.
const MAPS: &[(&str, &str)] = &[
    ("viridis", "440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725"),
    ("plasma", "0d0887 46039f 7201a8 9c179e bd3786 d8576b ed7953 fb9f3a fdca26 f0f921"),
    ("inferno", "000004 1b0c41 4a0c6b 781c6d a52c60 cf4446 ed6925 fb9b06 f7d13d fcffa4"),
    ("magma", "000004 180f3d 440f76 721f81 9e2f7f cd4071 f1605d fd9668 feca8d fcfdbf"),
    ("gray", "000000 ffffff"),
    ("grey", "000000 ffffff"),
    ("binary", "ffffff 000000"),
    ("Greys", "ffffff bdbdbd 525252 000000"),
    ("hot", "0b0000 ff0000 ffff00 ffffff"),
    ("cool", "00ffff ff00ff"),
    ("coolwarm", "3b4cc0 7b9ff9 c0d4f5 dddcdc f2cbb7 ee8468 b40426"),
    ("bwr", "0000ff ffffff ff0000"),
    ("seismic", "00004c 0000ff ffffff ff0000 800000"),
    ("jet", "000080 0000ff 00ffff ffff00 ff0000 800000"),
    ("Blues", "f7fbff c6dbef 6baed6 2171b5 08306b"),
    ("Reds", "fff5f0 fcbba1 fb6a4a cb181d 67000d"),
    ("Greens", "f7fcf5 c7e9c0 74c476 238b45 00441b"),
    ("RdBu", "67001f d6604d f7f7f7 4393c3 053061"),
    ("RdYlBu", "a50026 d62f27 f46d43 fdad60 fee090 feffc0 e0f3f8 aad8e9 74add1 4574b3 313695"),
    ("RdYlGn", "a50026 d62f27 f46d43 fdad60 fee08b feffbe d9ef8b a5d86a 66bd63 199750 006837"),
    ("Spectral", "9e0142 d43d4f f46d43 fdad60 fee08b ffffbe e6f598 aadca4 66c2a5 3387bc 5e4fa2"),
    ("PiYG", "8e0152 c41a7c de77ae f1b5d9 fde0ef f7f7f6 e6f5d0 b7e085 7fbc41 4c9121 276419"),
    ("PRGn", "40004b 752982 9970ab c1a4ce e7d4e8 f6f7f6 d9f0d3 a5da9f 5aae61 1a7736 00441b"),
    ("BrBG", "543005 8b500a bf812d dec17b f6e8c3 f4f5f5 c7eae5 7fccc0 35978f 01655d 003c30"),
    ("PuOr", "7f3b08 b25706 e08214 fcb761 fee0b6 f6f6f7 d8daeb b1aad1 8073ac 532687 2d004b"),
    ("Oranges", "fff5eb fee6ce fdd0a2 fdae6a fd8c3b f16813 d84801 a53603 7f2704"),
    ("Purples", "fcfbfd e2e2ef b6b6d8 8683bd 61409b 3f007d"),
    ("YlGnBu", "ffffd9 edf8b1 c6e9b4 7ecdbb 40b5c4 1d90c0 225da8 243392 081d58"),
    ("YlOrRd", "ffffcc ffeda0 fed976 feb24c fd8c3c fc4d2a e2191c bb0026 800026"),
    ("GnBu", "f7fcf0 e0f3db ccebc5 a7ddb5 7accc4 4db2d3 2a8bbe 0867ab 084081"),
    ("rainbow", "8000ff 5641fd 2c7ef7 00b5eb 2adddd 54f6cb 80ffb4 abf69b d4dd80 ffb360 ff7e41 ff4121 ff0000"),
    (
        "turbo",
        "30123b 392a73 4143a7 4559cb 4771e9 4685fa 3e9bfe 31aff5 22c5e2 19d5cd 1ae4b6 2aefa1 46f884 65fd69 \
         88ff4e a4fc3c b9f635 d0ea34 e1dd37 f1cb3a faba39 fea431 fd8d27 f8721c f05b12 e4450a d63506 c32503 \
         af1801 950d01 7a0403",
    ),
    ("spring", "ff00ff ffff00"),
    ("summer", "008066 ffff66"),
    ("autumn", "ff0000 ffff00"),
    ("winter", "0000ff 00ff80"),
    ("bone", "000000 1c1c27 38384e 545574 707b90 8ca2ac a9c8c8 d5e4e4 ffffff"),
    ("copper", "000000 3f2819 7e5033 bd784c fc9f65 ffc77f"),
    (
        "terrain",
        "333399 2353b9 1276dc 0098fe 00b2b2 01cc66 31d670 65e07a 99eb85 cdf58f fefe98 e6df8b ccbe7d b29c6f \
         987b61 815e56 997c76 b39e99 cdbfbc e7e0df ffffff",
    ),
];

/// The maps whose colors aren't interpolated.
const STEPPED: &[(&str, &str)] = &[
    ("tab10", "1f77b4 ff7f0e 2ca02c d62728 9467bd 8c564b e377c2 7f7f7f bcbd22 17becf"),
    ("Set1", "e41a1c 377eb8 4daf4a 984ea3 ff7f00 ffff33 a65628 f781bf 999999"),
    ("Set2", "66c2a5 fc8d62 8da0cb e78ac3 a6d854 ffd92f e5c494 b3b3b3"),
    ("Set3", "8dd3c7 ffffb3 bebada fb8072 80b1d3 fdb462 b3de69 fccde5 d9d9d9 bc80bd ccebc5 ffed6f"),
    ("Paired", "a6cee3 1f78b4 b2df8a 33a02c fb9a99 e31a1c fdbf6f ff7f00 cab2d6 6a3d9a ffff99 b15928"),
    ("Pastel1", "fbb4ae b3cde3 ccebc5 decbe4 fed9a6 ffffcc e5d8bd fddaec f2f2f2"),
    ("Dark2", "1b9e77 d95f02 7570b3 e7298a 66a61e e6ab02 a6761d 666666"),
    ("Accent", "7fc97f beaed4 fdc086 ffff99 386cb0 f0027f bf5b17 666666"),
    (
        "tab20",
        "1f77b4 aec7e8 ff7f0e ffbb78 2ca02c 98df8a d62728 ff9896 9467bd c5b0d5 8c564b c49c94 e377c2 f7b6d2 \
         7f7f7f c7c7c7 bcbd22 dbdb8d 17becf 9edae5",
    ),
];

pub fn names() -> impl Iterator<Item = &'static str> {
    MAPS.iter().chain(STEPPED).map(|(name, _)| *name)
}

/// A color map that is ready to be used.
pub struct Colors {
    stops: Vec<[u8; 3]>,
    stepped: bool,
}

impl Colors {
    /// The map with this name, or its reverse if the name ends in `_r`; `None` if there is none.
    pub fn named(name: &str) -> Option<Colors> {
        let base = name.strip_suffix("_r").unwrap_or(name);
        let known = |maps: &'static [(&str, &'static str)]| maps.iter().find(|(name, _)| *name == base);
        let stepped = known(STEPPED);
        let (_, listed) = stepped.or_else(|| known(MAPS))?;
        let number = |digits| u32::from_str_radix(digits, 16).unwrap_or_default();
        let mut stops: Vec<[u8; 3]> =
            listed.split(' ').map(number).map(|n| [(n >> 16) as u8, (n >> 8) as u8, n as u8]).collect();
        if base != name {
            stops.reverse();
        }
        Some(Colors { stops, stepped: stepped.is_some() })
    }

    /// The color for a number from 0 to 1. Numbers outside get the colors at the ends, and NaN is white.
    pub fn at(&self, share: f64) -> [u8; 3] {
        if share.is_nan() {
            return [255; 3];
        }
        let share = share.clamp(0.0, 1.0);
        let last = self.stops.len() - 1;
        if self.stepped {
            return self.stops[((share * (last + 1) as f64) as usize).min(last)];
        }
        let place = share * last as f64;
        let at = (place as usize).min(last - 1);
        let part = place - at as f64;
        std::array::from_fn(|i| {
            let (a, b) = (f64::from(self.stops[at][i]), f64::from(self.stops[at + 1][i]));
            (a + (b - a) * part).round() as u8
        })
    }
}

impl Map {
    /// The numbers at the map's ends.
    pub fn ends(&self) -> [f64; 2] {
        let finite = || self.values.iter().copied().filter(|v| v.is_finite());
        let [low, high] = self.ends.map(|end| end.filter(|v| v.is_finite()));
        [
            low.unwrap_or_else(|| finite().reduce(f64::min).unwrap_or(0.0)),
            high.unwrap_or_else(|| finite().reduce(f64::max).unwrap_or(1.0)),
        ]
    }

    /// A function from numbers to colors.
    ///
    /// # Errors
    /// There is no map with this name.
    pub fn colors(&self) -> Result<impl Fn(f64) -> [u8; 3]> {
        let colors = Colors::named(&self.name).ok_or_else(|| format!("'{}' is not a known color map", self.name))?;
        let [low, high] = self.ends();
        let span = (high / 2.0 - low / 2.0) * 2.0;
        Ok(move |v: f64| colors.at(if span > 0.0 || v.is_nan() { (v - low) / span } else { 0.0 }))
    }
}

type Result<T> = std::result::Result<T, String>;

/// An image as a data URL, with at most `most` columns and rows: if there are more, evenly spaced ones are used. `turned`
/// says for columns and rows whether the last one comes first.
///
/// # Errors
/// An unknown map, or fewer values than cells.
pub(super) fn picture(image: &Image, most: [usize; 2], turned: [bool; 2]) -> Result<String> {
    let (rows, columns) = (image.rows, image.columns);
    let (wide, tall) = (columns.min(most[0].max(1)), rows.min(most[1].max(1)));
    let given = image.map.as_ref().map_or(image.rgb.len() / 3, |map| map.values.len());
    if rows.checked_mul(columns).is_none_or(|cells| cells != given) {
        return Err(format!("an image of {rows} by {columns} cells with {given} values"));
    }
    let colors = image.map.as_ref().map(|map| Ok::<_, String>((map, map.colors()?))).transpose()?;
    let mut pixels = Vec::with_capacity(tall * (3 * wide + 1));
    for i in 0..tall {
        let row = i * rows / tall;
        let row = if turned[1] { rows - 1 - row } else { row };
        pixels.push(0);
        for j in 0..wide {
            let column = j * columns / wide;
            let cell = row * columns + if turned[0] { columns - 1 - column } else { column };
            pixels.extend(match &colors {
                Some((map, color)) => color(map.values[cell]),
                None => std::array::from_fn(|k| image.rgb[3 * cell + k].clamp(0.0, 255.0).round() as u8),
            });
        }
    }
    Ok(png(wide, tall, &pixels))
}

/// The colors of a map from top to bottom, as an image with one column.
pub(super) fn strip(map: &Map) -> Result<String> {
    let colors = Colors::named(&map.name).ok_or_else(|| format!("'{}' is not a known color map", map.name))?;
    let pixels: Vec<u8> = (0..256).rev().flat_map(|i| [0].into_iter().chain(colors.at(f64::from(i) / 255.0))).collect();
    Ok(png(1, 256, &pixels))
}

/// A PNG file in a data URL. Each row of `pixels` begins with its filter.
fn png(wide: usize, tall: usize, pixels: &[u8]) -> String {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut part = |kind: &[u8; 4], data: &[u8]| {
        let body = [kind, data].concat();
        file.extend((data.len() as u32).to_be_bytes());
        file.extend(&body);
        file.extend(crc32fast::hash(&body).to_be_bytes());
    };
    // Eight bits for each of red, green and blue.
    let head = [&(wide as u32).to_be_bytes()[..], &(tall as u32).to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    part(b"IHDR", &head);
    part(b"IDAT", &miniz_oxide::deflate::compress_to_vec_zlib(pixels, 6));
    part(b"IEND", &[]);
    format!("data:image/png;base64,{}", STANDARD.encode(&file))
}
