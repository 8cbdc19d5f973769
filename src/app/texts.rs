//! Every text of the page, in every language. A line that lacks a language doesn't compile, and neither does a line whose
//! gaps (`{name}`) differ between languages.
//!
//! Programs, Python's output and PyTorch's messages aren't translated here, and lessons have their own translations.
//! `t().lessons` is a text; `t().no_lesson(&id)` is one with its gaps filled.

use std::cell::Cell;
use std::fmt::Display;

use crate::language::say;
pub use crate::language::{LANGUAGES, Language};

/// The name of this site, in every language.
pub const NAME: &str = "Tensoryard";

thread_local! {
    static SPOKEN: Cell<Language> = const { Cell::new(Language::English) };
}

/// Sets the language of [`t`].
pub fn speak(language: Language) {
    SPOKEN.set(language);
}

/// The chosen language.
pub(crate) fn spoken() -> Language {
    SPOKEN.get()
}

/// The texts in the chosen language.
pub fn t() -> &'static Texts {
    match SPOKEN.get() {
        Language::English => &ENGLISH,
        Language::German => &GERMAN,
    }
}

/// The type of a field of [`Texts`]: the text itself, or nothing if it has gaps. A text with gaps has a method that
/// fills them.
macro_rules! entry {
    ($text:literal) => { $text };
    ($text:literal $($gap:ident)+) => { () };
    (type) => { &'static str };
    (type $($gap:ident)+) => { () };
}

macro_rules! texts {
    ($($name:ident $(($($gap:ident),+))?: $english:literal, $german:literal;)*) => {
        pub struct Texts {
            in_language: Language,
            $(pub $name: entry!(type $($($gap)+)?),)*
        }

        impl Texts {
            $($(
                pub fn $name(&self, $($gap: &dyn Display),+) -> String {
                    say!(self.in_language, [$($gap),+], $english, $german)
                }
            )?)*
        }

        pub static ENGLISH: Texts = Texts { in_language: Language::English, $($name: entry!($english $($($gap)+)?),)* };
        pub static GERMAN: Texts = Texts { in_language: Language::German, $($name: entry!($german $($($gap)+)?),)* };

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
    not_on_this_site(host): "This lesson can't be embedded on {host}.", "Diese Lektion antwortet Seiten von {host} nicht.";
    colours: "Colors", "Farben";
    theme_auto: "Auto", "Auto";
    theme_light: "Light", "Hell";
    theme_dark: "Dark", "Dunkel";

    // the engine
    engine_loading: "Engine loading…", "Motor lädt …";
    engine_not_running: "Engine not running", "Motor steht";
    running: "Running", "Läuft";
    ready: "Ready", "Bereit";
    ready_webgpu: "Ready on WebGPU", "Bereit auf WebGPU";
    ready_cpu: "Ready on the CPU executor", "Bereit auf der CPU";
    on_webgpu(adapter): "WebGPU: {adapter}", "WebGPU: {adapter}";
    without_webgpu: "This browser offers no WebGPU here, so the processor simulates the accelerators.", "Dieser Browser bietet hier kein WebGPU, darum bildet der Prozessor die Beschleuniger nach.";
    without_jspi: "The processor simulates the accelerators: this browser cannot suspend WebAssembly (JSPI), so Python cannot wait for a GPU. Chrome 137, Firefox 153 and Safari 27 can.", "Der Prozessor bildet die Beschleuniger nach: Dieser Browser kann WebAssembly nicht anhalten (JSPI), Python kann also nicht auf eine GPU warten. Chrome 137, Firefox 153 und Safari 27 können es.";
    engine_stopped: "The engine is not running.", "Der Motor steht.";
    engine_message(error): "the page does not understand the engine's message: {error}", "die Seite versteht die Nachricht des Motors nicht: {error}";
    engine_script: "its script could not be loaded", "sein Skript konnte nicht geladen werden";
    fetch_failed(file, reason): "{file} could not be fetched: {reason}", "{file} konnte nicht geholt werden: {reason}";
    fetch_status(file, status): "{file} could not be fetched: the server answered {status}", "{file} konnte nicht geholt werden: Der Server antwortete {status}";
    page_mistake: "This page stopped because of a mistake in Tensoryard. Reload it to go on: your program and your progress are stored in this browser. If you report this, please include the message below.", "Diese Seite ist wegen eines Fehlers in Tensoryard stehen geblieben. Lade sie neu, um weiterzumachen: Dein Programm und dein Fortschritt sind in diesem Browser gespeichert. Wenn du das meldest, nimm bitte die Meldung unten auf.";
    engine_gone: "The engine stopped answering, so a new one was started. Your program hasn't changed.", "Der Motor hat nicht mehr geantwortet, deshalb wurde ein neuer gestartet. Dein Programm ist unverändert.";
    engine_too_deep: "Your program went deeper than this browser's stack, so the engine had to be restarted. Your program, its output and your progress are still here.", "Dein Programm ging tiefer, als der Stapel dieses Browsers reicht, deshalb musste der Motor neu gestartet werden. Dein Programm, seine Ausgabe und dein Fortschritt sind noch da.";
    engine_memory: "The engine ended without a message, most likely because your program needs more memory than a browser gives it. A new engine was started. Your program, its output and your progress are still here.", "Der Motor endete ohne ein Wort, höchstwahrscheinlich, weil dein Programm mehr Speicher braucht, als ein Browser ihm gibt. Ein neuer Motor wurde gestartet. Dein Programm, seine Ausgabe und dein Fortschritt sind noch da.";
    engine_mistake: "The engine ended because of a mistake in Tensoryard, not in your program. A new engine was started. Your program, its output and your progress are still here. If you report this, please send the report below: it contains this message and your program.", "Der Motor endete wegen eines Fehlers in Tensoryard, nicht in deinem Programm. Ein neuer Motor wurde gestartet. Dein Programm, seine Ausgabe und dein Fortschritt sind noch da. Wenn du das meldest, schick bitte den Bericht unten mit: Er enthält diese Meldung und dein Programm.";
    engine_ended_here: "The engine ended here. See the message under the program.", "Hier endete der Motor. Die Meldung steht unter dem Programm.";
    copy_report: "Copy the report", "Bericht kopieren";
    report_copied: "The report is copied.", "Der Bericht ist kopiert.";
    report_refused: "The browser doesn't let this page copy; select the message above instead.", "Der Browser lässt diese Seite nicht kopieren; markiere stattdessen die Meldung oben.";
    gpu_lost: "GPU lost", "GPU verloren";
    gpu_lost_sentence: "The browser lost the GPU, and with it every tensor on it. The next run asks for it again.", "Der Browser hat die GPU verloren und mit ihr jeden Tensor darauf. Der nächste Lauf fragt wieder nach ihr.";
    no_gpu_again(reason): "Your program didn't run: the browser lost the GPU and has no other to offer ({reason}). Run it again to ask once more, or choose CPU under “Runs on” to run it on the CPU executor.", "Dein Programm lief nicht: Der Browser hat die GPU verloren und bietet keine andere an ({reason}). Führe es noch einmal aus, um wieder zu fragen, oder wähle unter „Läuft auf“ CPU, um es auf der CPU auszuführen.";
    start_again: "Start it again", "Neu starten";
    stopped_hard: "Stopped. Python wasn't responding, so the engine was restarted. Your program hasn't changed.", "Angehalten. Python hat nicht geantwortet, deshalb wurde der Motor neu gestartet; dein Programm ist, wie du es verlassen hast.";
    keeps_nothing: "This browser isn't saving anything for this page. You'll lose your program when you close the tab.", "Dieser Browser speichert nichts für diese Seite; das Programm geht mit dem Tab verloren.";

    // home
    headline: "See where your tensors live.", "Sieh, wo deine Tensoren leben.";
    lead: "Write PyTorch in this tab. Every tensor, every copy between devices and every byte of device memory is drawn as it happens, and every mistake is explained where it was made.", "Schreib PyTorch in diesem Tab. Jeder Tensor, jede Kopie zwischen Geräten und jedes Byte Gerätespeicher wird gezeichnet, während es geschieht, und jeder Fehler wird dort erklärt, wo er entstand.";
    start_lessons: "Start with the lessons", "Mit den Lektionen beginnen";
    open_playground: "Open the playground", "Werkstatt öffnen";
    run_here: "Run it here", "Hier ausführen";
    promises: "What you can rely on", "Worauf du dich verlassen kannst";
    promise_exact: "Exact about devices", "Genau bei Geräten";
    promise_exact_text: "Errors, devices, memory sizes and random numbers are those of PyTorch 2.15, and are tested against recordings of it.", "Fehlertexte, Geräte, Speicherzahlen und Zufallszahlen sind die von PyTorch 2.15, geprüft gegen dessen Aufzeichnungen.";
    promise_seen: "Nothing hidden", "Nichts verborgen";
    promise_seen_text: "Copies, waits, segments and blocks are on the screen, forward and backward in time.", "Kopien, Wartezeiten, Segmente und Blöcke stehen auf dem Schirm, vorwärts und rückwärts in der Zeit.";
    promise_yours: "Yours alone", "Nur deins";
    promise_yours_text: "Python runs in this tab. No program, no output and no progress is sent anywhere.", "Python läuft in diesem Tab. Kein Programm, keine Ausgabe und kein Fortschritt wird irgendwohin gesendet.";
    promise_teach: "Made to be embedded", "Zum Einbetten gemacht";
    promise_teach_text: "You can put a lesson on any page with one line of HTML.", "Eine Lektion kommt mit einer Zeile HTML auf jede Seite.";
    about_what: "Tensoryard runs PyTorch-style Python in the browser and shows where every tensor is. It's for people who are learning where to put their tensors, and for their teachers.", "Tensoryard führt Python im Stil von PyTorch im Browser aus und zeigt, wo jeder Tensor liegt. Es ist für alle, die lernen, wohin ihre Tensoren gehören, und für alle, die das unterrichten.";
    about_real: "What is real", "Was echt ist";
    about_real_text: "The arithmetic, the gradients, the device rules, the error messages and PyTorch's memory allocation. Times are measured here, on this computer.", "Die Rechnungen, die Gradienten, die Regeln der Geräte, die Fehlertexte und PyTorchs Speicherverwaltung. Zeiten sind hier gemessen, auf diesem Rechner.";
    about_simulated: "What is simulated", "Was nachgebildet ist";
    about_simulated_text: "The machine: a browser offers one GPU at most, so several accelerators are logical devices on one, and without WebGPU the processor simulates them. The numbers for PCIe and NVLink are computed from their bandwidth. The page says so wherever it applies.", "Die Maschine: Ein Browser bietet höchstens eine GPU; mehrere Beschleuniger sind logische Geräte auf einer, und ohne WebGPU spielt der Prozessor sie. Die Zahlen für PCIe und NVLink sind aus deren Bandbreite berechnet. Die Seite sagt es, wo immer es gilt.";
    about_private: "What leaves this tab", "Was diesen Tab verlässt";
    about_private_text: "Nothing. A link that you copy carries the program in its fragment, which browsers do not send to servers. Progress is kept in this browser.", "Nichts. Ein kopierter Link trägt das Programm in seinem Fragment, das Browser nicht an Server senden. Der Fortschritt bleibt in diesem Browser.";
    about_runs: "What it runs on", "Worauf es läuft";
    about_runs_text: "A current Chrome, Edge, Firefox or Safari. After the first visit it works without a network.", "Ein aktueller Chrome, Edge, Firefox oder Safari. Nach dem ersten Besuch geht es ohne Netz.";

    // lessons
    lessons_intro: "Each one asks you to guess, lets you run real PyTorch code, and shows on the devices why you get this result.", "Jede lässt dich raten, führt echten PyTorch-Code aus und zeigt an den Geräten, warum es so ausging.";
    loading_list: "Loading the list…", "Liste lädt …";
    loading_lesson: "Loading the lesson…", "Lektion lädt …";
    no_lesson(id): "There is no lesson '{id}'.", "Es gibt keine Lektion »{id}«.";
    all_lessons: "All lessons", "Alle Lektionen";
    minutes(minutes): "{minutes} min", "{minutes} min";
    of_steps(done, steps): "{done} of {steps} steps", "{done} von {steps} Schritten";
    your_progress: "Your progress", "Dein Fortschritt";
    progress_text: "It's saved in this browser. Save it to a file to use it elsewhere.", "Er liegt in diesem Browser. Speichere ihn in eine Datei, um ihn mitzunehmen.";
    progress_save: "Save to a file", "In Datei speichern";
    progress_read: "Read from a file", "Aus Datei lesen";
    progress_link: "Copy a link", "Link kopieren";
    progress_link_label: "Link that carries your progress", "Link mit deinem Fortschritt";
    progress_link_copied: "The link is copied. It carries your progress, without your programs.", "Der Link ist kopiert. Er trägt, was du erledigt hast, ohne deine Programme.";
    progress_link_ready: "Copy the link from the field. It carries your progress, without your programs.", "Kopiere den Link aus dem Feld. Er trägt, was du erledigt hast, ohne deine Programme.";
    progress_carried: "Progress in this link", "Fortschritt in diesem Link";
    progress_carried_text(steps): "This link records {steps} as done. Taking it over adds to your progress, and nothing of yours is lost.", "Erledigt laut diesem Link: {steps}. Übernommen, kommt es zu deinem hinzu; nichts von dir geht verloren.";
    progress_none_carried: "This link carries no progress: no step had been done when it was made.", "Dieser Link trägt keinen Fortschritt: Wo er entstand, war kein Schritt erledigt.";
    progress_take: "Take it over", "Übernehmen";
    step_word: "step", "Schritt";
    steps_word: "steps", "Schritte";
    not_progress: "This isn't a progress file. Nothing was changed.", "Das ist keine Datei mit Fortschritt. Nichts wurde geändert.";
    steps: "Steps", "Schritte";
    back: "Back", "Zurück";
    next_step: "Next step", "Nächster Schritt";
    saw_it_coming: "You saw it coming.", "Du hast es kommen sehen.";
    came_out_otherwise: "It came out otherwise.", "Es kam anders.";
    right: "Right.", "Richtig.";
    not_quite: "Not quite: try another.", "Nicht ganz: Versuch eine andere.";
    guess_first: "Guess first.", "Rate zuerst.";
    question: "Question.", "Frage.";
    kept_guess: "Your answer is saved. Run the program to find out.", "Gemerkt. Führ das Programm aus, um es zu erfahren.";
    why_it_works: "Why it works", "Warum es geht";
    passed: "passed", "bestanden";
    found_no_error(class): "The program ended without an error; {class} was expected.", "Das Programm endete ohne Fehler; erwartet wurde {class}.";
    found_other_error(class, message): "It ended with another error: {class}: {message}", "Es endete mit einem anderen Fehler: {class}: {message}";
    found_error(class, message): "It ended with {class}: {message}", "Es endete mit {class}: {message}";
    found_few(count, what, least): "{count} {what}; at least {least} were expected.", "{count} {what}; mindestens {least} wurden erwartet.";
    found_many(count, what, most): "{count} {what}; at most {most} are allowed.", "{count} {what}; höchstens {most} sind erlaubt.";
    found_untrue(expr): "`{expr}` is false.", "`{expr}` ist falsch.";
    found_raises(expr, class, message): "`{expr}` raises {class}: {message}", "`{expr}` löst {class} aus: {message}";
    found_not_printed(text): "The output does not contain `{text}`.", "`{text}` kommt in der Ausgabe nicht vor.";
    found_one_object(left, right): "`{left}` and `{right}` are the same object.", "`{left}` und `{right}` sind dasselbe Objekt.";
    found_two_objects(left, right): "`{left}` and `{right}` are two objects.", "`{left}` und `{right}` sind zwei Objekte.";
    found_uses(name): "The program uses `{name}`.", "Das Programm benutzt `{name}`.";
    found_uses_not(name): "The program does not use `{name}`.", "Das Programm benutzt `{name}` nicht.";
    found_on(name, device): "`{name}` is on {device}.", "`{name}` ist auf {device}.";
    found_part_on(name, device): "A tensor of `{name}` is on {device}.", "Ein Tensor von `{name}` ist auf {device}.";
    found_no_parameters(name): "`{name}` has no parameters.", "`{name}` hat keine Parameter.";
    found_no_tensor(name): "`{name}` is neither a tensor nor a module.", "`{name}` ist weder ein Tensor noch ein Modul.";
    found_unparsed(error): "The program does not parse: {error}", "Das Programm ist kein gültiges Python: {error}";
    found_not_started: "The program did not start.", "Das Programm hat nicht begonnen.";
    counted_copies: "copies", "Kopien";
    counted_bytes: "bytes copied", "kopierte Bytes";
    counted_asynchronous: "asynchronous copies", "asynchrone Kopien";
    counted_waits: "times the host waited for a device", "Mal wartete der Host auf ein Gerät";
    counted_peak(device): "bytes allocated at most on {device}", "Bytes auf {device} zur gleichen Zeit belegt";
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
    run_program: "Run the program", "Programm ausführen";
    run: "Run", "Ausführen";
    run_keys: "Ctrl+Enter, or Command+Enter", "Strg+Eingabe, oder Befehl+Eingabe";
    stop: "Stop", "Anhalten";
    stopping: "Stopping…", "Hält an …";
    reset: "Reset", "Zurücksetzen";
    reset_title: "Restores the original program. Undo in the editor brings yours back", "Stellt den Anfang des Programms wieder her; Rückgängig im Editor hebt das auf";
    step_mode: "Step by step", "Schrittweise";
    step_title: "The run waits at the start, so that you can step through it line by line below the yards", "Der Lauf wartet an seinem Anfang und wird unter den Höfen Zeile für Zeile durchgegangen";
    machine: "Machine", "Maschine";
    one_gpu: "One GPU", "Eine GPU";
    two_gpus: "Two GPUs", "Zwei GPUs";
    four_gpus: "Four GPUs", "Vier GPUs";
    apple: "Apple silicon", "Apple-Chip";
    no_gpu: "No GPU", "Keine GPU";
    no_gpu_build: "No GPU, CPU-only PyTorch", "Keine GPU, PyTorch nur für CPU";
    runs_on: "Runs on", "Läuft auf";
    automatic: "Automatic", "Automatisch";
    editor_keys: "Escape, then Tab leaves the editor. Ctrl+Enter runs.", "Escape, dann Tab verlässt den Editor. Strg+Eingabe führt aus.";
    plain_text: "Plain text", "Nur Text";
    files: "Files and links", "Dateien und Links";
    open_file: "Open a .py, .ipynb or .pt", ".py, .ipynb oder .pt öffnen";
    save_as: "Save as", "Speichern als";
    trace_file: "Perfetto trace", "Perfetto-Spur";
    snapshot_file: "Memory snapshot", "Speicherabbild";
    copy_link: "Copy a link to this program", "Link zu diesem Programm kopieren";
    link_label: "Link to this program", "Link zu diesem Programm";
    link_copied: "The link is copied. It carries the program itself.", "Der Link ist kopiert. Er trägt das Programm selbst.";
    link_ready: "Copy the link from the field. It carries the program itself.", "Kopiere den Link aus dem Feld. Er trägt das Programm selbst.";
    no_snapshot: "This run used no memory of an accelerator.", "Dieser Lauf hat keinen Speicher eines Beschleunigers benutzt.";
    file_too_large: "This program is larger than 512 KiB.", "Dieses Programm ist größer als 512 KiB.";
    notebook_too_large: "This notebook is larger than 32 MiB.", "Dieses Notebook ist größer als 32 MiB.";
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
    no_step(lesson, step): "The lesson '{lesson}' has no step '{step}' with a program.", "Die Lektion »{lesson}« hat keinen Schritt »{step}« mit einem Programm.";
    brought: "This program came from a link. Your own program for this step is still saved.", "Dieses Programm kam in einem Link. Was du in diesem Schritt selbst geschrieben hast, bleibt erhalten.";
    brought_own: "Show my own program", "Mein eigenes Programm zeigen";
    link_too_long: "This link is too long to be one of ours. Nothing was opened.", "Dieser Link ist zu lang, um von hier zu sein. Nichts wurde geöffnet.";
    link_damaged: "This link is damaged or cut off. Nothing was opened.", "Dieser Link ist beschädigt oder abgeschnitten. Nichts wurde geöffnet.";
    link_too_large: "The content of this link is too large. Nothing was opened.", "Dieser Link entpackt sich zu mehr, als ein Programm sein darf. Nichts wurde geöffnet.";
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
    host: "host", "Hauptrechner";
    accelerator: "accelerator", "Beschleuniger";
    gpu_of_machine(name, place): "{name}, the machine's GPU {place}", "{name}, GPU {place} der Maschine";
    meta_role: "shapes only, no memory", "nur Formen, kein Speicher";
    no_accelerator: "This machine has no accelerator: everything stays on the host.", "Diese Maschine hat keinen Beschleuniger: Alles bleibt auf dem Hauptrechner.";
    yards_legend: "Each doubling of bytes makes a block one step longer. Striped memory is reserved and free; the mark is the peak. Drag a block to another device, or press it to see what it is and to move it.", "Jede Verdopplung der Bytes macht einen Block eine Stufe länger. Gestreifter Speicher ist reserviert und frei; die Marke ist der Höchststand. Zieh einen Block auf ein anderes Gerät, oder drück ihn, um zu sehen, was er ist, und ihn zu verschieben.";
    recorded_earlier: "recorded earlier; press Run to see your own", "früher aufgezeichnet; drück Ausführen für deinen eigenen Lauf";
    several_logical: ", several logical devices on one", ", mehrere logische Geräte auf einem";
    by_cpu: "executed by the CPU", "ausgeführt von der CPU";
    simulated: "accelerators simulated by the CPU executor", "Beschleuniger von der CPU nachgebildet";
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
    tensor_facts(shape, dtype, bytes, block): "{shape} {dtype}, {bytes} in a block of {block}", "{shape} {dtype}, {bytes} in einem Block von {block}";
    kept_by(name): "Kept alive by the variable {name}.", "Am Leben gehalten von der Variablen {name}.";
    kept_by_since(name, line): "Kept alive by the variable {name}, seen in line {line}.", "Am Leben gehalten von der Variablen {name}, gesehen in Zeile {line}.";
    kept_by_nothing: "No variable of the program holds it: an intermediate result, or saved for the backward pass.", "Keine Variable des Programms hält ihn: ein Zwischenergebnis, oder für den Rückwärtslauf aufgehoben.";
    move_to: "Move to", "Verschieben nach";
    close: "Close", "Schließen";
    placed(name, device, line): "Wrote the line that moves {name} to {device}: line {line}.", "Die Zeile, die {name} nach {device} bringt, steht jetzt in Zeile {line}.";
    place_running: "You can move a tensor only after the program has ended: stop it first.", "Ein Tensor lässt sich versetzen, wenn das Programm zu Ende ist: Halte es zuerst an.";
    place_stale: "The program has changed since it ran. Run it first.", "Das Programm hat sich seit dem Lauf geändert. Führ es zuerst aus.";
    place_no_variable(name): "This tensor ({name}) has no variable of its own, so no line can move it alone. Move the module or the object that it belongs to.", "Keine eigene Variable hält diesen Tensor ({name}), also kann ihn keine Zeile allein verschieben. Verschieb das Modul oder Objekt, zu dem er gehört.";
    place_no_line(name): "The line that assigns {name} can't be found, so nothing was changed.", "Die Zeile, die {name} seinen Wert gibt, ist nicht zu finden; nichts wurde geschrieben.";
    allocated: "allocated", "belegt";
    reserved: "reserved", "reserviert";
    peak: "peak", "Höchststand";
    of(bytes): "of {bytes}", "von {bytes}";
    bar_to(scale): "bar to {scale}", "Balken bis {scale}";
    bar_to_of(scale, capacity): "bar to {scale}, of {capacity}", "Balken bis {scale}, von {capacity}";
    gauge(allocated, reserved, peak, capacity): "{allocated} allocated, {reserved} reserved, peak {peak}, of {capacity}", "{allocated} belegt, {reserved} reserviert, Höchststand {peak}, von {capacity}";
    gauge_host(allocated, peak): "{allocated} in tensors, peak {peak}", "{allocated} in Tensoren, Höchststand {peak}";
    nothing_to_yet(device): "nothing to {device} yet", "noch nichts nach {device}";
    copies_between: "Copies between accelerators", "Kopien zwischen Beschleunigern";
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
    col_origin: "From", "Herkunft";

    // the timeline
    timeline: "Timeline", "Zeitachse";
    playhead: "Playhead", "Abspielkopf";
    previous_line: "Previous line", "Vorige Zeile";
    next_line: "Next line", "Nächste Zeile";
    pause: "Pause", "Pause";
    play_again: "Play the run again", "Lauf noch einmal abspielen";
    timeline_label: "What happened on each lane, by stretches of the run", "Was auf jeder Spur geschah, nach Abschnitten des Laufs";
    col_events: "Events", "Ereignisse";
    col_lines: "Lines", "Zeilen";
    col_lane: "Lane", "Spur";
    col_waits: "Waits", "Wartezeiten";
    col_there: "Copied there", "Hin kopiert";
    col_back: "Copied back", "Zurück kopiert";
    col_errors: "Errors", "Fehler";
    moment_label: "Moment of the run", "Augenblick des Laufs";
    moment(event, events, time): "event {event} of {events}, {time}", "Ereignis {event} von {events}, {time}";
    moment_line(event, events, line, time): "event {event} of {events}, line {line}, {time}", "Ereignis {event} von {events}, Zeile {line}, {time}";
    first_event: "waiting for the first event", "wartet auf das erste Ereignis";
    ev_segment(device, bytes): "{device} reserves {bytes}", "{device} reserviert {bytes}";
    ev_segment_free(device, bytes): "{device} gives {bytes} back", "{device} gibt {bytes} zurück";
    ev_alloc(device, name, bytes): "{device}: {name} gets {bytes}", "{device}: {name} erhält {bytes}";
    ev_free(device, name, bytes): "{device}: {name} frees {bytes}", "{device}: {name} gibt {bytes} frei";
    ev_copy(name, from, to, bytes): "{name}: {from} → {to}, {bytes}", "{name}: {from} → {to}, {bytes}";
    ev_kernel(device, kernel): "{device} runs {kernel}", "{device} führt {kernel} aus";
    ev_graph(device, kernels): "{device}: graph replay, {kernels} kernels", "{device}: Graph wiederholt, {kernels} Kernel";
    ev_print(name, device, waits): "{name} becomes text: PyTorch formats it on {device} and waits {waits} times", "{name} wird zu Text: PyTorch formatiert auf {device} und wartet {waits}-mal";
    ev_wait(device): "the host waits for {device}", "der Hauptrechner wartet auf {device}";
    ev_gpu(place): "GPU {place}", "GPU {place}";
    ev_selected(gpus): "CUDA_VISIBLE_DEVICES leaves {gpus}", "CUDA_VISIBLE_DEVICES lässt übrig: {gpus}";
    ev_shortened(events): "{events} events, not shown one by one", "{events} Ereignisse, nicht einzeln erzählt";
    shortened(events): "This run is shortened: your program was faster than this page could draw, so {events} events are only counted. Memory and costs are still exact.", "Dieser Lauf ist gekürzt: Dein Programm war schneller, als diese Seite zeichnen kann, darum sind {events} Ereignisse nur gezählt. Speicher und Kosten stimmen trotzdem genau.";
    beginning_gone(events): "You can't go back to its first {events} events: they were dropped to make room for later ones.", "Zu den ersten {events} Ereignissen kannst du nicht zurück: Sie machen späteren Platz.";
    ev_line(line): "line {line} begins", "Zeile {line} beginnt";
    ev_name(name): "named {name}", "heißt jetzt {name}";

    // panels
    views_of_run: "Views of the run", "Ansichten des Laufs";
    cost: "Cost of this run", "Kosten dieses Laufs";
    h2d: "host → device", "Rechner → Gerät";
    d2h: "device → host", "Gerät → Rechner";
    d2d: "device → device", "Gerät → Gerät";
    h2d_title: "Bytes copied from the host to accelerators", "Bytes, die vom Hauptrechner auf Beschleuniger kopiert wurden";
    d2h_title: "Bytes copied from accelerators to the host", "Bytes, die von Beschleunigern auf den Hauptrechner kopiert wurden";
    d2d_title: "Bytes copied between accelerators", "Bytes, die zwischen Beschleunigern kopiert wurden";
    copies_title: "Number of copies between devices", "Zahl der Kopien zwischen Geräten";
    waits: "waits", "Wartezeiten";
    waits_title: "Times the host waited for an accelerator", "Wie oft der Hauptrechner auf einen Beschleuniger wartete";
    kernels: "kernels", "Kernel";
    kernels_title: "Kernels launched on accelerators", "Auf Beschleunigern gestartete Kernel";
    peak_title: "Most bytes allocated at once on one accelerator", "Höchste Belegung eines Beschleunigers";
    memory_map: "Memory map", "Speicherkarte";
    map_legend: "Each strip is a segment that the allocator took from the device. Its blocks belong to tensors; striped memory is reserved and free. Press a block to see what keeps it alive.", "Jeder Streifen ist ein Segment, das der Allokator dem Gerät abnahm. Blöcke darin gehören Tensoren; Gestreiftes ist reserviert und frei. Drück einen Block, um zu sehen, was ihn am Leben hält.";
    map_empty: "No accelerator holds memory at this moment.", "Kein Beschleuniger hält in diesem Augenblick Speicher.";
    map_device(segments, allocated, reserved, cached): "{segments}, {allocated} allocated of {reserved} reserved, {cached} cached", "{segments}, {allocated} belegt von {reserved} reserviert, {cached} im Vorrat";
    segment: "segment", "Segment";
    segments: "segments", "Segmente";
    more_segments(count): "and {count} more segments", "und {count} weitere Segmente";
    segment_of(used, bytes): "{used} of {bytes}", "{used} von {bytes}";
    smi_legend: "nvidia-smi counts what PyTorch reserved, not what it allocated. A real card shows a few hundred MiB more for the CUDA context.", "nvidia-smi zählt, was PyTorch reserviert hat, nicht was es belegt. Eine echte Karte zeigt einige hundert MiB mehr für den CUDA-Kontext.";
    graph: "Autograd graph", "Autograd-Graph";
    graph_empty: "No variable of the last run has a graph: nothing required a gradient, or it ran under no_grad.", "Keine Variable des letzten Laufs hat einen Graphen: Nichts verlangte einen Gradienten, oder es lief unter no_grad.";
    graph_of: "Graph of", "Graph von";
    graph_legend: "Gradients flow from left to right. The color shows the device of each step's result; AccumulateGrad adds into the .grad of a leaf.", "Gradienten fließen von links nach rechts. Die Farbe ist das Gerät des Ergebnisses jedes Schritts; AccumulateGrad addiert in das .grad eines Blatts.";
    graph_label(name, nodes): "Autograd graph of {name}, {nodes} nodes", "Autograd-Graph von {name}, {nodes} Knoten";
    graph_cut: "The graph is larger; the nodes nearest to the tensor are shown.", "Der Graph ist größer; gezeigt sind die Knoten nächst dem Tensor.";
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
    ex_seeds: "Seeds and generators", "Startwerte und Generatoren";
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

    // instructors
    lesson: "Lesson", "Lektion";
    instructors_intro: "Put a lesson on your own page. It doesn't load Python until a learner starts it, needs no account, and sends data only to your page, if your page asks.", "Stell eine Lektion auf deine eigene Seite. Sie lädt nichts von Python, bis jemand sie beginnt, verlangt kein Konto und sendet nichts an irgendwen außer deiner Seite, wenn deine Seite darum bittet.";
    embed_builder: "Build the HTML", "HTML bauen";
    embed_level: "How", "Wie";
    embed_frame: "A plain frame, without a script", "Ein einfacher Rahmen, ohne Skript";
    embed_element: "A custom element that resizes and reports", "Ein eigenes Element, das sich anpasst und berichtet";
    embed_title(title): "Interactive lesson: {title}", "Interaktive Lektion: {title}";
    height: "Height", "Höhe";
    copy_html: "Copy the HTML", "HTML kopieren";
    html_copied: "The HTML is copied.", "Das HTML ist kopiert.";
    html_ready: "Copy the HTML from the box.", "Kopiere das HTML aus dem Kasten.";
    show_embed: "Show it here", "Hier zeigen";
    embed_facts: "What you can rely on", "Worauf du dich verlassen kannst";
    embed_fact_lazy: "A poster comes first: ten embedded lessons on one page cost no more than their text, until someone starts one.", "Zuerst ein Aushang: Zehn Einbettungen auf einer Seite kosten nicht mehr als ihren Text, bis eine begonnen wird.";
    embed_fact_headers: "No headers and no permissions are needed on your page.", "Deine Seite braucht keine Kopfzeilen und keine Erlaubnisse.";
    embed_fact_sandbox: "It runs in a sandbox without allow-same-origin; then progress lasts as long as the page.", "Sie läuft in einer Sandbox ohne allow-same-origin; dann hält der Fortschritt so lange wie die Seite.";
    embed_fact_messages: "The custom element reports size, start, checks and completion to your page, and can save and restore the learner's state.", "Das eigene Element berichtet deiner Seite Größe, Beginn, Prüfungen und Abschluss, und gibt und nimmt den Stand der Lernenden.";
    write_lessons: "Write your own lessons", "Eigene Lektionen schreiben";
    write_lessons_text: "A lesson is one Markdown file. The command line writes a first one, shows it while you write, checks it (that it runs, that its solution passes and its mistakes do not), and packs it for a web server or for a course (cmi5, SCORM).", "Eine Lektion ist eine Markdown-Datei. Die Kommandozeile schreibt eine erste, zeigt sie, während du schreibst, prüft sie (dass sie läuft, dass ihre Lösung besteht und ihre Fehler nicht) und packt sie für einen Webserver oder einen Kurs (cmi5, SCORM).";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_filled() {
        assert_eq!(ENGLISH.of_steps(&1, &"4"), "1 of 4 steps");
        assert_eq!(GERMAN.no_step(&"A", &"b"), "Die Lektion »A« hat keinen Schritt »b« mit einem Programm.");
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
