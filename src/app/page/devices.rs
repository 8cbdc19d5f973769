//! The devices as yards, with tensors as blocks, memory as a bar, and the links on which copies travel.

use std::time::Duration;

use leptos::prelude::*;

use super::browser;
use super::inside::{Inside, Windows, contents, shape_of};
use super::parts::{accent, has_name};
use super::session::{Mark, Session};
use crate::app::format;
use crate::app::texts::t;
use crate::app::yards::{Block, Tensor, Traffic, Transfer, YardPicture, bar_scale, block_length};
use crate::device::Device;
use crate::lesson::Panel;
use crate::machine::DeviceSpec;

/// How long a moving block stays on its link. The animation in the style sheet must take the same time.
const CROSSING: Duration = Duration::from_millis(900);
/// Milliseconds. Copies that follow each other faster than this travel as one block.
const GAP: f64 = 220.0;

/// Copies in motion, drawn as one block.
#[derive(Clone, Debug, PartialEq)]
struct Mover {
    id: usize,
    from: Device,
    to: Device,
    copies: usize,
    bytes: usize,
    name: Option<String>,
}

/// The copies that are on the links now.
#[derive(Clone, Copy)]
struct Movers {
    travelling: RwSignal<Vec<Mover>>,
}

#[component]
pub fn Devices() -> impl IntoView {
    let session = expect_context::<Session>();
    provide_context(movers(session));
    let devices = Memo::new(move |_| {
        session.playback.picture.with(|p| p.yards.iter().map(|y| y.device).filter(|d| !d.is_cpu()).collect::<Vec<_>>())
    });
    let several = move || devices.with(|d| d.len() > 1);
    let notice = move || session.hand.notice.get();
    let none = move || devices.with(Vec::is_empty);
    view! {
        <section
            class="devices"
            class:pointed=move || session.pointer.panel.get() == Some(Panel::Devices)
            aria-labelledby="devices-title"
        >
            <h2 id="devices-title">{t().devices}<small><Caption/></small></h2>
            <YardView device=Device::CPU/>
            <div class="berths" class:several=several>
                <For each=move || devices.get() key=|d| *d let:device>
                    <div class="berth">
                        <LinkView device/>
                        <YardView device/>
                    </div>
                </For>
            </div>
            <Show when=none>
                <p class="notice">{t().no_accelerator}</p>
            </Show>
            <PeerLinks/>
            <div role="status" class="placing">
                <Show when=move || notice().is_some()>
                    <p class="notice plain">{notice}</p>
                </Show>
            </div>
            <p class="legend">{t().yards_legend}</p>
            <Tables/>
        </section>
    }
}

/// Says what is drawn: a recording, or a run and the executor that ran it.
#[component]
fn Caption() -> impl IntoView {
    let session = expect_context::<Session>();
    move || {
        if session.playback.recorded.get() {
            return t().recorded_earlier.to_string();
        }
        let accelerators = session.program.machine.with(|m| m.devices.len());
        match session.runner.started.get() {
            None => String::new(),
            Some(executor) => {
                let logical = if accelerators > 1 { t().several_logical } else { "" };
                let adapter = session.runner.capabilities.with(|c| c.as_ref().and_then(|c| c.webgpu.clone().ok()));
                let how = match (executor.as_str(), adapter) {
                    ("cpu", _) if accelerators == 0 => t().by_cpu.into(),
                    ("cpu", _) => t().simulated.into(),
                    ("webgpu", Some(adapter)) if has_name(&adapter) => t().by_webgpu(&adapter),
                    ("webgpu", _) => t().by_executor(&"WebGPU"),
                    _ => t().by_executor(&executor),
                };
                format!("{how}{logical}")
            }
        }
    }
}

/// Turns newly visible copies into moving blocks.
fn movers(session: Session) -> Movers {
    let travelling = RwSignal::new(Vec::<Mover>::new());
    let next = StoredValue::new(0_usize);
    let latest = StoredValue::new(Vec::<(Device, Device, f64)>::new());
    Effect::new(move |_| {
        let copies = session.playback.copies.get();
        if copies.is_empty() || browser::prefers_reduced_motion() {
            return;
        }
        let now = browser::now();
        for copy in copies {
            let same_way = |m: &Mover| m.from == copy.from && m.to == copy.to;
            let crowded =
                latest.with_value(|l| l.iter().any(|l| l.0 == copy.from && l.1 == copy.to && now - l.2 < GAP));
            if crowded && travelling.with_untracked(|t| t.iter().any(same_way)) {
                travelling.update(|t| {
                    if let Some(mover) = t.iter_mut().rev().find(|m| same_way(m)) {
                        mover.copies += 1;
                        mover.bytes += copy.bytes;
                        mover.name = None;
                    }
                });
                continue;
            }
            latest.update_value(|l| {
                l.retain(|l| !(l.0 == copy.from && l.1 == copy.to));
                l.push((copy.from, copy.to, now));
            });
            let id = next.get_value();
            next.set_value(id + 1);
            let Transfer { from, to, bytes, name, .. } = copy;
            travelling.update(|t| t.push(Mover { id, from, to, copies: 1, bytes, name }));
            set_timeout(move || travelling.update(|t| t.retain(|m| m.id != id)), CROSSING);
        }
    });
    Movers { travelling }
}

/// The id of the heading of a device's yard.
pub(crate) fn yard_id(device: Device) -> String {
    format!("yard-{}", device.to_string().replace(':', ""))
}

/// One device with its tensors and its memory.
#[component]
fn YardView(device: Device) -> impl IntoView {
    let session = expect_context::<Session>();
    let yard =
        Memo::new(move |_| session.playback.picture.with(|p| p.yards.iter().find(|y| y.device == device).cloned()));
    let id = yard_id(device);
    let blocks = move || yard.with(|y| y.as_ref().map(|y| y.blocks.clone()).unwrap_or_default());
    let rest = move || yard.with(|y| y.as_ref().and_then(|y| y.rest));
    let live = move || yard.with(|y| y.as_ref().map_or(0, |y| y.live));
    let over = RwSignal::new(false);
    let role = match device {
        d if d.is_cpu() => t().host,
        d if d.is_meta() => t().meta_role,
        _ => t().accelerator,
    };
    let place = move || yard.with(|y| y.as_ref().and_then(|y| y.place));
    // When the program has selected some of the machine's GPUs, its index for a GPU isn't the machine's.
    let about = move || {
        let name = place().and_then(|at| session.program.machine.with(|m| m.devices.get(at).map(DeviceSpec::model)));
        let name = name.unwrap_or_else(|| role.to_string());
        match place().filter(|&at| device.index.is_some_and(|index| index as usize != at)) {
            Some(at) => t().gpu_of_machine(&name, &at),
            None => name,
        }
    };
    view! {
        <article
            class="yard"
            tabindex="-1"
            class:target=move || over.get() && session.hand.dragged.with(|d| d.as_ref().is_some_and(|(from, _)| *from != device))
            data-accent=accent(&device.to_string())
            aria-labelledby=id.clone()
            on:dragover=move |event| {
                if session.hand.dragged.with_untracked(|d| d.as_ref().is_some_and(|(from, _)| *from != device)) {
                    event.prevent_default();
                    over.set(true);
                }
            }
            on:dragleave=move |_| over.set(false)
            on:drop=move |event| {
                event.prevent_default();
                over.set(false);
                if let Some((from, block)) = session.hand.dragged.get_untracked()
                    && from != device
                {
                    session.hand.dragged.set(None);
                    session.place(&block, device);
                }
            }
        >
            <header>
                <h3 id=id.clone()>{device.to_string()}</h3>
                <span class="role">{about}</span>
                <span class="count">{move || format::count(live(), t().tensor, t().tensors)}</span>
            </header>
            <ul class="blocks" aria-label=t().tensors_label>
                <For each=blocks key=|b| (b.storage, b.tensor.name.clone()) let:block>
                    <BlockView device block/>
                </For>
                <Show when=move || rest().is_some()>
                    <li class="rest">
                        {move || rest().map(|(n, bytes)| t().and_more(&format::thousands(n), &format::bytes(bytes)))}
                    </li>
                </Show>
                <Show when=move || live() == 0>
                    <li class="empty">{t().no_tensor}</li>
                </Show>
            </ul>
            <Chosen device yard/>
            <MemoryBar yard/>
        </article>
    }
}

/// What is known about the tensor that was picked, and where it could be moved.
#[component]
fn Chosen(device: Device, yard: Memo<Option<YardPicture>>) -> impl IntoView {
    let session = expect_context::<Session>();
    let block = Memo::new(move |_| {
        let (_, storage) = session.hand.chosen.get().filter(|(on, _)| *on == device)?;
        yard.with(|y| y.as_ref().and_then(|y| y.blocks.iter().find(|b| b.storage == storage).cloned()))
    });
    let others = move || session.playback.picture.with(|p| p.yards.iter().map(|y| y.device).collect::<Vec<_>>());
    move || {
        let block = block.get()?;
        let tensor = block.tensor.clone();
        let name = tensor.name.clone().unwrap_or_else(|| t().unnamed.into());
        let (line, event) = (tensor.line, Some(tensor.made));
        let made = move || {
            (line > 0).then(|| {
                view! {
                    <button
                        class="link"
                        type="button"
                        on:click=move |_| session.playback.focus.set(Some(Mark { line, scroll: true, event }))
                    >
                        {t().created_in_line(&line)}
                    </button>
                }
            })
        };
        let moves = others()
            .into_iter()
            .filter(|to| *to != device)
            .map(|to| {
                let block = block.clone();
                view! {
                    <button
                        type="button"
                        data-accent=accent(&to.to_string())
                        on:click=move |_| session.place(&block, to)
                    >
                        {to.to_string()}
                    </button>
                }
            })
            .collect_view();
        let inside = contents(session, block.storage);
        let known = tensor.clone();
        let facts = move || {
            let shape = shape_of(inside, known.name.as_ref()).unwrap_or_else(|| known.shape.clone());
            facts(&Tensor { shape, ..known.clone() })
        };
        // The block gets the focus back.
        let close = move || {
            browser::focus(".block.picked button");
            session.hand.chosen.set(None);
        };
        Some(view! {
            <div
                class="chosen"
                role="group"
                aria-label=t().about_tensor(&name)
                on:keydown=move |event| if event.key() == "Escape" { close() }
            >
                <p><code>{name.clone()}</code>" "{facts}</p>
                <p>{made()}" "{kept_alive(&tensor)}</p>
                <Inside storage=block.storage named=block.tensor.name.is_some()/>
                <div class="moves">
                    <span>{t().move_to}</span>
                    {moves}
                    <button class="quiet" type="button" on:click=move |_| close()>
                        {t().close}
                    </button>
                </div>
            </div>
        })
    }
}

/// A tensor's shape, dtype and size, and the size of its block if that is larger.
pub(crate) fn facts(tensor: &Tensor) -> String {
    let (shape, bytes) = (format::shape(&tensor.shape), format::bytes(tensor.requested));
    match tensor.bytes == tensor.requested {
        true => t().tensor_facts_plain(&shape, &tensor.dtype.name(), &bytes),
        false => t().tensor_facts(&shape, &tensor.dtype.name(), &bytes, &format::bytes(tensor.bytes)),
    }
}

/// Which variable holds a tensor, and since when.
pub(crate) fn kept_alive(tensor: &Tensor) -> String {
    match (&tensor.name, tensor.held) {
        (None, _) => t().kept_by_nothing.into(),
        (Some(name), 0) => t().kept_by(name),
        (Some(name), line) => t().kept_by_since(name, &line),
    }
}

#[component]
fn BlockView(device: Device, block: Block) -> impl IntoView {
    let session = expect_context::<Session>();
    let Block { tensor, storage } = block.clone();
    let (line, event) = (tensor.line, Some(tensor.made));
    let contents = contents(session, storage);
    let known = tensor.clone();
    let shape = Memo::new(move |_| {
        format::shape(&shape_of(contents, known.name.as_ref()).unwrap_or_else(|| known.shape.clone()))
    });
    let bytes = format::bytes(tensor.bytes);
    let named = tensor.name.is_some();
    let variable = tensor.name.clone();
    let name = tensor.name.clone().unwrap_or_else(|| t().unnamed.into());
    let origin = match (tensor.from, tensor.pinned) {
        (Some(from), _) => t().copied_from(&from),
        (None, true) => t().pinned.into(),
        (None, false) => String::new(),
    };
    let born = if line > 0 { format!(", {}", t().created_in_line(&line)) } else { String::new() };
    let more = format!("{origin}{born}");
    let full = [name.clone(), tensor.dtype.name().to_string(), format!("{bytes}{more}")];
    let title = move || format!("{}, {}, {}, {}", full[0], shape.get(), full[1], full[2]);
    let length = format!("{:.4}", block_length(tensor.bytes as u64));
    let chosen = move || session.hand.chosen.get() == Some((device, storage));
    let pointed = move || session.pointer.block.with(|name| name.is_some() && *name == variable);
    view! {
        <li
            class="block"
            class:unnamed=!named
            class:copied=tensor.from.is_some()
            class:pinned=tensor.pinned
            class:picked=chosen
            class:pointed=pointed
            style:--length=length
            draggable="true"
            on:dragstart=move |event: web_sys::DragEvent| {
                if let Some(data) = event.data_transfer() {
                    // Firefox doesn't start a drag without data.
                    let _ = data.set_data("text/plain", "");
                    data.set_effect_allowed("move");
                }
                session.hand.dragged.set(Some((device, block.clone())));
            }
            on:dragend=move |_| session.hand.dragged.set(None)
        >
            <button
                type="button"
                title=title
                aria-expanded=move || chosen().to_string()
                on:click=move |_| {
                    session.hand.choose(device, storage);
                    if line > 0 && chosen() {
                        session.playback.focus.set(Some(Mark { line, scroll: true, event }));
                    }
                }
            >
                <span class="name">{name}</span>
                <span class="shape">{shape}" "{short_dtype(tensor.dtype.name())}</span>
                <span class="bytes">{bytes}</span>
                <span class="visually-hidden">{more}</span>
                <Windows contents/>
            </button>
        </li>
    }
}

/// `f32` for `float32`. The accessible label has the full name.
fn short_dtype(name: &str) -> String {
    name.replace("bfloat", "bf").replace("float", "f").replace("uint", "u").replace("int", "i")
}

/// A bar: allocated bytes within reserved bytes within the scale. The host has no allocator, so only its sum is shown.
#[component]
fn MemoryBar(yard: Memo<Option<YardPicture>>) -> impl IntoView {
    let read = move |get: fn(&YardPicture) -> u64| yard.with(|y| y.as_ref().map_or(0, get));
    let allocated = move || read(|y| y.allocated);
    let reserved = move || read(|y| y.reserved);
    let peak = move || read(|y| y.peak);
    let capacity = move || yard.with(|y| y.as_ref().and_then(|y| y.capacity));
    let scale = move || bar_scale(reserved().max(peak()), capacity());
    let part = move |bytes: u64| format!("{:.3}%", 100.0 * bytes as f64 / scale() as f64);
    let words = move || match capacity() {
        Some(capacity) => t().gauge(
            &format::bytes(allocated()),
            &format::bytes(reserved()),
            &format::bytes(peak()),
            &format::bytes(capacity),
        ),
        None => t().gauge_host(&format::bytes(allocated()), &format::bytes(peak())),
    };
    view! {
        <div class="memory">
            <div class="gauge" role="img" aria-label=words>
                <span class="reserved" style:width=move || part(reserved())></span>
                <span class="allocated" style:width=move || part(allocated())></span>
                <span class="peak" style:left=move || part(peak())></span>
            </div>
            <p aria-hidden="true">
                <span><b>{move || format::bytes(allocated())}</b>" "{t().allocated}</span>
                <Show when=move || capacity().is_some()>
                    <span><b>{move || format::bytes(reserved())}</b>" "{t().reserved}</span>
                </Show>
                <span><b>{move || format::bytes(peak())}</b>" "{t().peak}</span>
                <span class="end">
                    {move || match capacity() {
                        Some(capacity) if capacity == scale() => t().of(&format::bytes(capacity)),
                        Some(capacity) => {
                            t().bar_to_of(&format::bytes(scale()), &format::bytes(capacity))
                        }
                        None => t().bar_to(&format::bytes(scale())),
                    }}
                </span>
            </p>
        </div>
    }
}

/// The link between the host and one accelerator, with one lane for each direction.
#[component]
fn LinkView(device: Device) -> impl IntoView {
    let session = expect_context::<Session>();
    let link = move || session.program.machine.with(|m| m.host_link.kind.clone());
    view! {
        <div class="link" data-accent=accent(&device.to_string())>
            <Lane from=Device::CPU to=device/>
            <p class="kind">{link}</p>
            <Lane from=device to=Device::CPU/>
        </div>
    }
}

#[component]
fn Lane(from: Device, to: Device) -> impl IntoView {
    let session = expect_context::<Session>();
    let Movers { travelling } = expect_context();
    let route = Memo::new(move |_| traffic(session, from, to));
    let down = from.is_cpu();
    let mine =
        move || travelling.with(|t| t.iter().filter(|m| m.from == from && m.to == to).cloned().collect::<Vec<_>>());
    view! {
        <div
            class="lane"
            class:down=down
            class:up=!down
            class:idle=move || route.get().is_none()
            class:pointed=move || session.pointer.link.get() == Some((from, to))
        >
            <div class="track" aria-hidden="true">
                <For each=mine key=|m| (m.id, m.copies) let:mover>
                    <span class="mover">
                        {match mover.name {
                            Some(name) => name,
                            None if mover.copies > 1 => format!("{}×", mover.copies),
                            None => String::new(),
                        }}
                        <small>{format::bytes(mover.bytes)}</small>
                    </span>
                </For>
            </div>
            <p class="totals">
                {move || match route.get() {
                    None => t().nothing_to_yet(&to).into_any(),
                    Some(route) => session.program.machine.with(|m| totals(&route, &m.host_link.kind)).into_any(),
                }}
            </p>
        </div>
    }
}

/// Copies between accelerators. They appear when the first one happens.
#[component]
fn PeerLinks() -> impl IntoView {
    let session = expect_context::<Session>();
    let routes = move || {
        session.playback.picture.with(|p| {
            p.traffic.iter().filter(|r| !r.from.is_cpu() && !r.to.is_cpu()).map(|r| (r.from, r.to)).collect::<Vec<_>>()
        })
    };
    let kind = move || session.program.machine.with(|m| m.peer_link.kind.clone());
    view! {
        <ul class="peers" aria-label=t().copies_between>
            <For each=routes key=|r| *r let:ends>
                <li class:pointed=move || session.pointer.link.get() == Some(ends)>
                    <code class="on" data-accent=accent(&ends.0.to_string())>{ends.0.to_string()}</code>
                    " → "
                    <code class="on" data-accent=accent(&ends.1.to_string())>{ends.1.to_string()}</code>
                    " "
                    {move || traffic(session, ends.0, ends.1).map(|r| totals(&r, &kind()))}
                </li>
            </For>
        </ul>
    }
}

fn traffic(session: Session, from: Device, to: Device) -> Option<Traffic> {
    session.playback.picture.with(|p| p.traffic.iter().find(|r| r.from == from && r.to == to).cloned())
}

/// `16 copies, 272 KiB`, and below it `1.2 ms here, 171 µs on PCIe 4.0 x16`.
fn totals(route: &Traffic, link: &str) -> impl IntoView + use<> {
    let here = match route.measured > 0.0 {
        true => t().time_here(&format::micros(route.measured)),
        false => t().not_measured_here.into(),
    };
    let what = format!("{}, {}", format::count(route.copies, t().copy, t().copies), format::bytes(route.bytes));
    let times = format!("{here}, {}", t().time_on(&format::micros(route.modeled), &link));
    view! { <b>{what}</b>" "<span>{times}</span> }
}

/// The same information as the pictures, as a table.
#[component]
fn Tables() -> impl IntoView {
    let open = RwSignal::new(false);
    view! {
        <details class="tables" on:toggle=move |_| open.update(|open| *open = !*open)>
            <summary>{t().as_tables}</summary>
            <Show when=move || open.get()>
                <MemoryTable/>
                <TensorTable/>
                <CopyTable/>
            </Show>
        </details>
    }
}

#[component]
fn MemoryTable() -> impl IntoView {
    let session = expect_context::<Session>();
    let rows = move || session.playback.picture.with(|p| p.yards.clone());
    let size = |n: Option<u64>| n.map_or("—".to_string(), format::bytes);
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=t().table_memory_label>
            <table>
                <caption>{t().memory}</caption>
                <thead>
                    <tr>
                        <th scope="col">{t().device}</th>
                        <th scope="col">{t().tensors_label}</th>
                        <th scope="col">{t().col_allocated}</th>
                        <th scope="col">{t().col_reserved}</th>
                        <th scope="col">{t().col_peak}</th>
                        <th scope="col">{t().col_capacity}</th>
                        <th scope="col">{t().col_kernels}</th>
                    </tr>
                </thead>
                <tbody>
                    {move || rows()
                        .into_iter()
                        .map(|y| view! {
                            <tr>
                                <th scope="row">{y.device.to_string()}</th>
                                <td>{format::thousands(y.live)}</td>
                                <td>{format::bytes(y.allocated)}</td>
                                <td>{size(y.capacity.map(|_| y.reserved))}</td>
                                <td>{format::bytes(y.peak)}</td>
                                <td>{size(y.capacity)}</td>
                                <td>{format::thousands(y.launches)}</td>
                            </tr>
                        })
                        .collect_view()}
                </tbody>
            </table>
        </div>
    }
}

#[component]
fn TensorTable() -> impl IntoView {
    let session = expect_context::<Session>();
    let rows = move || session.playback.picture.with(|p| p.yards.clone());
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=t().table_tensors_label>
            <table>
                <caption>{t().tensors_label}</caption>
                <thead>
                    <tr>
                        <th scope="col">{t().col_name}</th>
                        <th scope="col">{t().device}</th>
                        <th scope="col">{t().col_shape}</th>
                        <th scope="col">{t().col_dtype}</th>
                        <th scope="col">{t().col_bytes}</th>
                        <th scope="col">{t().col_line}</th>
                    </tr>
                </thead>
                <tbody>
                    {move || rows()
                        .into_iter()
                        .flat_map(|y| y.blocks.into_iter().map(move |b| (y.device, b)))
                        .map(|(device, Block { tensor, .. })| view! {
                            <tr>
                                <th scope="row">{tensor.name.unwrap_or_else(|| t().unnamed.into())}</th>
                                <td>{device.to_string()}</td>
                                <td>{format::shape(&tensor.shape)}</td>
                                <td>{tensor.dtype.name()}</td>
                                <td>{format::bytes(tensor.bytes)}</td>
                                <td>{if tensor.line > 0 { tensor.line.to_string() } else { "—".into() }}</td>
                            </tr>
                        })
                        .collect_view()}
                </tbody>
            </table>
        </div>
    }
}

#[component]
fn CopyTable() -> impl IntoView {
    let session = expect_context::<Session>();
    let rows = move || session.playback.picture.with(|p| p.recent.clone());
    view! {
        <div class="scroll" tabindex="0" role="group" aria-label=t().table_copies_label>
            <table>
                <caption>{t().latest_copies}</caption>
                <thead>
                    <tr>
                        <th scope="col">{t().col_line}</th>
                        <th scope="col">{t().col_from}</th>
                        <th scope="col">{t().col_to}</th>
                        <th scope="col">{t().col_tensor}</th>
                        <th scope="col">{t().col_bytes}</th>
                        <th scope="col">{t().col_here}</th>
                        <th scope="col">{t().col_real}</th>
                    </tr>
                </thead>
                <tbody>
                    {move || rows()
                        .into_iter()
                        .rev()
                        .map(|c| view! {
                            <tr>
                                <th scope="row">{if c.line > 0 { c.line.to_string() } else { "—".into() }}</th>
                                <td>{c.from.to_string()}</td>
                                <td>{c.to.to_string()}</td>
                                <td>{c.name.unwrap_or_else(|| t().unnamed.into())}</td>
                                <td>{format::bytes(c.bytes)}</td>
                                <td>{if c.measured > 0.0 { format::micros(c.measured) } else { t().not_measured.into() }}</td>
                                <td>{format::micros(c.modeled)}</td>
                            </tr>
                        })
                        .collect_view()}
                </tbody>
            </table>
        </div>
    }
}
