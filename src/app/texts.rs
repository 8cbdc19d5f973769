//! Every text of the page, in the languages that are compiled in. A line that lacks one of them doesn't compile, and neither does
//! a line whose gaps (`{name}`) differ between them. All other languages are data: see [`crate::language`].
//!
//! Programs, Python's output and PyTorch's messages aren't translated here, and lessons have their own translations.
//! `t().lessons` is a string; `t().no_lesson(&id)` is one with its gaps filled.

use std::cell::Cell;
use std::fmt::Display;

pub use crate::language::{LANGUAGES, Language};
use crate::language::{say, translated};

/// The name of this site, in every language.
pub const NAME: &str = "Tensoryard";

thread_local! {
    static SPOKEN: Cell<&'static Texts> = const { Cell::new(&ENGLISH) };
}

/// Sets the language of [`t`].
pub fn speak(language: Language) {
    let texts = match language {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
        Language::Other(_) if SPOKEN.get().in_language == language => return,
        // A page changes its language a few times at most, so its texts may stay in memory.
        Language::Other(code) => Box::leak(Box::new(Texts::in_other(code))),
    };
    SPOKEN.set(texts);
}

/// The chosen language.
pub(crate) fn spoken() -> Language {
    SPOKEN.get().in_language
}

/// The texts in the chosen language.
pub fn t() -> &'static Texts {
    SPOKEN.get()
}

/// The texts in a language. One that is data has them while it's spoken; otherwise they're in English.
pub(crate) fn texts_in(language: Language) -> &'static Texts {
    match language {
        Language::German => &GERMAN,
        Language::Other(_) if spoken() == language => t(),
        Language::English | Language::Other(_) => &ENGLISH,
    }
}

/// One string of the page, in a language that is data.
fn other(code: &str, english: &'static str) -> &'static str {
    translated(code, english).map_or(english, |text| &*text.leak())
}

/// The type of a field of [`Texts`]: the string itself, or nothing if it has gaps. A string with gaps has a method that
/// fills them.
macro_rules! entry {
    ($text:literal) => { $text };
    ($text:literal $($gap:ident)+) => { () };
    (type) => { &'static str };
    (type $($gap:ident)+) => { () };
    (other $code:ident $text:literal) => { other($code, $text) };
    (other $code:ident $text:literal $($gap:ident)+) => { () };
}

macro_rules! texts {
    ($($name:ident $(($($gap:ident),+))?: $english:literal, $german:literal;)*) => {
        pub struct Texts {
            in_language: Language,
            $(pub $name: entry!(type $($($gap)+)?),)*
        }

        impl Texts {
            fn in_other(code: &'static str) -> Texts {
                Texts { in_language: Language::Other(code), $($name: entry!(other code $english $($($gap)+)?),)* }
            }

            $($(
                pub fn $name(&self, $($gap: &dyn Display),+) -> String {
                    say!(self.in_language, [$($gap),+], $english, $german)
                }
            )?)*
        }

        pub static ENGLISH: Texts = Texts { in_language: Language::English, $($name: entry!($english $($($gap)+)?),)* };
        pub static GERMAN: Texts = Texts { in_language: Language::German, $($name: entry!($german $($($gap)+)?),)* };

        /// Every text in English, for translators.
        #[cfg(not(target_arch = "wasm32"))]
        pub const IN_ENGLISH: &[&str] = &[$($english),*];

        /// Each text's name, the text in each language, and whether it has gaps.
        #[cfg(test)]
        const ALL: &[(&str, [&str; 2], bool)] = &[
            $((stringify!($name), [$english, $german], !stringify!($($($gap)+)?).is_empty()),)*
        ];
    };
}

texts! {
    // the frame
    skip: "Skip to the content", "Zum Inhalt springen";
    views: "Views", "Ansichten";
    lessons: "Lessons", "Lektionen";
    playground: "Playground", "Werkstatt";
    teach: "Teach", "Unterrichten";
    about: "About", "Über Tensoryard";
    for_instructors: "For instructors", "Für Lehrende";
    footer: "Not part of PyTorch. PyTorch is a trademark of the Linux Foundation.", "Kein Teil von PyTorch. PyTorch ist eine Marke der Linux Foundation.";
    language: "Language", "Sprache";
    id_of_this_site(id): "This page brought a lesson with the id {id}, and this site already has a lesson with that id. Its author can give it another id.", "Diese Seite hat eine Lektion mit der ID {id} mitgebracht, und hier gibt es schon eine Lektion mit dieser ID. Wer sie geschrieben hat, kann ihr eine andere ID geben.";
    not_on_this_site(host): "This lesson can't be embedded on {host}.", "Diese Lektion lässt sich auf {host} nicht einbetten.";
    colors: "Colors", "Farben";
    theme_auto: "Auto", "Auto";
    theme_light: "Light", "Hell";
    theme_dark: "Dark", "Dunkel";

    // the engine
    engine_loading: "Engine loading…", "Motor lädt …";
    engine_not_running: "Engine not running", "Motor steht";
    running: "Running", "Läuft";
    ready: "Ready", "Bereit";
    ready_webgpu: "Ready on WebGPU", "Bereit auf WebGPU";
    ready_cpu: "Ready on the CPU", "Bereit auf der CPU";
    on_webgpu(adapter): "WebGPU: {adapter}", "WebGPU: {adapter}";
    without_webgpu: "This browser offers no WebGPU here, so this computer's CPU simulates the GPUs.", "Dieser Browser bietet hier kein WebGPU, darum bildet die CPU dieses Rechners die GPUs nach.";
    without_jspi: "This computer's CPU simulates the GPUs, because this browser can't suspend WebAssembly (JSPI), so Python can't wait for a GPU. Chrome 137, Firefox 153 and Safari 27 can.", "Die CPU dieses Rechners bildet die GPUs nach, weil dieser Browser WebAssembly nicht anhalten kann (JSPI) und Python deshalb nicht auf eine GPU warten kann. Chrome 137, Firefox 153 und Safari 27 können es.";
    engine_stopped: "The engine is not running.", "Der Motor steht.";
    engine_message(error): "the page does not understand the engine's message: {error}", "die Seite versteht die Nachricht des Motors nicht: {error}";
    engine_script: "its script could not be loaded", "sein Skript konnte nicht geladen werden";
    fetch_failed(file, reason): "{file} could not be fetched: {reason}", "{file} konnte nicht geholt werden: {reason}";
    fetch_status(file, status): "{file} could not be fetched: the server answered {status}", "{file} konnte nicht geholt werden: Der Server antwortete {status}";
    page_mistake: "This page stopped because of a mistake in Tensoryard. Reload it to go on: your program and your progress are stored in this browser. If you report this, please include the message below.", "Diese Seite ist wegen eines Fehlers in Tensoryard stehen geblieben. Lad sie neu, um weiterzumachen: Dein Programm und dein Fortschritt sind in diesem Browser gespeichert. Wenn du das meldest, nimm bitte die Meldung unten auf.";
    engine_gone: "The engine stopped answering, so a new one was started. Your program hasn't changed.", "Der Motor hat nicht mehr geantwortet, deshalb wurde ein neuer gestartet. Dein Programm ist unverändert.";
    engine_too_deep: "The functions of your program called one another more deeply than this browser allows, so the engine had to be restarted. Your program, its output and your progress are still here.", "Die Funktionen deines Programms riefen einander tiefer auf, als dieser Browser erlaubt, deshalb musste der Motor neu gestartet werden. Dein Programm, seine Ausgabe und dein Fortschritt sind noch da.";
    engine_memory: "The engine ended without a message, most likely because your program needs more memory than a browser gives it. A new engine was started. Your program, its output and your progress are still here.", "Der Motor endete ohne eine Meldung, höchstwahrscheinlich, weil dein Programm mehr Speicher braucht, als ein Browser ihm gibt. Ein neuer Motor wurde gestartet. Dein Programm, seine Ausgabe und dein Fortschritt sind noch da.";
    engine_mistake: "The engine ended because of a mistake in Tensoryard, not in your program. A new engine was started. Your program, its output and your progress are still here. If you report this, please send the report below: it contains this message and your program.", "Der Motor endete wegen eines Fehlers in Tensoryard, nicht in deinem Programm. Ein neuer Motor wurde gestartet. Dein Programm, seine Ausgabe und dein Fortschritt sind noch da. Wenn du das meldest, schick bitte den Bericht unten mit: Er enthält diese Meldung und dein Programm.";
    engine_ended_here: "The engine ended here. See the message under the program.", "Hier endete der Motor. Die Meldung steht unter dem Programm.";
    copy_report: "Copy the report", "Bericht kopieren";
    report_copied: "The report is copied.", "Der Bericht ist kopiert.";
    report_refused: "The browser doesn't let this page copy; select the message above instead.", "Der Browser erlaubt dieser Seite das Kopieren nicht. Markiere stattdessen die Meldung oben.";
    gpu_lost: "GPU lost", "GPU verloren";
    gpu_lost_sentence: "The browser lost the GPU, and with it every tensor on it. The next run asks for it again.", "Der Browser hat die GPU verloren und mit ihr jeden Tensor darauf. Der nächste Lauf fragt wieder nach ihr.";
    no_gpu_again(reason): "Your program didn't run: the browser lost the GPU and has no other to offer ({reason}). Run it again to ask once more, or choose “This computer's CPU” under “Computed by”.", "Dein Programm lief nicht: Der Browser hat die GPU verloren und bietet keine andere an ({reason}). Führ es noch einmal aus, um wieder zu fragen, oder wähl unter „Gerechnet von“ „CPU dieses Rechners“.";
    start_again: "Start it again", "Neu starten";
    stopped_hard: "Stopped. Python wasn't responding, so the engine was restarted. Your program hasn't changed.", "Angehalten. Python hat nicht geantwortet, deshalb wurde der Motor neu gestartet. Dein Programm ist unverändert.";
    keeps_nothing: "This browser isn't saving anything for this page. You'll lose your program when you close the tab.", "Dieser Browser speichert nichts für diese Seite. Wenn du den Tab schließt, ist dein Programm weg.";

    // home
    headline: "See where your tensors live.", "Sieh, wo deine Tensoren leben.";
    lead: "Write PyTorch in this tab. Every tensor, every copy between devices and every byte of device memory is drawn as it happens, and every mistake is explained where it was made.", "Schreib PyTorch in diesem Tab. Jeder Tensor, jede Kopie zwischen Geräten und jedes Byte Gerätespeicher wird gezeichnet, während es geschieht, und jeder Fehler wird dort erklärt, wo er entstand.";
    recording_again: "Play it again", "Noch einmal abspielen";
    start_lessons: "Start with the lessons", "Mit den Lektionen beginnen";
    open_playground: "Open the playground", "Werkstatt öffnen";
    run_here: "Run it here", "Hier ausführen";
    promises: "What you can rely on", "Worauf du dich verlassen kannst";
    promise_exact: "Exact about devices", "Genau bei Geräten";
    promise_exact_text: "Errors, devices, memory sizes and random numbers are those of PyTorch 2.15, and are tested against recordings of it.", "Fehlertexte, Geräte, Speichergrößen und Zufallszahlen sind die von PyTorch 2.15. Tests vergleichen sie mit dem, was PyTorch selbst ausgab.";
    promise_seen: "Nothing hidden", "Nichts verborgen";
    promise_seen_text: "Copies, waits, segments and blocks are on the screen, forward and backward in time.", "Kopien, Wartezeiten, Segmente und Blöcke sind zu sehen, und du kannst in der Zeit vor und zurück gehen.";
    promise_yours: "Yours alone", "Nur deins";
    promise_yours_text: "Python runs in this tab. No program, no output and no progress is sent anywhere.", "Python läuft in diesem Tab. Kein Programm, keine Ausgabe und kein Fortschritt wird irgendwohin gesendet.";
    promise_teach: "Made to be embedded", "Zum Einbetten gemacht";
    promise_teach_text: "You can put a lesson on any page with one line of HTML.", "Eine Lektion kommt mit einer Zeile HTML auf jede Seite.";
    about_what: "Tensoryard runs PyTorch-style Python in the browser and shows where every tensor is. It's for people who are learning where to put their tensors, and for their teachers.", "Tensoryard führt Python im Stil von PyTorch im Browser aus und zeigt, wo jeder Tensor liegt. Es ist für alle, die lernen, wohin ihre Tensoren gehören, und für alle, die das unterrichten.";
    about_real: "What is real", "Was echt ist";
    about_real_text: "The arithmetic, the gradients, the device rules, the error messages and PyTorch's memory allocation. Times are measured here, on this computer.", "Die Rechnungen, die Gradienten, die Regeln der Geräte, die Fehlertexte und PyTorchs Speicherverwaltung. Zeiten sind hier gemessen, auf diesem Rechner.";
    about_simulated: "What is simulated", "Was nachgebildet ist";
    about_simulated_text: "The machine: a browser offers one GPU at most, so several accelerators are logical devices on one, and without WebGPU the processor simulates them. The numbers for PCIe and NVLink are computed from their bandwidth. The page says so wherever it applies.", "Die Maschine: Ein Browser bietet höchstens eine GPU; mehrere Beschleuniger sind logische Geräte auf einer, und ohne WebGPU bildet der Prozessor sie nach. Die Zahlen für PCIe und NVLink sind aus deren Bandbreite berechnet. Die Seite sagt es überall, wo das so ist.";
    about_private: "What leaves this tab", "Was diesen Tab verlässt";
    about_private_text: "Nothing. A link that you copy carries the program in its fragment, which browsers do not send to servers. Progress is kept in this browser.", "Nichts. Ein Link, den du kopierst, enthält das Programm in seinem Fragment, und das senden Browser nicht an Server. Der Fortschritt bleibt in diesem Browser.";
    about_runs: "What it runs on", "Worauf es läuft";
    about_runs_text: "A current Chrome, Edge, Firefox or Safari. After the first visit it works without a network.", "Ein aktueller Chrome, Edge, Firefox oder Safari. Nach dem ersten Besuch geht es ohne Netz.";

    // the course
    part_0: "A tour of the yard", "Ein Rundgang durch den Hof";
    part_0_line: "Six minutes: run a program, watch its tensors, and move one by hand.", "Sechs Minuten: ein Programm ausführen, seinen Tensoren zusehen und einen von Hand verschieben.";
    part_a: "Tensors", "Tensoren";
    part_a_line: "What a tensor is: its numbers, its shape, its size, and views that share them.", "Was ein Tensor ist: seine Zahlen, seine Form, seine Größe, und Views, die sie sich teilen.";
    part_b: "Devices", "Geräte";
    part_b_line: "Where a tensor lives, how to move it to a GPU, and when a GPU is faster.", "Wo ein Tensor lebt, wie er auf eine GPU kommt, und wann eine GPU schneller ist.";
    part_c: "Train something", "Etwas trainieren";
    part_c_line: "From your first gradient to a network that recognizes images.", "Vom ersten Gradienten zu einem Netz, das Bilder erkennt.";
    part_d: "When things go wrong", "Wenn etwas schiefgeht";
    part_d_line: "The mistakes that everybody makes, and how to find yours.", "Die Fehler, die alle machen, und wie du deine findest.";
    part_e: "Make it fast", "Mach es schnell";
    part_e_line: "What copies and waits cost, and how to avoid them.", "Was Kopien und Wartezeiten kosten, und wie du sie vermeidest.";
    part_f: "More GPUs", "Mehr GPUs";
    part_f_line: "One model or one batch on several devices.", "Ein Modell oder ein Batch auf mehreren Geräten.";
    part_g: "Showpiece", "Meisterstück";
    part_g_line: "A tiny language model, trained in this tab.", "Ein winziges Sprachmodell, trainiert in diesem Tab.";
    part_none: "More lessons", "Weitere Lektionen";
    part_none_line: "These aren't part of the course.", "Diese gehören nicht zum Kurs.";
    track_debug: "Debug this", "Finde den Fehler";
    track_debug_line: "Short programs with one mistake each, the kind that people really make. Find the line before you run it, then mend it.", "Kurze Programme mit je einem Fehler, wie er wirklich vorkommt. Finde die Zeile, bevor du das Programm ausführst, und behebe dann den Fehler.";
    track_puzzles: "Tensor puzzles", "Tensor-Rätsel";
    track_puzzles_line: "Small tasks with a budget of copies, waits, kernels or memory. The run decides.", "Kleine Aufgaben mit einem Budget aus Kopien, Wartezeiten, Kerneln oder Speicher. Der Lauf entscheidet.";
    track_none: "There's nothing here yet.", "Hier ist noch nichts.";
    level_1: "Easy", "Leicht";
    level_2: "Medium", "Mittel";
    level_3: "Hard", "Schwer";
    beside_the_course: "More to explore:", "Neben dem Kurs:";
    lessons_done(done, lessons): "{done} of {lessons} done", "{done} von {lessons} fertig";
    aim_sentence(aim): "After this you can {aim}.", "Danach kannst du {aim}.";
    up_next: "Next", "Als Nächstes";
    start_with(title): "Start: {title}", "Beginnen: {title}";
    go_on_with(title): "Continue: {title}", "Weiter: {title}";

    // lessons
    lessons_intro: "Each one asks you to guess, lets you run real PyTorch code, and shows on the devices why you get this result.", "In jeder rätst du zuerst, führst dann echten PyTorch-Code aus und siehst an den Geräten, warum das herauskommt.";
    loading_list: "Loading the list…", "Liste lädt …";
    loading_lesson: "Loading the lesson…", "Lektion lädt …";
    no_lesson(id): "There is no lesson '{id}'.", "Es gibt keine Lektion „{id}“.";
    all_lessons: "All lessons", "Alle Lektionen";
    minutes(minutes): "{minutes} min", "{minutes} min";
    of_steps(done, steps): "{done} of {steps} steps", "{done} von {steps} Schritten";
    your_progress: "Your progress", "Dein Fortschritt";
    progress_text: "It's saved in this browser. Save it to a file to use it elsewhere.", "Er ist in diesem Browser gespeichert. Speichere ihn in eine Datei, um ihn anderswo zu benutzen.";
    progress_says: "The file holds your programs, and for each exercise how often you ran it, when, and what went wrong, so that a teacher can help you.", "Die Datei enthält deine Programme und zu jeder Aufgabe, wie oft und wann du sie ausgeführt hast und was schiefging, damit dir eine Lehrkraft helfen kann.";
    progress_save: "Save to a file", "In Datei speichern";
    progress_read: "Read from a file", "Aus Datei lesen";
    progress_link: "Copy a link", "Link kopieren";
    progress_link_label: "Link that carries your progress", "Link mit deinem Fortschritt";
    progress_link_copied: "The link is copied. It carries your progress, without your programs.", "Der Link ist kopiert. Er enthält deinen Fortschritt, aber nicht deine Programme.";
    progress_link_ready: "Copy the link from the field. It carries your progress, without your programs.", "Kopier den Link aus dem Feld. Er enthält deinen Fortschritt, aber nicht deine Programme.";
    progress_carried: "Progress in this link", "Fortschritt in diesem Link";
    progress_carried_text(steps): "This link records {steps} as done. Taking it over adds to your progress, and nothing of yours is lost.", "Erledigt laut diesem Link: {steps}. Wenn du das übernimmst, kommt es zu deinem Fortschritt hinzu. Verloren geht dir nichts.";
    progress_none_carried: "This link carries no progress: no step had been done when it was made.", "Dieser Link enthält keinen Fortschritt: Als er entstand, war noch kein Schritt erledigt.";
    progress_take: "Take it over", "Übernehmen";
    step_word: "step", "Schritt";
    steps_word: "steps", "Schritte";
    not_progress: "This isn't a progress file. Nothing was changed.", "Das ist keine Datei mit Fortschritt. Nichts wurde geändert.";
    steps: "Steps", "Schritte";
    back: "Back", "Zurück";
    next_step: "Next step", "Nächster Schritt";
    saw_it_coming: "Just as you predicted.", "Genau wie vorhergesagt.";
    came_out_otherwise: "Not what you predicted. Here's why:", "Anders als vorhergesagt. Hier steht, warum:";
    right: "Right.", "Richtig.";
    not_quite: "Not quite: try another.", "Noch nicht: Versuch eine andere Antwort.";
    guess_first: "Guess first.", "Rate zuerst.";
    question: "Question.", "Frage.";
    kept_guess: "Your answer is saved. Run the program to find out.", "Deine Antwort ist gespeichert. Führ das Programm aus, dann siehst du, ob sie stimmt.";
    why_it_works: "Why it works", "Warum es funktioniert";
    passed: "passed", "bestanden";
    found_no_error(class): "The program ended without an error; {class} was expected.", "Das Programm endete ohne Fehler; erwartet wurde {class}.";
    found_other_error(class, message): "It ended with another error: {class}: {message}", "Es endete mit einem anderen Fehler: {class}: {message}";
    found_error(class, message): "It ended with {class}: {message}", "Es endete mit {class}: {message}";
    found_few(what, count, least): "{what}: {count}; at least {least} expected.", "{what}: {count}; mindestens {least} erwartet.";
    found_many(what, count, most): "{what}: {count}; at most {most} allowed.", "{what}: {count}; höchstens {most} erlaubt.";
    found_looking(what, line, count, counted, most): "{what} in line {line} goes over the limit: {count} {counted}; at most {most} are allowed.", "{what} in Zeile {line} überschreitet die Grenze: {count} {counted}; höchstens {most} sind erlaubt.";
    looked_print: "Your `print`", "Dein `print`";
    looked_text: "The string that you format", "Der Text, den du formatierst,";
    looked_assert: "Your `assert`", "Dein `assert`";
    looked_plot: "Your plot", "Dein Diagramm";
    looked_log: "Your log message", "Deine Protokollzeile";
    found_untrue: "That isn't so yet.", "So ist es noch nicht.";
    found_raises(class, message): "Checking this raises {class}: {message}", "Die Prüfung löst {class} aus: {message}";
    found_values(values): "In your run: {values}.", "In deinem Lauf: {values}.";
    found_not_printed(text): "The output does not contain `{text}`.", "`{text}` kommt in der Ausgabe nicht vor.";
    found_one_object(left, right): "`{left}` and `{right}` are the same object.", "`{left}` und `{right}` sind dasselbe Objekt.";
    found_two_objects(left, right): "`{left}` and `{right}` are two objects.", "`{left}` und `{right}` sind zwei Objekte.";
    found_uses(name): "The program uses `{name}`.", "Das Programm benutzt `{name}`.";
    found_uses_not(name): "The program does not use `{name}`.", "Das Programm benutzt `{name}` nicht.";
    found_early(line): "Line {line} read the clock while the GPU still had work to do.", "Zeile {line} las die Uhr ab, als die GPU noch Arbeit hatte.";
    found_on(name, device): "`{name}` is on {device}.", "`{name}` ist auf {device}.";
    found_part_on(name, device): "A tensor of `{name}` is on {device}.", "Ein Tensor von `{name}` ist auf {device}.";
    found_no_parameters(name): "`{name}` has no parameters.", "`{name}` hat keine Parameter.";
    found_no_tensor(name): "`{name}` is neither a tensor nor a module.", "`{name}` ist weder ein Tensor noch ein Modul.";
    found_unparsed(error): "The program does not parse: {error}", "Das Programm ist kein gültiges Python: {error}";
    found_not_started: "The program did not start.", "Das Programm ist nicht gestartet.";
    counted_copies: "copies", "Kopien";
    counted_bytes: "bytes copied", "kopierte Bytes";
    counted_asynchronous: "asynchronous copies", "asynchrone Kopien";
    counted_waits: "times the CPU waited for a GPU", "Wartezeiten der CPU auf eine GPU";
    counted_peak(device): "bytes allocated at most on {device}", "Bytes auf {device} zur gleichen Zeit belegt";
    counted_kernels: "kernels", "Kernel";
    counted_kernels_on(device): "kernels on {device}", "Kernel auf {device}";
    counted_loops: "loops", "Schleifen";
    counted_readings: "readings of a clock", "Ablesungen einer Uhr";
    // a step's program and its score
    look_at(panel): "Look at {panel}:", "Sieh dir „{panel}“ an:";
    look_devices: "each block is a tensor, on the device that holds its numbers.", "Jeder Block ist ein Tensor, auf dem Gerät, das seine Zahlen hält.";
    look_timeline: "it shows what each device did, from left to right.", "Von links nach rechts steht dort, was jedes Gerät tat.";
    look_memory: "each strip is memory that PyTorch took from a device, and each block in it belongs to a tensor.", "Jeder Streifen ist Speicher, den PyTorch sich von einem Gerät geholt hat, und jeder Block darin gehört zu einem Tensor.";
    look_graph: "it shows the operations that a gradient goes back through.", "Er zeigt die Operationen, durch die ein Gradient zurückläuft.";
    look_smi: "it's the table that a computer with a real GPU would print.", "Das ist die Tabelle, die ein Rechner mit einer echten GPU ausgeben würde.";
    look_cost: "it counts what your program copied and how often it waited.", "Dort steht, was dein Programm kopiert und wie oft es gewartet hat.";
    point_block(name): "The block of `{name}` is highlighted.", "Der Block von `{name}` ist hervorgehoben.";
    point_copy(number): "The picture is stopped right after copy {number}. Use the timeline to go on.", "Das Bild ist direkt nach Kopie {number} angehalten. Mit der Zeitachse geht es weiter.";
    point_line(line): "Line {line} of the program is highlighted.", "Zeile {line} des Programms ist hervorgehoben.";
    show_me: "Show me", "Zeig es mir";
    what_you_saw: "What you just saw", "Was du gerade gesehen hast";
    checks_after_guess: "Answer the question above first. Then you'll see what is checked here.", "Beantworte zuerst die Frage oben. Dann siehst du hier, was geprüft wird.";
    find_first: "Find the line first", "Finde zuerst die Zeile";
    find_how: "Which line has to change? Click it, or go to it with the arrow keys and press Enter. A wrong line takes 10% of the points.", "Welche Zeile muss sich ändern? Klick sie an, oder geh mit den Pfeiltasten hin und drück die Eingabetaste. Eine falsche Zeile kostet 10 % der Punkte.";
    find_line(line): "Line {line}:", "Zeile {line}:";
    find_wrong(line): "It isn't line {line}.", "Zeile {line} ist es nicht.";
    find_right(line): "Yes, it's line {line}.", "Ja, es ist Zeile {line}.";
    find_shown(lines): "It's line {lines}.", "Es ist Zeile {lines}.";
    find_or: "or", "oder";
    find_mend: "Now run the program, and mend it.", "Führ das Programm jetzt aus und behebe den Fehler.";
    find_give_up: "I don't know: show me", "Ich weiß es nicht: zeig es mir";
    find_give_up_title: "Shows the line and runs the program; takes 30% of the points", "Zeigt die Zeile und führt das Programm aus; kostet 30 % der Punkte";
    wrong_line_word: "wrong line", "falsche Zeile";
    wrong_lines_word: "wrong lines", "falsche Zeilen";
    line_shown: "line shown", "Zeile gezeigt";
    best_so_far(copies, waits, kernels, peak): "Your best: copies {copies}, waits {waits}, kernels {kernels}, peak {peak}", "Dein Bestes: Kopien {copies}, Wartezeiten {waits}, Kernel {kernels}, Höchststand {peak}";
    budget: "Budget", "Budget";
    budget_note: "Your best is kept for each figure by itself. Copies and waits that only come from looking, such as print, don't count.", "Für jede Zahl merkt sich die Seite deinen besten Wert einzeln. Kopien und Wartezeiten, die nur vom Ansehen kommen, etwa durch print, zählen nicht.";
    last_run: "last run", "letzter Lauf";
    best_run: "your best", "dein Bestes";
    points(percent): "Score: {percent}%", "Punkte: {percent} %";
    points_best(percent): "your best: {percent}%", "dein bestes Ergebnis: {percent} %";
    percent(percent): "{percent}%", "{percent} %";
    attempt_word: "attempt", "Versuch";
    attempts_word: "attempts", "Versuche";
    hint_word: "hint", "Hinweis";
    hints_word: "hints", "Hinweise";
    help_takes: "Each hint costs 10% of the score. If you open the solution before you pass, 50% is left. You never get less than 50% once you pass.", "Jeder Hinweis kostet 10 % der Punkte. Öffnest du die Lösung, bevor du bestanden hast, bleiben 50 %. Weniger als 50 % bekommst du nie, sobald du bestehst.";

    // a lesson from its aim to its end
    after_this_you: "After this you can", "Danach kannst du";
    optional: "optional", "freiwillig";
    you_can_now: "You can now", "Jetzt kannst du";
    almost_done: "Almost done", "Fast geschafft";
    still_open: "These steps are still open:", "Diese Schritte sind noch offen:";
    to_remember: "Three things to remember", "Drei Dinge zum Merken";
    your_score: "Your score", "Deine Punkte";
    your_score_beside: "Your score beside the solution's", "Deine Punkte neben denen der Lösung";
    yours: "you", "du";
    solution_opened: "solution opened", "Lösung geöffnet";
    the_solution: "solution", "Lösung";
    col_score: "Score", "Punkte";
    col_copies: "Copies", "Kopien";
    col_peak_memory: "Peak memory", "Höchststand";
    next_lesson(title): "Next: {title}", "Weiter: {title}";
    finish_lesson: "Finish", "Abschließen";

    // the glossary and the diagrams
    glossary: "Glossary", "Glossar";
    glossary_intro: "The words of the lessons, each in one sentence.", "Die Wörter der Lektionen, jedes in einem Satz.";
    all_words: "All words", "Alle Wörter";
    loading_word: "Loading…", "Lädt …";
    no_word(word): "The glossary has no entry for “{word}”.", "Das Glossar hat keinen Eintrag für „{word}“.";
    diagram_names: "name", "Name";
    diagram_tensors: "tensor", "Tensor";
    diagram_storages: "storage", "Storage";

    not_yet: "not yet", "noch nicht";
    to_do: "to do", "offen";
    what_is_checked: "What is checked", "Was geprüft wird";
    help: "Help", "Hilfe";
    show_hint(number, hints): "Show a hint ({number} of {hints})", "Hinweis zeigen ({number} von {hints})";
    show_solution: "Show a solution", "Lösung zeigen";
    into_editor: "Put it into the editor", "In den Editor übernehmen";
    table: "Table", "Tabelle";

    // the program
    program: "Program", "Programm";
    python_program: "Python program", "Python-Programm";
    playground_intro: "Your own programs, or one of these.", "Deine eigenen Programme, oder eines von diesen.";
    own_program: "Your program", "Dein Programm";
    own_notebook: "Your notebook", "Dein Notebook";
    run_program: "Run the program", "Programm ausführen";
    run: "Run", "Ausführen";
    run_keys: "Ctrl+Enter, or Command+Enter", "Strg+Eingabe, oder Befehl+Eingabe";
    stop: "Stop", "Anhalten";
    stopping: "Stopping…", "Hält an …";
    reset: "Reset", "Zurücksetzen";
    reset_title: "Restores the original program. Undo in the editor brings yours back", "Stellt das ursprüngliche Programm wieder her. Mit Rückgängig im Editor bekommst du deins zurück";
    step_mode: "Step by step", "Schrittweise";
    step_title: "The run waits at the start, so that you can step through it line by line with the buttons below the devices", "Der Lauf wartet am Anfang, damit du ihn mit den Knöpfen unter den Geräten Zeile für Zeile durchgehen kannst";
    machine: "Machine", "Maschine";
    one_gpu: "One GPU", "Eine GPU";
    two_gpus: "Two GPUs", "Zwei GPUs";
    four_gpus: "Four GPUs", "Vier GPUs";
    apple: "Apple silicon", "Apple-Chip";
    no_gpu: "No GPU", "Keine GPU";
    no_gpu_build: "No GPU, CPU-only PyTorch", "Keine GPU, PyTorch nur für CPU";
    runs_on: "Computed by", "Gerechnet von";
    computed_by_gpu: "This computer's GPU (WebGPU)", "GPU dieses Rechners (WebGPU)";
    computed_by_cpu: "This computer's CPU", "CPU dieses Rechners";
    automatic: "The fastest available", "Schnellste Möglichkeit";
    editor_keys: "Escape, then Tab leaves the editor. Ctrl+Enter runs.", "Escape, dann Tab verlässt den Editor. Strg+Eingabe führt aus.";
    plain_text: "Plain text", "Nur Text";
    files: "Files and links", "Dateien und Links";
    open_file: "Open a .py, .ipynb or .pt", ".py, .ipynb oder .pt öffnen";
    save_as: "Save as", "Speichern als";
    trace_file: "Perfetto trace", "Perfetto-Spur";
    snapshot_file: "Memory snapshot", "Speicherabbild";
    copy_link: "Copy a link to this program", "Link zu diesem Programm kopieren";
    link_label: "Link to this program", "Link zu diesem Programm";
    link_copied: "The link is copied. It carries the program itself.", "Der Link ist kopiert. Er enthält das Programm selbst.";
    link_ready: "Copy the link from the field. It carries the program itself.", "Kopier den Link aus dem Feld. Er enthält das Programm selbst.";
    no_snapshot: "This run used no memory of a GPU.", "Dieser Lauf hat keinen Speicher einer GPU benutzt.";
    file_too_large: "This program is larger than 512 KiB.", "Dieses Programm ist größer als 512 KiB.";
    notebook: "Notebook", "Notebook";
    run_notebook: "Run the notebook", "Notebook ausführen";
    run_all: "Run all", "Alle ausführen";
    forget_variables: "Restart", "Neu beginnen";
    start_again_title: "Forgets all variables. The cells stay.", "Vergisst alle Variablen. Die Zellen bleiben.";
    variables_gone: "The engine was restarted, so the variables of earlier cells are gone. Run those cells again.", "Der Motor wurde neu gestartet, darum sind die Variablen früherer Zellen weg. Führ diese Zellen noch einmal aus.";
    add_cell: "Add a cell", "Zelle anfügen";
    add_below: "Add below", "Darunter anfügen";
    delete_cell: "Delete", "Löschen";
    placed_in_cell(name, device): "{name} moved to {device}: a new cell does it.", "{name} liegt jetzt auf {device}: eine neue Zelle macht das.";
    edit_text: "Edit", "Bearbeiten";
    show_text: "Done", "Fertig";
    cell_running: "running", "läuft";
    cell_waiting: "waiting", "wartet";
    cell_number(number): "Cell {number}", "Zelle {number}";
    output_of(cell): "Output of {cell}", "Ausgabe von {cell}";
    cell_keys: "Shift+Enter runs a cell and goes to the next. Ctrl+Enter runs it.", "Umschalt+Eingabe führt eine Zelle aus und geht zur nächsten. Strg+Eingabe führt sie nur aus.";
    run_keys_cell: "Shift+Enter or Ctrl+Enter", "Umschalt+Eingabe oder Strg+Eingabe";
    add_files: "Add files that the program reads or imports", "Dateien hinzufügen, die das Programm liest oder importiert";
    open_folder: "Open a folder with a program", "Ordner mit einem Programm öffnen";
    folder_without_program: "This folder has no .py or .ipynb file.", "Dieser Ordner hat keine .py- oder .ipynb-Datei.";
    files_given(names): "Your program finds these files: {names}.", "Dein Programm findet diese Dateien: {names}.";
    notebook_too_old: "This notebook has an old format. Open it in Jupyter, save it, and try again.", "Dieses Notebook hat ein altes Format. Öffne es in Jupyter, speichere es und versuche es noch einmal.";
    notebook_too_large: "This notebook is larger than 32 MiB.", "Dieses Notebook ist größer als 32 MiB.";
    notebook_too_many_cells: "This notebook has more than 2000 cells.", "Dieses Notebook hat mehr als 2000 Zellen.";
    file_not_text: "This file is not UTF-8 text.", "Diese Datei ist kein UTF-8-Text.";
    file_not_notebook: "This file is not a notebook.", "Diese Datei ist kein Notebook.";
    file_given(file): "Programs find {file} in their folder: torch.load(\"{file}\").", "Programme finden {file} in ihrem Ordner: torch.load(\"{file}\").";
    file_given_too_large: "Together, the files for programs are larger than 32 MiB.", "Die Dateien für Programme sind zusammen größer als 32 MiB.";
    file_not_checkpoint: "This file is not a checkpoint that torch.save wrote.", "Diese Datei ist kein Checkpoint, den torch.save geschrieben hat.";
    file_truncated: "This checkpoint is incomplete: its end is missing. Download or copy it again.", "Dieser Checkpoint ist abgeschnitten: Sein Ende fehlt. Bitte noch einmal herunterladen oder kopieren.";
    given_files: "Files for programs", "Dateien für Programme";
    remove_file(file): "Remove {file}", "{file} entfernen";
    file_no_code: "This notebook has no code.", "Dieses Notebook hat keinen Code.";
    link_elsewhere(reason): "The lesson of this link cannot be opened, so its program is here. {reason}", "Die Lektion dieses Links lässt sich nicht öffnen, darum steht sein Programm hier. {reason}";
    no_step(lesson, step): "The lesson '{lesson}' has no step '{step}' with a program.", "Die Lektion „{lesson}“ hat keinen Schritt „{step}“ mit einem Programm.";
    brought: "This program came from a link. Your own program for this step is still saved.", "Dieses Programm kam in einem Link. Was du in diesem Schritt selbst geschrieben hast, bleibt erhalten.";
    brought_own: "Show my own program", "Mein eigenes Programm zeigen";
    link_too_long: "This link is too long to be one of ours. Nothing was opened.", "Dieser Link ist zu lang, er kann nicht von dieser Seite sein. Nichts wurde geöffnet.";
    link_damaged: "This link is damaged or cut off. Nothing was opened.", "Dieser Link ist beschädigt oder abgeschnitten. Nichts wurde geöffnet.";
    link_too_large: "The content of this link is too large. Nothing was opened.", "Der Inhalt dieses Links ist zu groß. Nichts wurde geöffnet.";
    link_newer: "This link was made by a later version of this page.", "Dieser Link stammt von einer späteren Fassung dieser Seite.";
    output: "Output", "Ausgabe";
    output_cut: "This is the latest part of a long output.", "Das ist der letzte Teil einer langen Ausgabe.";
    output_empty: "What the program prints appears here.", "Was das Programm ausgibt, erscheint hier.";
    done: "done", "fertig";
    ended_after(how, time): "{how} after {time}", "{how} nach {time}";

    // the card
    card_title: "Why this happened", "Warum das geschah";
    card_line(line): "Line {line}", "Zeile {line}";
    card_silent: "No error, but", "Kein Fehler, aber";
    edit_to_try: "An edit to try", "Eine Änderung zum Ausprobieren";
    tensors_involved: "Tensors involved", "Beteiligte Tensoren";
    lesson_about: "A lesson about this", "Eine Lektion dazu";
    rule_about(rule): "Rule {rule}, with an example", "Regel {rule} mit einem Beispiel (auf Englisch)";
    moved_in_line(line): "moved in line {line}", "verschoben in Zeile {line}";
    created_in_line(line): "created in line {line}", "erzeugt in Zeile {line}";
    smallest_change(line): "The smallest change, in line {line}:", "Die kleinste Änderung, in Zeile {line}:";
    try_it: "Try it", "Ausprobieren";

    // the yards
    devices: "Devices", "Geräte";
    device: "Device", "Gerät";
    host: "the computer's own processor and memory", "Prozessor und Speicher des Rechners";
    accelerator: "GPU", "GPU";
    gpu_of_machine(name, place): "{name}, the machine's GPU {place}", "{name}, GPU {place} der Maschine";
    meta_role: "shapes only, no memory", "nur Formen, kein Speicher";
    no_accelerator: "This machine has no GPU: everything stays on the CPU.", "Diese Maschine hat keine GPU: Alles bleibt auf der CPU.";
    yards_legend: "Each block is a tensor, and a longer block has more bytes. The bar below is the device's memory: the filled part is in use, the striped part is reserved but free, and the mark is the most that was in use. Press a block to see the numbers in it, or drag it to another device.", "Jeder Block ist ein Tensor; ein längerer Block hat mehr Bytes. Der Balken darunter ist der Speicher des Geräts: Der gefüllte Teil ist belegt, der gestreifte reserviert, aber frei, und die Marke zeigt, wie viel höchstens belegt war. Drück auf einen Block, um die Zahlen darin zu sehen, oder zieh ihn auf ein anderes Gerät.";
    recorded_earlier: "recorded earlier; press Run to see your own", "früher aufgezeichnet; drück Ausführen für deinen eigenen Lauf";
    several_logical: ", which plays every GPU of this machine", ", die jede GPU dieser Maschine spielt";
    by_cpu: "executed by the CPU", "ausgeführt von der CPU";
    simulated: "GPUs simulated by this computer's CPU", "GPUs nachgebildet von der CPU dieses Rechners";
    by_webgpu(adapter): "executed by WebGPU, {adapter}", "ausgeführt von WebGPU, {adapter}";
    by_executor(executor): "executed by {executor}", "ausgeführt von {executor}";
    tensor: "tensor", "Tensor";
    tensors: "tensors", "Tensoren";
    tensors_label: "Tensors", "Tensoren";
    no_tensor: "No tensor", "Kein Tensor";
    unnamed: "unnamed", "namenlos";
    and_more(count, bytes): "+ {count} more, {bytes}", "+ {count} weitere, {bytes}";
    copied_from(device): ", copied from {device}", ", kopiert von {device}";
    pinned: ", pinned", ", seitenfest";
    about_tensor(name): "About {name}", "Über {name}";
    tensor_facts_plain(shape, dtype, bytes): "{shape} {dtype}, {bytes}", "{shape} {dtype}, {bytes}";
    tensor_facts(shape, dtype, bytes, block): "{shape} {dtype}, {bytes} in a block of {block}", "{shape} {dtype}, {bytes} in einem Block von {block}";
    kept_by(name): "Kept alive by the variable {name}.", "Am Leben gehalten von der Variablen {name}.";
    kept_by_since(name, line): "Kept alive by the variable {name}, seen in line {line}.", "Am Leben gehalten von der Variablen {name}, gesehen in Zeile {line}.";
    kept_by_nothing: "No variable of the program holds it: an intermediate result, or saved for the backward pass.", "Keine Variable des Programms hält ihn: ein Zwischenergebnis, oder für den Rückwärtslauf aufgehoben.";
    move_to: "Move to", "Verschieben nach";
    close: "Close", "Schließen";
    placed(name, device, line): "Wrote the line that moves {name} to {device}: line {line}.", "Die Zeile, die {name} nach {device} bringt, steht jetzt in Zeile {line}.";
    place_running: "You can move a tensor only after the program has ended: stop it first.", "Du kannst einen Tensor erst verschieben, wenn das Programm zu Ende ist: Halte es zuerst an.";
    place_stale: "The program has changed since it ran. Run it first.", "Das Programm hat sich seit dem Lauf geändert. Führ es zuerst aus.";
    place_no_variable(name): "This tensor ({name}) has no variable of its own, so no line can move it alone. Move the module or the object that it belongs to.", "Keine eigene Variable hält diesen Tensor ({name}), also kann ihn keine Zeile allein verschieben. Verschieb das Modul oder Objekt, zu dem er gehört.";
    place_no_line(name): "The line that assigns {name} can't be found, so nothing was changed.", "Die Zeile, die {name} seinen Wert gibt, ist nicht zu finden; nichts wurde geschrieben.";
    allocated: "allocated", "belegt";
    reserved: "reserved", "reserviert";
    peak: "peak", "Höchststand";
    of(bytes): "of {bytes}", "von {bytes}";
    bar_to(scale): "a full bar is {scale}", "ein voller Balken sind {scale}";
    bar_to_of(scale, capacity): "a full bar is {scale}; the device has {capacity}", "ein voller Balken sind {scale}; das Gerät hat {capacity}";
    gauge(allocated, reserved, peak, capacity): "{allocated} allocated, {reserved} reserved, peak {peak}, of {capacity}", "{allocated} belegt, {reserved} reserviert, Höchststand {peak}, von {capacity}";
    gauge_host(allocated, peak): "{allocated} in tensors, peak {peak}", "{allocated} in Tensoren, Höchststand {peak}";
    nothing_to_yet(device): "nothing copied to {device} yet", "noch nichts nach {device} kopiert";
    copies_between: "Copies between GPUs", "Kopien zwischen GPUs";
    copy: "copy", "Kopie";
    copies: "copies", "Kopien";
    time_here(time): "{time} here", "{time} hier";
    time_on(time, link): "{time} on {link}", "{time} auf {link}";
    not_measured_here: "not measured here", "hier nicht gemessen";
    not_measured: "not measured", "nicht gemessen";
    as_tables: "The same as tables", "Dasselbe als Tabellen";
    as_table: "The same as a table", "Dasselbe als Tabelle";
    memory: "Memory", "Speicher";
    latest_copies: "Latest copies", "Letzte Kopien";
    table_memory_label: "Memory of each device", "Speicher jedes Geräts";
    table_tensors_label: "Tensors of each device", "Tensoren jedes Geräts";
    table_copies_label: "Latest copies between devices", "Letzte Kopien zwischen Geräten";
    col_allocated: "Allocated", "Belegt";
    col_reserved: "Reserved", "Reserviert";
    col_peak: "Peak", "Höchststand";
    col_capacity: "Capacity", "Größe";
    col_kernels: "Kernels", "Kernel";
    col_name: "Name", "Name";
    col_shape: "Shape", "Form";
    col_dtype: "dtype", "dtype";
    col_bytes: "Bytes", "Bytes";
    col_line: "Line", "Zeile";
    col_from: "From", "Von";
    col_to: "To", "Nach";
    col_tensor: "Tensor", "Tensor";
    col_here: "Here", "Hier";
    col_real: "On the real link", "Auf der echten Leitung";
    col_origin: "Origin", "Herkunft";

    inside_share(count, names): "{count} tensors share this storage: {names}", "{count} Tensoren teilen sich diesen Storage: {names}";
    inside_shared(count, numbers): "{count} tensors share one storage of {numbers} numbers. Each is a window on it: change a number through one, and the others show the change.", "{count} Tensoren teilen sich einen Storage mit {numbers} Zahlen. Jeder ist ein Fenster darauf: Änderst du durch einen davon eine Zahl, zeigen auch die anderen die Änderung.";
    inside_window(shape, strides, offset): "shape {shape}, strides {strides}, starts at element {offset}", "Form {shape}, Strides {strides}, beginnt bei Element {offset}";
    inside_memory: "In memory, one after the other", "Im Speicher, eine nach der anderen";
    inside_numbers(name, shape): "The numbers in {name}, {shape}", "Die Zahlen in {name}, {shape}";
    inside_range(low, high): "from {low} (faint) to {high} (strong)", "von {low} (blass) bis {high} (kräftig)";
    inside_odd: "Red cells are NaN or infinite.", "Rote Zellen sind NaN oder unendlich.";
    inside_seen_as(dtype): "It reads the same bytes as {dtype}.", "Er liest dieselben Bytes als {dtype}.";
    inside_large(numbers): "The {numbers} numbers in it are too many to show here.", "Die {numbers} Zahlen darin sind zu viele, um sie hier zu zeigen.";
    inside_not_drawn: "It has no numbers, or too many to show here.", "Er hat keine Zahlen, oder zu viele, um sie hier zu zeigen.";
    inside_more(count): "and {count} more tensors", "und {count} weitere Tensoren";
    inside_gone: "When the program ended, no variable led to this tensor, so its numbers weren't kept.", "Als das Programm endete, führte keine Variable zu diesem Tensor, darum sind seine Zahlen nicht aufgehoben.";
    inside_stopped: "The program was stopped, so the numbers in its tensors weren't read.", "Das Programm wurde angehalten, darum wurden die Zahlen in seinen Tensoren nicht gelesen.";
    inside_many: "This program has so many tensors that the numbers of this one weren't kept.", "Dieses Programm hat so viele Tensoren, dass die Zahlen von diesem nicht aufgehoben sind.";
    inside_later: "Go to the end of the run to see the numbers in it.", "Geh ans Ende des Laufs, um die Zahlen darin zu sehen.";
    at_a_glance: "Devices at a glance", "Geräte auf einen Blick";
    glance: "Show", "Zeige";

    // the timeline
    timeline: "Timeline", "Zeitachse";
    playhead: "Playhead", "Abspielkopf";
    timeline_legend: "The run from left to right. In a device's row, the area is the memory in use and the ticks are computations. The rows between devices show copies. Drag the line to go back in time.", "Der Lauf von links nach rechts. In der Zeile eines Geräts ist die Fläche der belegte Speicher, und die Striche sind Rechnungen. Die Zeilen zwischen Geräten zeigen Kopien. Zieh die Linie, um in der Zeit zurückzugehen.";
    lane_between(from, to): "between {from} and {to}", "zwischen {from} und {to}";
    previous_line: "Previous line", "Vorige Zeile";
    next_line: "Next line", "Nächste Zeile";
    pause: "Pause", "Pause";
    play_again: "Play the run again", "Lauf noch einmal abspielen";
    timeline_label: "What happened on each device and between them, from the start of the run to its end", "Was auf jedem Gerät und dazwischen geschah, vom Anfang des Laufs bis zum Ende";
    col_events: "Moments", "Momente";
    col_lines: "Lines", "Zeilen";
    col_lane: "Where", "Wo";
    col_waits: "Waits", "Wartezeiten";
    col_there: "Copied there", "Hin kopiert";
    col_back: "Copied back", "Zurück kopiert";
    col_errors: "Errors", "Fehler";
    moment_label: "Moment of the run", "Moment des Laufs";
    moment(event, events, time): "moment {event} of {events}, after {time}", "Moment {event} von {events}, nach {time}";
    moment_line(event, events, line, time): "moment {event} of {events}, line {line}, after {time}", "Moment {event} von {events}, Zeile {line}, nach {time}";
    first_event: "waiting for the first thing to happen", "wartet, bis etwas geschieht";
    ev_segment(device, bytes): "{device} reserves {bytes}", "{device} reserviert {bytes}";
    ev_segment_free(device, bytes): "{device} gives {bytes} back", "{device} gibt {bytes} zurück";
    ev_alloc(device, name, bytes): "{device}: {name} gets {bytes}", "{device}: {name} erhält {bytes}";
    ev_free(device, name, bytes): "{device}: {name} frees {bytes}", "{device}: {name} gibt {bytes} frei";
    ev_copy(name, from, to, bytes): "{name}: {from} → {to}, {bytes}", "{name}: {from} → {to}, {bytes}";
    ev_kernel(device, kernel): "{device} runs {kernel}", "{device} führt {kernel} aus";
    ev_graph(device, kernels): "{device}: graph replay, {kernels} kernels", "{device}: Graph wiederholt, {kernels} Kernel";
    ev_print(name, device, waits): "{name} becomes text: PyTorch formats it on {device} and waits {waits} times", "{name} wird zu Text: PyTorch formatiert auf {device} und wartet {waits}-mal";
    ev_wait(device): "the CPU waits for {device}", "die CPU wartet auf {device}";
    ev_gpu(place): "GPU {place}", "GPU {place}";
    ev_selected(gpus): "CUDA_VISIBLE_DEVICES leaves only {gpus}", "CUDA_VISIBLE_DEVICES lässt nur {gpus} übrig";
    ev_shortened(events): "{events} moments, not shown one by one", "{events} Momente, nicht einzeln gezeigt";
    shortened(events): "This run is shortened: your program was faster than this page could draw, so {events} moments are only counted. Memory and costs are still exact.", "Dieser Lauf ist gekürzt: Dein Programm war schneller, als diese Seite zeichnen kann, darum sind {events} Momente nur gezählt. Speicher und Kosten stimmen trotzdem genau.";
    beginning_gone(events): "You can't go back to its first {events} moments: they were dropped to make room for later ones.", "Zu den ersten {events} Momenten kannst du nicht zurück: Sie wurden gelöscht, um Platz für spätere zu machen.";
    ev_line(line): "line {line} begins", "Zeile {line} beginnt";
    ev_name(name): "the variable {name} holds this tensor now", "die Variable {name} hält nun diesen Tensor";

    // panels
    views_of_run: "Views of the run", "Ansichten des Laufs";
    cost: "Cost of this run", "Kosten dieses Laufs";
    cost_legend: "What this run cost: the bytes that crossed between devices, how often the CPU had to wait, and the most memory in use at once. Point at a number to see what it counts.", "Was dieser Lauf gekostet hat: die Bytes, die zwischen Geräten unterwegs waren, wie oft die CPU warten musste, und wie viel Speicher höchstens zugleich belegt war. Zeig auf eine Zahl, um zu sehen, was sie zählt.";
    h2d: "CPU → GPU", "CPU → GPU";
    d2h: "GPU → CPU", "GPU → CPU";
    d2d: "GPU → GPU", "GPU → GPU";
    h2d_title: "Bytes copied from the CPU to GPUs", "Bytes, die von der CPU auf GPUs kopiert wurden";
    d2h_title: "Bytes copied from GPUs to the CPU", "Bytes, die von GPUs auf die CPU kopiert wurden";
    d2d_title: "Bytes copied between GPUs", "Bytes, die zwischen GPUs kopiert wurden";
    copies_title: "Number of copies between devices", "Zahl der Kopien zwischen Geräten";
    waits: "waits", "Wartezeiten";
    waits_title: "Times the CPU waited for a GPU", "Wie oft die CPU auf eine GPU wartete";
    of_looking(copies, waits): "of which looking: {copies}, {waits}", "davon nur zum Ansehen: {copies}, {waits}";
    of_looking_title: "These were for printing, assertions and plots; most lessons don't count them", "Sie dienten Ausgaben, assert und Diagrammen; die meisten Lektionen zählen sie nicht mit";
    one_copy: "1 copy", "1 Kopie";
    some_copies(n): "{n} copies", "{n} Kopien";
    one_wait: "1 wait", "1 Wartezeit";
    some_waits(n): "{n} waits", "{n} Wartezeiten";
    kernels: "kernels", "Kernel";
    kernels_title: "Computations (kernels) that were started on GPUs", "Rechnungen (Kernel), die auf GPUs gestartet wurden";
    peak_title: "Most bytes in use at once on one GPU", "Die meisten Bytes, die auf einer GPU zugleich belegt waren";
    memory_map: "Memory map", "Speicherkarte";
    map_legend: "How PyTorch divides a GPU's memory. Each strip is a piece (a segment) that PyTorch took from the GPU, and the blocks in it belong to tensors; striped memory is reserved but free. Press a block to see what keeps it alive.", "Wie PyTorch den Speicher einer GPU aufteilt. Jeder Streifen ist ein Stück (ein Segment), das PyTorch sich von der GPU geholt hat, und die Blöcke darin gehören zu Tensoren; gestreifter Speicher ist reserviert, aber frei. Drück auf einen Block, um zu sehen, was ihn am Leben hält.";
    map_empty: "No GPU holds memory at this moment.", "Keine GPU hält in diesem Augenblick Speicher.";
    map_device(segments, allocated, reserved, cached): "{segments}, {allocated} allocated of {reserved} reserved, {cached} cached", "{segments}, {allocated} belegt von {reserved} reserviert, {cached} im Vorrat";
    segment: "segment", "Segment";
    segments: "segments", "Segmente";
    more_segments(count): "and {count} more segments", "und {count} weitere Segmente";
    segment_of(used, bytes): "{used} of {bytes}", "{used} von {bytes}";
    smi_legend: "The report that the nvidia-smi command prints on a machine with NVIDIA GPUs. It counts what PyTorch has reserved, not only what tensors use; a real GPU shows a few hundred MiB more for CUDA itself.", "Der Bericht, den der Befehl nvidia-smi auf einer Maschine mit NVIDIA-GPUs ausgibt. Er zählt, was PyTorch reserviert hat, nicht nur, was Tensoren belegen; eine echte GPU zeigt einige hundert MiB mehr für CUDA selbst.";
    graph: "Autograd graph", "Autograd-Graph";
    graph_empty: "No variable of the last run has a graph: nothing required a gradient, or it ran under no_grad.", "Keine Variable des letzten Laufs hat einen Graphen: Nichts verlangte einen Gradienten, oder es lief unter no_grad.";
    graph_of: "Graph of", "Graph von";
    graph_legend: "The steps that backward() goes through to compute gradients, from left to right. The color is the device of each step's result; AccumulateGrad adds to the .grad of a tensor that you made.", "Die Schritte, die backward() geht, um Gradienten zu berechnen, von links nach rechts. Die Farbe ist das Gerät des Ergebnisses jedes Schritts; AccumulateGrad addiert in das .grad eines Tensors, den du gemacht hast.";
    graph_label(name, nodes): "Autograd graph of {name}, {nodes} nodes", "Autograd-Graph von {name}, {nodes} Knoten";
    graph_cut: "The graph is larger; the nodes nearest to the tensor are shown.", "Der Graph ist größer; gezeigt sind die Knoten, die dem Tensor am nächsten sind.";
    graph_nodes: "Nodes of the graph", "Knoten des Graphen";
    graph_next: "Gradient goes to", "Gradient geht an";
    curve_label(name, count, first, last): "{name}: {count} values, from {first} to {last}", "{name}: {count} Werte, von {first} bis {last}";
    not_drawn(count): "{count} values are NaN or infinite: not drawn.", "{count} Werte sind NaN oder unendlich: nicht gezeichnet.";
    values: "Values", "Werte";
    thinned: "The lowest and the highest value of each stretch.", "Der niedrigste und der höchste Wert jedes Abschnitts.";
    number: "Number", "Nummer";
    bad_state: "The surrounding page tried to restore something that isn't a state of this lesson. Nothing was changed.", "Was die umgebende Seite wiederherstellen wollte, ist kein Stand dieser Lektion. Nichts wurde geändert.";

    // examples
    topic_begin: "To begin with", "Für den Anfang";
    topic_devices: "Devices", "Geräte";
    topic_copies: "Copies and waits", "Kopien und Warten";
    topic_models: "Models", "Modelle";
    topic_memory: "Memory", "Speicher";
    topic_several: "Several GPUs", "Mehrere GPUs";
    topic_mistakes: "Mistakes to mend", "Fehler zum Beheben";
    ex_first: "Two tensors, two devices", "Zwei Tensoren, zwei Geräte";
    ex_training: "A training loop", "Eine Trainingsschleife";
    ex_seeds: "Seeds and generators", "Seeds und Generatoren";
    ex_device_object: "The torch.device object", "Das Objekt torch.device";
    ex_create_or_copy: "Created there, or copied there", "Dort erzeugt oder dorthin kopiert";
    ex_to_returns: ".to() returns a tensor", ".to() gibt einen Tensor zurück";
    ex_agnostic: "Code for any device", "Code für jedes Gerät";
    ex_transfer_cost: "Many small copies, one large", "Viele kleine Kopien, eine große";
    ex_hidden_copies: "Hidden waits: .item() in a loop", "Verstecktes Warten: .item() in der Schleife";
    ex_pinned: "Pinned memory", "Seitenfester Speicher";
    ex_model_to: "A model moves in place", "Ein Modell zieht als Ganzes um";
    ex_module_on_device: "A module born on the GPU", "Ein Modul, auf der GPU geboren";
    ex_checkpoint: "Save here, load there", "Hier speichern, dort laden";
    ex_memory: "Allocated, reserved, cached", "Belegt, reserviert, im Vorrat";
    ex_no_grad: "What no_grad saves", "Was no_grad spart";
    ex_two_gpus: "A model across two GPUs", "Ein Modell auf zwei GPUs";
    ex_data_parallel: "DataParallel", "DataParallel";
    ex_same_device: "The same-device rule", "Die Regel vom gleichen Gerät";
    ex_forgot_assign: "A result nobody kept", "Ein Ergebnis, das niemand behielt";
    ex_layers_in_a_list: "Layers in a list", "Schichten in einer Liste";
    ex_out_of_memory: "Out of memory", "Speicher voll";

    // anatomy
    anatomy: "Anatomy", "Anatomie";
    anatomy_line: "Pages to explore, without typing: move a slider, and a real program runs again.", "Seiten zum Erkunden, ohne zu tippen: Beweg einen Regler, und ein echtes Programm läuft noch einmal.";
    anatomy_pages: "Pages of the anatomy", "Seiten der Anatomie";
    anatomy_step: "One training step", "Ein Trainingsschritt";
    anatomy_step_line: "Where the GPU's memory goes while a model trains.", "Wofür die GPU ihren Speicher braucht, während ein Modell trainiert.";
    anatomy_step_intro: "A small network learns for two steps on a simulated GPU. In each step, it calculates its answers (forward), finds out how its parameters, the numbers that it learns, should change (backward), and changes them (update). Move the controls, and see what fills the GPU's memory.", "Ein kleines Netz lernt zwei Schritte lang auf einer nachgebildeten GPU. In jedem Schritt berechnet es seine Antworten (vorwärts), findet heraus, wie sich seine Parameter, die gelernten Zahlen, ändern sollen (rückwärts), und ändert sie (anpassen). Beweg die Regler, und sieh, was den Speicher der GPU füllt.";
    anatomy_simulated: "The GPU is simulated, but each tensor gets as much memory as PyTorch would give it on a real one.", "Die GPU ist nachgebildet, aber jeder Tensor bekommt so viel Speicher, wie PyTorch ihm auf einer echten gäbe.";
    anatomy_life: "A tensor's life", "Das Leben eines Tensors";
    anatomy_life_line: "How a tensor's memory is taken, freed and used again.", "Wie der Speicher eines Tensors belegt, freigegeben und wieder benutzt wird.";
    anatomy_life_intro: "A program makes a tensor, copies it to the GPU, uses it and deletes it. Go through the program line by line, and see what is true after each line.", "Ein Programm macht einen Tensor, kopiert ihn auf die GPU, benutzt ihn und löscht ihn. Geh das Programm Zeile für Zeile durch, und sieh, was nach jeder Zeile gilt.";
    life_size: "Size of the tensor", "Größe des Tensors";
    life_scrubber: "Line of the program", "Zeile des Programms";
    life_at(line, code): "line {line}: {code}", "Zeile {line}: {code}";
    life_back: "Back", "Zurück";
    life_on: "Next", "Weiter";
    life_title: "After this line", "Nach dieser Zeile";
    life_on_host(bytes): "The tensor `x` takes {bytes} of the computer's own memory. The GPU knows nothing about it.", "Der Tensor `x` belegt {bytes} im Speicher des Computers. Die GPU weiß nichts davon.";
    life_copied(bytes, block, segment): "`.to` makes a second tensor on the GPU and copies {bytes}. PyTorch takes a piece of memory from the GPU, a segment of {segment}. In it, the tensor gets a block of {block}; the size of a block is always a multiple of 512 bytes.", "`.to` macht einen zweiten Tensor auf der GPU und kopiert {bytes}. PyTorch holt sich von der GPU ein Stück Speicher, ein Segment von {segment}. Darin bekommt der Tensor einen Block von {block}; die Größe eines Blocks ist immer ein Vielfaches von 512 Bytes.";
    life_second_name: "`same` is a second name for the same tensor. No memory is taken, and nothing is copied.", "`same` ist ein zweiter Name für denselben Tensor. Es wird kein Speicher belegt und nichts kopiert.";
    life_used(block): "The multiplication reads the tensor. Its result `y` is a new tensor with a block of its own, another {block}.", "Die Multiplikation liest den Tensor. Ihr Ergebnis `y` ist ein neuer Tensor mit einem eigenen Block, noch einmal {block}.";
    life_first_gone: "`del g` removes a name, not a tensor. The tensor still has the name `same`, so its memory stays.", "`del g` entfernt einen Namen, keinen Tensor. Der Tensor heißt noch `same`, also bleibt sein Speicher.";
    life_last_gone(reserved): "The last name is gone, so the tensor is gone, and its block is free. But PyTorch keeps the block for later: {reserved} are still reserved.", "Der letzte Name ist weg, also ist der Tensor weg, und sein Block ist frei. Aber PyTorch behält den Block für später: Reserviert sind noch immer {reserved}.";
    life_reused: "A new tensor of the same size gets exactly this block. The GPU isn't asked for memory, and that's fast.", "Ein neuer Tensor derselben Größe bekommt genau diesen Block. Die GPU wird nicht nach Speicher gefragt, und das geht schnell.";
    life_all_gone(reserved): "Now no tensor is left on the GPU. Nothing is allocated, but {reserved} stay reserved. `nvidia-smi`, the command that shows how full a GPU is, would still count them as used.", "Jetzt ist kein Tensor mehr auf der GPU. Nichts ist belegt, aber {reserved} bleiben reserviert. `nvidia-smi`, der Befehl, der zeigt, wie voll eine GPU ist, würde sie noch als benutzt zählen.";
    life_given_back: "`empty_cache` gives the segments without a tensor back to the GPU. You rarely need it: it only makes the memory free for other programs.", "`empty_cache` gibt die Segmente ohne Tensor an die GPU zurück. Du brauchst es selten: Es macht den Speicher nur für andere Programme frei.";
    life_names: "Names", "Namen";
    life_no_name: "none", "keiner";
    life_storage: "Its bytes on the GPU", "Seine Bytes auf der GPU";
    life_not_there: "none", "keine";
    life_block: "Block", "Block";
    life_no_block: "none", "keiner";
    life_block_at(bytes, segment, offset): "{bytes}, in segment {segment} from byte {offset}", "{bytes}, in Segment {segment} ab Byte {offset}";
    life_allocated: "Allocated on the GPU", "Auf der GPU belegt";
    life_reserved: "Reserved on the GPU", "Auf der GPU reserviert";
    life_followed: "The filled block is the tensor that the facts below describe. “Allocated” counts the blocks of tensors, “reserved” the whole segments.", "Der gefüllte Block ist der Tensor, um den es unten geht. „Belegt“ zählt die Blöcke der Tensoren, „reserviert“ die ganzen Segmente.";
    life_segment(n, bytes): "segment {n}, {bytes}", "Segment {n}, {bytes}";
    life_empty: "PyTorch holds no memory of this GPU.", "PyTorch hält keinen Speicher dieser GPU.";
    life_free: "free", "frei";
    life_table: "After each line", "Nach jeder Zeile";
    life_drawing(line): "The memory after line {line}. The table below has the same numbers.", "Der Speicher nach Zeile {line}. Die Tabelle darunter enthält dieselben Zahlen.";

    anatomy_copy: "A copy's cost", "Was eine Kopie kostet";
    anatomy_copy_line: "From 4 bytes to a gigabyte: when starting a copy takes the time, and when its bytes do.", "Von 4 Bytes bis zu einem Gigabyte: wann der Start einer Kopie die Zeit kostet, und wann ihre Bytes.";
    anatomy_copy_intro: "A copy travels over a link, the connection between two devices. Starting it takes the same time for every size: that's its fixed cost, the latency. Then its bytes travel, and the link's bandwidth says how many of them arrive each second. Choose a size, and see which of the two takes longer.", "Eine Kopie geht über eine Leitung, die Verbindung zwischen zwei Geräten. Sie zu starten dauert bei jeder Größe gleich lang: Das ist ihr fester Preis, die Latenz. Dann reisen ihre Bytes, und die Bandbreite der Leitung sagt, wie viele davon in jeder Sekunde ankommen. Wähl eine Größe, und sieh, was von beidem länger dauert.";
    copy_size: "Size of the copy", "Größe der Kopie";
    copy_title: "Time of one copy", "Dauer einer Kopie";
    copy_pageable: "CPU to GPU, ordinary memory", "CPU zu GPU, gewöhnlicher Speicher";
    copy_pinned: "CPU to GPU, pinned memory", "CPU zu GPU, seitenfester Speicher";
    copy_between: "GPU to GPU", "GPU zu GPU";
    copy_estimate(link, gbps, latency): "Estimated for {link}: a latency of {latency}, and a bandwidth of {gbps} GB/s.", "Geschätzt für {link}: eine Latenz von {latency} und eine Bandbreite von {gbps} GB/s.";
    copy_same: "Pinned memory is memory of the CPU that the operating system may not move, so the GPU can fetch bytes from it by itself. With `non_blocking=True`, your program goes on meanwhile. For a copy from ordinary memory, it waits. The link is the same, and so is the estimate. On a real GPU, copies from ordinary memory take longer, because their bytes are copied into pinned memory first.", "Seitenfester Speicher ist Speicher der CPU, den das Betriebssystem nicht verschieben darf, sodass sich die GPU Bytes selbst daraus holen kann. Mit `non_blocking=True` läuft dein Programm währenddessen weiter. Auf eine Kopie aus gewöhnlichem Speicher wartet es. Die Leitung ist dieselbe und darum auch die Schätzung. Auf einer echten GPU dauern Kopien aus gewöhnlichem Speicher länger, weil ihre Bytes erst in seitenfesten Speicher kopiert werden.";
    copy_label(size, time): "The time of a copy by its size. A copy of {size} takes {time}. The table below has the same numbers.", "Die Dauer einer Kopie nach ihrer Größe. Eine Kopie von {size} dauert {time}. Die Tabelle darunter enthält dieselben Zahlen.";
    copy_says(way, size, time, latency): "{way}: a copy of {size} takes {time}. The fixed cost is {latency} % of that.", "{way}: Eine Kopie von {size} dauert {time}. Davon sind {latency} % der feste Preis.";
    copy_small(turn): "You pay for starting the copy, not for its bytes: up to about {turn}, more bytes take hardly more time. So send many small tensors as one.", "Du zahlst für den Start der Kopie, nicht für ihre Bytes: Bis etwa {turn} dauern mehr Bytes kaum länger. Schick also viele kleine Tensoren als einen.";
    copy_large(turn): "You pay for the bytes: beyond about {turn}, twice the bytes take twice the time. Send fewer bytes, or send them while the GPU computes.", "Du zahlst für die Bytes: Jenseits von etwa {turn} dauern doppelt so viele Bytes doppelt so lange. Schick weniger Bytes, oder schick sie, während die GPU rechnet.";
    copy_turn(turn): "past {turn}, bytes cost more", "ab {turn} zählen die Bytes";
    copy_scales: "Both axes are logarithmic: each line stands for ten times the time of the line below it, and from 1 KiB to 1 MiB it's as far as from 1 MiB to 1 GiB.", "Beide Achsen sind logarithmisch: Jede Linie steht für die zehnfache Dauer der Linie darunter, und von 1 KiB bis 1 MiB ist es so weit wie von 1 MiB bis 1 GiB.";
    copy_waits: "your program waits for it", "dein Programm wartet darauf";
    copy_goes_on: "your program goes on", "dein Programm läuft weiter";
    copy_not_made(limit): "Copies of more than {limit} aren't made here, because they'd need that much memory in this tab. The estimate needs none.", "Kopien von mehr als {limit} werden hier nicht gemacht, denn sie bräuchten so viel Speicher in diesem Tab. Die Schätzung braucht keinen.";
    copy_none(size): "not run at {size}", "bei {size} nicht gelaufen";
    copy_ways: "The copies of the run", "Die Kopien des Laufs";
    copy_speed(gbps): "{gbps} GB/s", "{gbps} GB/s";
    copy_table: "Estimated time by size", "Geschätzte Dauer nach Größe";
    col_size: "Size", "Größe";
    on_host_link(link): "CPU to GPU ({link})", "CPU zu GPU ({link})";
    on_peer_link(link): "GPU to GPU ({link})", "GPU zu GPU ({link})";

    dials: "Settings", "Einstellungen";
    dial_batch: "Batch size", "Batchgröße";
    dial_batch_value(n): "{n} examples", "{n} Beispiele";
    dial_batch_note: "An example is one row of numbers. The batch is all the rows that go through the network together.", "Ein Beispiel ist eine Zeile Zahlen. Der Batch sind alle Zeilen, die zusammen durch das Netz gehen.";
    dial_width: "Width", "Breite";
    dial_width_value(n): "{n} numbers per layer", "{n} Zahlen je Schicht";
    dial_width_note: "A layer multiplies each row by a matrix of width × width numbers, and adds one more row, the bias.", "Eine Schicht multipliziert jede Zeile mit einer Matrix aus Breite × Breite Zahlen und addiert noch eine Zeile, den Bias.";
    dial_depth: "Depth", "Tiefe";
    dial_depth_value(n): "{n} layers", "{n} Schichten";
    dial_depth_one: "1 layer", "1 Schicht";
    dial_depth_note: "Each layer takes the result of the one before it. After each layer, `nn.ReLU` turns negative numbers into 0.", "Jede Schicht nimmt das Ergebnis der vorigen. Nach jeder Schicht macht `nn.ReLU` negative Zahlen zu 0.";
    dial_optimizer: "Optimizer", "Optimizer";
    dial_sgd: "SGD", "SGD";
    dial_adam: "Adam", "Adam";
    dial_momentum: "SGD, momentum", "SGD mit Momentum";
    dial_optimizer_note: "The optimizer changes the parameters. Plain SGD looks only at the current step; momentum and Adam also remember earlier ones.", "Der Optimizer ändert die Parameter. Einfaches SGD sieht nur den jetzigen Schritt; Momentum und Adam merken sich auch frühere.";
    dial_precision: "Precision", "Genauigkeit";
    dial_precision_note: "A float32 number takes 4 bytes. With autocast, PyTorch calculates matrix products in bfloat16: 2 bytes a number, but less exact.", "Eine float32-Zahl braucht 4 Bytes. Mit Autocast rechnet PyTorch Matrixprodukte in bfloat16: nur 2 Bytes je Zahl, aber weniger genau.";
    mountain_title: "Memory of the GPU", "Speicher der GPU";
    mountain_label(peak): "Allocated memory over two training steps; it peaks at {peak}. The table below has the same numbers.", "Belegter Speicher über zwei Trainingsschritte; der Gipfel ist {peak}. Die Tabelle darunter enthält dieselben Zahlen.";
    mountain_peak(bytes): "peak: {bytes}", "Gipfel: {bytes}";
    mountain_peak_at(bytes, phase, line, code): "The peak is {bytes}. It's reached {phase}, in line {line}: `{code}`.", "Der Gipfel ist {bytes}. Er wird {phase} erreicht, in Zeile {line}: `{code}`.";
    mountain_most(part, bytes): "The largest part at that moment: {part}, {bytes}.", "Der größte Teil in diesem Augenblick: {part}, {bytes}.";
    mountain_reserved(bytes): "PyTorch takes memory from the GPU in large pieces, so it has reserved {bytes}.", "PyTorch holt sich Speicher von der GPU in großen Stücken, darum hat es {bytes} reserviert.";
    phase_set_up: "Set up", "Aufbau";
    phase_forward: "forward", "vorwärts";
    phase_backward: "backward", "rückwärts";
    phase_update: "update", "anpassen";
    step_first: "First step", "Erster Schritt";
    step_second: "Second step", "Zweiter Schritt";
    in_set_up: "before the first step", "vor dem ersten Schritt";
    in_forward_1: "in the forward pass of the first step", "im Vorwärtslauf des ersten Schritts";
    in_backward_1: "in the backward pass of the first step", "im Rückwärtslauf des ersten Schritts";
    in_update_1: "while the optimizer changes the parameters for the first time", "während der Optimizer die Parameter zum ersten Mal anpasst";
    in_forward_2: "in the forward pass of the second step", "im Vorwärtslauf des zweiten Schritts";
    in_backward_2: "in the backward pass of the second step", "im Rückwärtslauf des zweiten Schritts";
    in_update_2: "while the optimizer changes the parameters for the second time", "während der Optimizer die Parameter zum zweiten Mal anpasst";
    mountain_parts: "What the memory is for", "Wofür der Speicher da ist";
    at_the_peak: "The sizes are those at the peak.", "Die Größen sind die am Gipfel.";
    part_parameters: "Parameters", "Parameter";
    part_parameters_line: "The numbers that the network learns: a matrix and a bias for each layer. They stay in memory all the time.", "Die Zahlen, die das Netz lernt: für jede Schicht eine Matrix und ein Bias. Sie bleiben die ganze Zeit im Speicher.";
    part_state: "Optimizer's state", "Zustand des Optimizers";
    part_state_line: "What the optimizer remembers from step to step. Momentum keeps one number for each parameter: how it has moved so far. Adam keeps two, and plain SGD none.", "Was sich der Optimizer von Schritt zu Schritt merkt. Momentum behält eine Zahl je Parameter: wie er sich bisher bewegt hat. Adam behält zwei und einfaches SGD keine.";
    part_data: "Data", "Daten";
    part_data_line: "The batch: the examples, and the targets, which are the right answers.", "Der Batch: die Beispiele und die Ziele, also die richtigen Antworten.";
    part_gradients: "Gradients", "Gradienten";
    part_gradients_line: "The loss says how wrong the network's answers are, and a gradient says how it changes when a parameter grows. The backward pass makes the gradients, and `zero_grad` frees them.", "Der Verlust sagt, wie falsch die Antworten des Netzes sind, und ein Gradient, wie er sich ändert, wenn ein Parameter wächst. Der Rückwärtslauf macht die Gradienten, und `zero_grad` gibt sie frei.";
    part_activations: "Activations", "Aktivierungen";
    part_activations_line: "The layers' results. The backward pass needs them again, so they stay until then. They grow with the batch. Autocast halves most of them, but adds a bfloat16 copy of the parameters.", "Die Ergebnisse der Schichten. Der Rückwärtslauf braucht sie noch, darum bleiben sie bis dahin. Sie wachsen mit dem Batch. Autocast halbiert die meisten, legt aber eine bfloat16-Kopie der Parameter an.";
    part_scratch: "Scratch", "Zwischenspeicher";
    part_scratch_line: "What the optimizer needs only while it computes.", "Was der Optimizer nur braucht, während er rechnet.";
    part_workspace: "cuBLAS workspace", "Speicher für cuBLAS";
    part_workspace_line: "cuBLAS is NVIDIA's library for matrix products. PyTorch lends it this memory only during each product. It's always 8.12 MiB on this GPU, so for a small network it's the largest part.", "cuBLAS ist NVIDIAs Bibliothek für Matrixprodukte. PyTorch leiht ihr diesen Speicher nur, solange ein Produkt berechnet wird. Auf dieser GPU sind es immer 8.12 MiB, darum ist er bei einem kleinen Netz der größte Teil.";
    mountain_table: "The fullest moment of each phase", "Der vollste Augenblick jedes Abschnitts";
    col_stretch: "Phase", "Abschnitt";
    col_total: "Total", "Zusammen";
    the_program: "The program that ran", "Das Programm, das lief";
    open_in_playground: "Open in the playground", "In der Werkstatt öffnen";
    anatomy_running: "Running…", "Läuft …";
    anatomy_waiting: "The engine is loading. The drawing appears when the program has run.", "Der Motor lädt. Die Zeichnung erscheint, wenn das Programm gelaufen ist.";
    anatomy_failed(message): "The program ended with an error: {message}", "Das Programm endete mit einem Fehler: {message}";

    // instructors
    lesson: "Lesson", "Lektion";
    instructors_intro: "Put a lesson on your own page. It doesn't load Python until a learner starts it, needs no account, and sends data only to your page, if your page asks.", "Stell eine Lektion auf deine eigene Seite. Sie lädt Python erst, wenn jemand sie beginnt, braucht kein Konto und sendet Daten nur an deine Seite, und nur, wenn deine Seite darum bittet.";
    embed_builder: "Build the HTML", "HTML bauen";
    embed_level: "How", "Wie";
    embed_frame: "A plain frame, without a script", "Ein einfacher Rahmen, ohne Skript";
    embed_element: "A custom element that resizes and reports", "Ein eigenes Element, das sich anpasst und berichtet";
    embed_title(title): "Interactive lesson: {title}", "Interaktive Lektion: {title}";
    height: "Height", "Höhe";
    copy_html: "Copy the HTML", "HTML kopieren";
    html_copied: "The HTML is copied.", "Das HTML ist kopiert.";
    html_ready: "Copy the HTML from the box.", "Kopier das HTML aus dem Kasten.";
    show_embed: "Show it here", "Hier zeigen";
    embed_facts: "What you can rely on", "Worauf du dich verlassen kannst";
    embed_fact_lazy: "A poster comes first: ten embedded lessons on one page cost no more than their text, until someone starts one.", "Zuerst erscheint nur eine Vorschau: Zehn eingebettete Lektionen auf einer Seite kosten nicht mehr als ihren Text, bis jemand eine beginnt.";
    embed_fact_headers: "No headers and no permissions are needed on your page.", "Deine Seite braucht dafür keine HTTP-Header und keine Berechtigungen.";
    embed_fact_sandbox: "It runs in a sandbox without allow-same-origin; then progress lasts as long as the page.", "Sie läuft in einer Sandbox ohne allow-same-origin; dann hält der Fortschritt so lange wie die Seite.";
    embed_fact_messages: "The custom element reports size, start, checks and completion to your page, and can save and restore the learner's state.", "Das eigene Element meldet deiner Seite Größe, Beginn, Prüfungen und Abschluss und kann den Stand der Lernenden sichern und wiederherstellen.";
    write_lessons: "Write your own lessons", "Eigene Lektionen schreiben";
    write_lessons_text: "A lesson is one Markdown file. The command line writes a first one, shows it while you write, checks it (that it runs, that its solution passes and its mistakes do not), and packs it for a web server or for a course (cmi5, SCORM).", "Eine Lektion ist eine Markdown-Datei. Die Kommandozeile schreibt eine erste, zeigt sie, während du schreibst, prüft sie (dass sie läuft, dass ihre Lösung besteht und ihre Fehler nicht) und packt sie für einen Webserver oder einen Kurs (cmi5, SCORM).";

    // the class
    class_title: "Your class", "Deine Klasse";
    class_intro: "Your learners save their progress to a file, on the page of lessons, and send it to you. From these files you see where they get stuck, and which mistakes they make.", "Deine Lernenden speichern ihren Fortschritt auf der Seite der Lektionen in eine Datei und schicken sie dir. Aus diesen Dateien siehst du, wo sie hängen bleiben und welche Fehler sie machen.";
    class_link: "See how your class is doing", "Sieh, wie deine Klasse vorankommt";
    class_private: "The files are read in this tab. Nothing is sent and nothing is stored, so everything is gone when you close or reload the tab.", "Die Dateien werden in diesem Tab gelesen. Nichts wird gesendet und nichts gespeichert; wenn du den Tab schließt oder neu lädst, ist alles weg.";
    class_drop: "Drop up to 200 progress files here.", "Zieh bis zu 200 Dateien mit Fortschritt hierher.";
    class_choose: "Choose files", "Dateien wählen";
    class_clear: "Remove all of them", "Alle entfernen";
    class_read(files, time): "{files} read in {time}.", "{files} gelesen in {time}.";
    class_skipped(files): "{files} skipped:", "{files} übersprungen:";
    class_too_large: "larger than 4 MiB", "größer als 4 MiB";
    class_not_progress: "not a progress file, or damaged", "keine Datei mit Fortschritt oder beschädigt";
    class_empty: "no lesson was begun", "keine Lektion wurde begonnen";
    class_twice: "is here already", "ist schon da";
    class_too_many: "this page reads 200 files at most", "diese Seite liest höchstens 200 Dateien";
    file_word: "file", "Datei";
    files_word: "files", "Dateien";
    class_of(count, all): "{count} of {all}", "{count} von {all}";
    class_stuck_now(learners): "Stuck right now: {learners} learners.", "Gerade hängen fest: {learners} Lernenden.";
    class_commonest(rule, learners): "The most common mistake: {rule} ({learners} learners).", "Der häufigste Fehler: {rule} ({learners} Lernenden).";
    class_no_mistakes: "None of the mistakes in these files has an error card.", "Für keinen der Fehler in diesen Dateien gibt es eine Fehlerkarte.";
    class_exercises: "Exercises", "Aufgaben";
    class_about: "A learner is stuck in an exercise that they ran three times or more without finishing it, if they ran nothing else since. Runs of an unchanged program and runs of a finished exercise aren't counted as mistakes. Days are in UTC.", "Wer eine Aufgabe dreimal oder öfter ausgeführt und nicht geschafft hat und seitdem nichts anderes ausgeführt hat, hängt fest. Läufe eines unveränderten Programms und Läufe nach dem Bestehen zählen nicht als Fehler. Tage sind in UTC.";
    class_more(n): "and {n} more", "und {n} weitere";
    class_csv: "Save as CSV", "Als CSV speichern";
    check_number(n): "check {n}", "Prüfung {n}";
    since_days(day, days): "{day}, {days} days ago", "{day}, vor {days} Tagen";
    col_exercise: "Exercise", "Aufgabe";
    col_tried: "Ran it", "Ausgeführt";
    col_finished: "Finished it", "Geschafft";
    col_stuck: "Stuck", "Hängen fest";
    col_median: "Runs (median)", "Läufe (Median)";
    col_opened: "Opened the solution", "Lösung geöffnet";
    col_failed: "Failed checks", "Nicht bestandene Prüfungen";
    col_mistakes: "Mistakes", "Fehler";
    col_mistake: "Mistake", "Fehler";
    col_learner: "Learner", "Name";
    col_learners: "Learners", "Lernende";
    col_steps_done: "Steps done", "Erledigte Schritte";
    col_runs: "Runs", "Läufe";
    col_hints: "Hints", "Hinweise";
    col_last_run: "Last run", "Letzter Lauf";
    col_stuck_at: "Stuck at", "Hängt fest bei";
    col_since: "Since", "Seit";
    col_mostly_in: "Mostly in", "Meist in";

    // worksheets, which the command line writes
    sheet_name: "Name", "Name";
    sheet_date: "Date", "Datum";
    sheet_at: "On a computer", "Am Rechner";
    sheet_predict: "Before you run it, tick what you expect.", "Kreuz an, was du erwartest, bevor du es ausführst.";
    sheet_quiz: "Tick the right answer.", "Kreuz die richtige Antwort an.";
    sheet_look: "Run this program, and write down what you see.", "Führ dieses Programm aus und schreib auf, was du siehst.";
    sheet_exercise: "Change this program.", "Ändere dieses Programm.";
    sheet_bug: "This program has a mistake.", "Dieses Programm hat einen Fehler.";
    sheet_find: "Which line has to change? Write down its number before you run the program.", "Welche Zeile muss sich ändern? Schreib ihre Nummer auf, bevor du das Programm ausführst.";
    sheet_program: "Your program, or the lines that you change", "Dein Programm, oder die Zeilen, die du änderst";
    sheet_notes: "What you saw, and whether you expected it", "Was du gesehen hast, und ob du es erwartet hast";
    sheet_answers: "Answers, for the teacher", "Lösungen, für die Lehrkraft";
    sheet_answer: "Answer", "Antwort";
    sheet_seen: "What there is to see", "Was zu sehen ist";
    sheet_solution: "A solution", "Eine Lösung";
    sheet_checks: "What the page checks", "Was die Seite prüft";
    sheet_why: "Why it works", "Warum es funktioniert";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled() {
        assert_eq!(ENGLISH.of_steps(&1, &"4"), "1 of 4 steps");
        assert_eq!(GERMAN.no_step(&"A", &"b"), "Die Lektion „A“ hat keinen Schritt „b“ mit einem Programm.");
    }

    #[test]
    fn every_text_is_there_in_every_language() {
        for (name, [english, german], gaps) in ALL {
            assert!(!english.trim().is_empty() && !german.trim().is_empty(), "{name} is empty");
            // A gap that wasn't declared would be shown with its braces.
            assert!(*gaps || !format!("{english}{german}").contains('{'), "{name} has a gap without a name");
            // If a sentence is the same in both languages, somebody forgot to translate it.
            let letters = english.chars().filter(|c| c.is_alphabetic()).count();
            assert!(english != german || letters < 16, "{name} is not translated");
        }
    }
}
