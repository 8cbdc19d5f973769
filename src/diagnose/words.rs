//! Every sentence of a card, in every language: a message without one of them does not compile, and neither does a text
//! that leaves out what its message tells. The rules make messages; whoever shows a card says them.
//!
//! What a gap holds stays as it is: names of the program, devices, and words of PyTorch's own texts.

use serde::{Deserialize, Serialize};

use crate::language::{Language, say};

/// Messages with their texts side by side. `{name}` in a text is the field `name`.
macro_rules! messages {
    (
        $(#[$about:meta])* $kind:ident
        $($(#[$doc:meta])* $name:ident $({ $($field:ident: $type:ty),+ })?: $english:literal, $german:literal;)*
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum $kind {
            $($(#[$doc])* $name $({ $($field: $type),+ })?,)*
        }

        impl $kind {
            pub fn say(&self, language: Language) -> String {
                match self {
                    $($kind::$name $({ $($field),+ })? => say!(language, [$($($field),+)?], $english, $german),)*
                }
            }

            /// One message of each kind, and what is in its gaps.
            #[cfg(test)]
            fn every() -> Vec<($kind, Vec<String>)> {
                use tests::Sample;
                vec![$((
                    $kind::$name $({ $($field: <$type>::sample(stringify!($field))),+ })?,
                    vec![$($(<$type>::sample(stringify!($field)).to_string()),+)?],
                ),)*]
            }
        }
    };
}

messages! {
    /// One sentence of cause.
    Cause

    // ---- two devices ----
    TwoNamed { a: String, on: String, b: String, other: String }:
        "`{a}` is on {on} and `{b}` on {other}; an operation needs its tensors on one device.",
        "`{a}` liegt auf {on} und `{b}` auf {other}; eine Operation braucht ihre Tensoren auf einem Gerät.";
    OneNamed { a: String, on: String, other: String }:
        "`{a}` is on {on} and meets a tensor on {other}; an operation needs them on one device.",
        "`{a}` liegt auf {on} und trifft auf einen Tensor auf {other}; eine Operation braucht beide auf einem Gerät.";
    NoneNamed { on: String, other: String }:
        "This operation met a tensor on {on} and one on {other}; it needs them on one device.",
        "Diese Operation traf auf einen Tensor auf {on} und einen auf {other}; sie braucht beide auf einem Gerät.";
    Argument { argument: String, on: String, common: String }:
        "`{argument}` is on {on} and the tensors before it on {common}; they need to be on one device.",
        "`{argument}` liegt auf {on} und die Tensoren davor auf {common}; sie müssen auf einem Gerät liegen.";
    /// A linear layer, whose input has a name.
    LayerInput { input: String, on: String, common: String }:
        "The layer's parameters are on {common} and its input, `{input}`, on {on}; calling a model moves nothing.",
        "Die Parameter der Schicht liegen auf {common}, ihre Eingabe, `{input}`, auf {on}; ein Modell aufzurufen verschiebt nichts.";
    LayerInputUnnamed { on: String, common: String }:
        "The layer's parameters are on {common} and its input on {on}; calling a model moves nothing.",
        "Die Parameter der Schicht liegen auf {common}, ihre Eingabe auf {on}; ein Modell aufzurufen verschiebt nichts.";
    Product { argument: String, on: String, common: String }:
        "`{argument}` of the product is on {on} and the tensors before it on {common}.",
        "`{argument}` des Produkts liegt auf {on} und die Tensoren davor auf {common}.";
    /// A convolution or a recurrent layer; `part` is PyTorch's word for what it compares with.
    Layer { input: String, part: String, other: String }:
        "The layer's input is on {input} and its {part} on {other}; a layer computes where both are.",
        "Die Eingabe der Schicht liegt auf {input}, aber `{part}` auf {other}; eine Schicht rechnet dort, wo beide liegen.";
    Joined { on: String, common: String }:
        "The tensors to be joined are on two devices: one is on {on}, those before it on {common}.",
        "Die Tensoren, die verbunden werden sollen, liegen auf zwei Geräten: einer auf {on}, die davor auf {common}.";
    LossWeights { on: String, common: String }:
        "The loss's class weights are on {on} and the predictions on {common}.",
        "Die Klassengewichte der Verlustfunktion liegen auf {on}, die Vorhersagen auf {common}.";
    LossArgument { argument: String, on: String, common: String }:
        "The {argument} of the loss is on {on} and the predictions are on {common}.",
        "`{argument}` der Verlustfunktion liegt auf {on}, die Vorhersagen liegen auf {common}.";
    LossBuffer { loss: String, part: String, on: String, wanted: String }:
        "`{loss}` keeps its `{part}` as a buffer on {on}, and the predictions are on {wanted}: a loss is a module and is moved like one.",
        "`{loss}` hält `{part}` als Puffer auf {on}, und die Vorhersagen liegen auf {wanted}: Eine Verlustfunktion ist ein Modul und wird wie eines verschoben.";
    Lookup { argument: String, on: String, common: String }:
        "The {argument} is on {on} and the table that it looks up in on {common}.",
        "`{argument}` liegt auf {on} und die Tabelle, in der nachgeschlagen wird, auf {common}.";
    Index { indexed: String }:
        "The indexed tensor is on {indexed} and its index on another device; an index is on the CPU or where the tensor is.",
        "Der indizierte Tensor liegt auf {indexed} und sein Index auf einem anderen Gerät; ein Index liegt auf der CPU oder dort, wo der Tensor liegt.";
    BornHere { wanted: String }:
        "This line makes a tensor on the CPU, and what the function is given is on {wanted}: create it there, with `device=`.",
        "Diese Zeile erzeugt einen Tensor auf der CPU, und was die Funktion bekommt, liegt auf {wanted}: Erzeug ihn dort, mit `device=`.";
    LostMove { to: String, name: String, on: String }:
        "`.to` makes a copy on {to} and leaves `{name}` on {on}: a tensor is not moved in place, and nothing keeps the copy.",
        "`.to` erzeugt eine Kopie auf {to} und lässt `{name}` auf {on}: Ein Tensor wird nicht an Ort und Stelle verschoben, und nichts behält die Kopie.";

    // ---- modules ----
    PlainAttribute { attribute: String }:
        "`{attribute}` is a plain attribute: `Module.to` moves parameters and buffers, and nothing else.",
        "`{attribute}` ist ein einfaches Attribut: `Module.to` verschiebt Parameter und Puffer, sonst nichts.";
    LayersUnregistered { attribute: String }:
        "`{attribute}` is a plain Python container: its layers are not registered, so `Module.to` and `parameters()` pass them by.",
        "`{attribute}` ist ein einfacher Python-Container: Seine Schichten sind nicht registriert, also übergehen `Module.to` und `parameters()` sie.";
    ParametersUnregistered { attribute: String }:
        "`{attribute}` is a plain Python container: its parameters are not registered, so `Module.to` and `parameters()` pass them by.",
        "`{attribute}` ist ein einfacher Python-Container: Seine Parameter sind nicht registriert, also übergehen `Module.to` und `parameters()` sie.";
    NoParameters:
        "The model has no parameters that it knows of: layers in a plain list are not registered, those in `nn.ModuleList` are.",
        "Das Modell weiß von keinen Parametern: Schichten in einer einfachen Liste sind nicht registriert, die in `nn.ModuleList` schon.";
    MovedInPlace { from: String, to: String, name: String }:
        "`Module.to` and `Module.cpu` move the module itself from {from} to {to} and return it: there is no second model, and `{name}` is on {to} now.",
        "`Module.to` und `Module.cpu` verschieben das Modul selbst von {from} nach {to} und geben es zurück: Es gibt kein zweites Modell, und `{name}` liegt jetzt auf {to}.";
    MovedInPlaceUnnamed { from: String, to: String }:
        "`Module.to` and `Module.cpu` move the module itself from {from} to {to} and return it: there is no second model.",
        "`Module.to` und `Module.cpu` verschieben das Modul selbst von {from} nach {to} und geben es zurück: Es gibt kein zweites Modell.";
    Replica { wanted: String, found: String }:
        "`DataParallel` copies the module from its first device, {wanted}, to the others in every forward pass; the module is on {found}.",
        "`DataParallel` kopiert das Modul in jedem Vorwärtslauf von seinem ersten Gerät, {wanted}, auf die anderen; das Modul liegt auf {found}.";
    ReplicaIds:
        "`device_ids` names a GPU, and the module's parameters are elsewhere: move the module there first.",
        "`device_ids` nennt eine GPU, und die Parameter des Moduls liegen anderswo: Verschieb das Modul zuerst dorthin.";
    KeysWrapped:
        "The checkpoint was saved from a `DataParallel` wrapper, which puts `module.` before every key; the model here is not wrapped.",
        "Der Checkpoint wurde aus einer Hülle `DataParallel` gespeichert, die jedem Schlüssel `module.` voranstellt; das Modell hier steckt in keiner.";
    KeysUnwrapped:
        "The model here is wrapped, so that its keys begin with `module.`; the checkpoint was saved from the model inside.",
        "Das Modell hier steckt in einer Hülle, also beginnen seine Schlüssel mit `module.`; der Checkpoint wurde aus dem Modell darin gespeichert.";
    NoProcessGroup:
        "Processes find each other in `torch.distributed.init_process_group`, which has not been called in this one.",
        "Prozesse finden einander in `torch.distributed.init_process_group`; in diesem hier wurde es nicht aufgerufen.";

    // ---- optimizers and gradients ----
    OptimizerState:
        "The optimizer's state was created on one device and its parameters have been moved to another since: `Module.to` moves parameters, not the state that an optimizer already has.",
        "Der Zustand des Optimizers entstand auf einem Gerät, und seine Parameter wurden seitdem auf ein anderes verschoben: `Module.to` verschiebt Parameter, nicht den Zustand, den ein Optimizer schon hat.";
    StateStayed { state: String, line: u32, parameters: String }:
        "The optimizer made its state on {state} at its first step; line {line} moved the parameters to {parameters} later, and a module's move does not take an optimizer's state along.",
        "Der Optimizer hat seinen Zustand beim ersten Schritt auf {state} angelegt; Zeile {line} hat die Parameter später nach {parameters} verschoben, und ein Modul nimmt den Zustand eines Optimizers nicht mit.";
    NonLeaf:
        "This tensor is the result of an operation, such as `.to`; an optimizer takes the leaf that it came from.",
        "Dieser Tensor ist das Ergebnis einer Operation, etwa von `.to`; ein Optimizer nimmt das Blatt, aus dem er entstand.";
    ResultNotLeaf { name: String }:
        "`{name}` is the result of an operation; an optimizer takes the leaf that it came from.",
        "`{name}` ist das Ergebnis einer Operation; ein Optimizer nimmt das Blatt, aus dem es entstand.";
    GradOfMoved { name: String }:
        "`.to()` is an operation of the graph: `{name}` is its result and no leaf, so gradients go to the tensor before the move and `{name}.grad` stays None.",
        "`.to()` ist eine Operation des Graphen: `{name}` ist ihr Ergebnis und kein Blatt, also gehen Gradienten an den Tensor vor dem Verschieben, und `{name}.grad` bleibt None.";
    GradOfMovedUnnamed:
        "`.to()` is an operation of the graph: its result is no leaf, so gradients go to the tensor before the move and the result's `.grad` stays None.",
        "`.to()` ist eine Operation des Graphen: Ihr Ergebnis ist kein Blatt, also gehen Gradienten an den Tensor vor dem Verschieben, und `.grad` des Ergebnisses bleibt None.";

    // ---- NumPy ----
    Numpy { device: String }:
        "NumPy reads the host's memory, and this tensor is on {device}: copy it to the CPU first.",
        "NumPy liest den Speicher des Hauptrechners, und dieser Tensor liegt auf {device}: Kopier ihn zuerst auf die CPU.";
    NumpyGrad:
        "NumPy arrays carry no graph, and this tensor requires gradients: detach it first.",
        "NumPy-Arrays tragen keinen Graphen, und dieser Tensor verlangt Gradienten: Lös ihn zuerst mit `.detach()`.";

    // ---- the machine and its names ----
    NoDriver:
        "The program asks for a GPU, and this machine has none that PyTorch can use.",
        "Das Programm verlangt eine GPU, und diese Maschine hat keine, die PyTorch benutzen kann.";
    BuiltForCpu:
        "The program asks for a GPU, and this PyTorch was built for the CPU alone.",
        "Das Programm verlangt eine GPU, und dieses PyTorch wurde nur für die CPU gebaut.";
    UnknownDevice { name: String }:
        "PyTorch knows no device type '{name}'; an NVIDIA GPU is 'cuda', an Apple one 'mps'.",
        "PyTorch kennt keinen Gerätetyp »{name}«; eine GPU von NVIDIA heißt »cuda«, eine von Apple »mps«.";
    MalformedDevice { text: String }:
        "'{text}' is not a device: write a type, or a type, a colon and an index, such as 'cuda:0'.",
        "»{text}« ist kein Gerät: Schreib einen Typ, oder einen Typ, einen Doppelpunkt und einen Index, wie »cuda:0«.";
    Ordinal:
        "The program names a GPU by an index that this machine does not have; indices begin at 0.",
        "Das Programm nennt eine GPU mit einem Index, den diese Maschine nicht hat; Indizes beginnen bei 0.";
    HiddenLate { line: u32, value: String }:
        "CUDA looked for its devices in line {line}: from then on the environment variable `CUDA_VISIBLE_DEVICES` is not read any more, and \"{value}\" selects nothing. Set it before CUDA is first used, best of all before the program starts.",
        "CUDA hat in Zeile {line} nach seinen Geräten gesucht: Von da an wird die Umgebungsvariable `CUDA_VISIBLE_DEVICES` nicht mehr gelesen, und »{value}« wählt nichts aus. Setz sie, bevor CUDA zum ersten Mal benutzt wird, am besten vor dem Start des Programms.";
    ComparedWithText { device: String, with: String }:
        "A `torch.device` equals no text: comparing {device} with {with} is False, whatever the device.",
        "Ein `torch.device` ist keinem Text gleich: Der Vergleich von {device} mit {with} ergibt False, welches Gerät es auch sei.";
    ComparedWithoutIndex { device: String, with: String }:
        "`{device}` and `{with}` are not equal, because one has an index and the other none.",
        "`{device}` und `{with}` sind nicht gleich, weil das eine einen Index hat und das andere keinen.";
    CheckpointNoGpu:
        "The file holds tensors of a GPU, and this machine has none: say where they should go with `map_location`.",
        "Die Datei enthält Tensoren einer GPU, und diese Maschine hat keine: Sag mit `map_location`, wohin sie sollen.";
    CheckpointFewer:
        "The file holds tensors of a GPU with a higher index than this machine has: say where they should go with `map_location`.",
        "Die Datei enthält Tensoren einer GPU mit einem höheren Index, als diese Maschine ihn hat: Sag mit `map_location`, wohin sie sollen.";
    Generator { wanted: String, found: String }:
        "The random numbers are drawn on {wanted} and the generator belongs to {found}.",
        "Die Zufallszahlen werden auf {wanted} gezogen, und der Generator gehört zu {found}.";
    LegacyConstructor:
        "`torch.FloatTensor` and its like make tensors of the CPU only; `torch.tensor` takes a `device`.",
        "`torch.FloatTensor` und seinesgleichen erzeugen nur Tensoren der CPU; `torch.tensor` nimmt ein `device`.";
    DeviceAssert:
        "A kernel found an index out of bounds, such as a label beyond the classes; the line shown may be a later one.",
        "Ein Kernel fand einen Index außerhalb der Grenzen, etwa ein Label jenseits der Klassen; die gezeigte Zeile kann eine spätere sein.";
    OutOfBounds { line: u32, index: i64, last: usize }:
        "The kernel launched in line {line} met index {index}, and only 0 to {last} exist: the error is reported where the program next waits for the GPU.",
        "Der in Zeile {line} gestartete Kernel traf auf den Index {index}, und es gibt nur 0 bis {last}: Gemeldet wird der Fehler dort, wo das Programm das nächste Mal auf die GPU wartet.";

    // ---- memory ----
    OutOfMemory { tried: String, free: String, capacity: String }:
        "The program needed {tried} more and the GPU had {free} left of its {capacity}.",
        "Das Programm brauchte {tried} mehr, und die GPU hatte von ihren {capacity} noch {free} frei.";
    Allowed { tried: String, allowed: String, capacity: String }:
        "The program needed {tried} more, and `set_per_process_memory_fraction` leaves it {allowed} of the GPU's {capacity}.",
        "Das Programm brauchte {tried} mehr, und `set_per_process_memory_fraction` lässt ihm {allowed} von den {capacity} der GPU.";
    NoFreePiece { capacity: String, tried: String }:
        "The GPU has {capacity} in all, and no free piece of {tried} was left.",
        "Die GPU hat insgesamt {capacity}, und kein freies Stück von {tried} war übrig.";
    RetryInside:
        "The second try runs inside `except`: until that block ends, the exception keeps the frames of the first try alive, and with them its tensors.",
        "Der zweite Versuch läuft in `except`: Bis dieser Block endet, hält die Ausnahme die Frames des ersten Versuchs am Leben, und mit ihnen seine Tensoren.";
    Evaluation:
        "`eval()` changes layers, not the recording of graphs: every activation of this evaluation is kept for a backward pass that never comes.",
        "`eval()` ändert Schichten, nicht das Aufzeichnen von Graphen: Jede Aktivierung dieser Auswertung wird für einen Rückwärtslauf aufgehoben, der nie kommt.";
    SumKept { name: String, turns: u32 }:
        "`{name}` gathers tensors with their graphs: after {turns} turns it still holds the history of every one. Add the number, `.item()`.",
        "`{name}` sammelt Tensoren mit ihren Graphen: Nach {turns} Durchläufen hält es noch die Geschichte jedes einzelnen. Addier die Zahl, `.item()`.";
    SumEvaluated { name: String, turns: u32 }:
        "`{name}` gathers results whose graphs nobody will use: after {turns} turns every activation is still there. Evaluate under `torch.no_grad()`, or add numbers.",
        "`{name}` sammelt Ergebnisse, deren Graphen niemand benutzen wird: Nach {turns} Durchläufen ist jede Aktivierung noch da. Werte unter `torch.no_grad()` aus, oder addier Zahlen.";
    MembersKept { turns: u32 }:
        "Each of the {turns} tensors gathered here keeps its graph alive. Keep it without: `.detach()` or `.item()`.",
        "Jeder der {turns} hier gesammelten Tensoren hält seinen Graphen am Leben. Behalt ihn ohne: `.detach()` oder `.item()`.";
    MembersEvaluated { turns: u32 }:
        "Each of the {turns} results gathered here keeps its graph and every activation alive, and nobody will differentiate them. Evaluate under `torch.no_grad()`.",
        "Jedes der {turns} hier gesammelten Ergebnisse hält seinen Graphen und jede Aktivierung am Leben, und niemand wird sie ableiten. Werte unter `torch.no_grad()` aus.";
    Alive { name: String, holder: String }:
        "`del {name}` removed a name, not the memory: `{holder}` is the same tensor's memory and still there.",
        "`del {name}` hat einen Namen entfernt, nicht den Speicher: `{holder}` ist der Speicher desselben Tensors und noch da.";
    AliveByGraph { name: String, holder: String }:
        "`del {name}` removed a name, not the memory: the graph of `{holder}` keeps the tensor for the backward pass.",
        "`del {name}` hat einen Namen entfernt, nicht den Speicher: Der Graph von `{holder}` hebt den Tensor für den Rückwärtslauf auf.";

    // ---- waiting and copying ----
    Timing { waiting: u64, kernels: u64 }:
        "The clock was read while {waiting} of {kernels} kernels were still to run: a launch returns at once, so this is the time of launching. Wait with `torch.cuda.synchronize()` first.",
        "Die Uhr wurde abgelesen, als {waiting} von {kernels} Kerneln noch zu laufen hatten: Ein Start kehrt sofort zurück, also ist das die Zeit der Starts. Warte zuerst mit `torch.cuda.synchronize()`.";
    Piecewise { reads: usize, name: String, elements: usize, device: String }:
        "This line read {reads} numbers of `{name}` ({elements} elements on {device}) one at a time, and each made the program wait for the GPU. Copy it once.",
        "Diese Zeile las {reads} Zahlen von `{name}` ({elements} Elemente auf {device}) einzeln, und jede ließ das Programm auf die GPU warten. Kopier ihn einmal.";
    PiecewiseUnnamed { reads: usize, elements: usize, device: String }:
        "This line read {reads} numbers of a tensor ({elements} elements on {device}) one at a time, and each made the program wait for the GPU. Copy it once.",
        "Diese Zeile las {reads} Zahlen eines Tensors ({elements} Elemente auf {device}) einzeln, und jede ließ das Programm auf die GPU warten. Kopier ihn einmal.";
    PrintedEachStep { waits: u64, device: String }:
        "Printing made the CPU wait for {device} {waits} times here, and while it waits it queues no kernels. Print every so many steps, and both stay busy.",
        "Die Ausgabe ließ die CPU hier {waits}-mal auf {device} warten, und solange sie wartet, reiht sie keine Kernel ein. Gib nur alle paar Schritte etwas aus, dann bleiben beide beschäftigt.";
    ReadUnused { waits: u64, name: String, device: String }:
        "The CPU waited for {device} {waits} times to have `{name}`, and most of these numbers nobody uses. Read it where it is used.",
        "Die CPU hat {waits}-mal auf {device} gewartet, um `{name}` zu haben, und die meisten dieser Zahlen benutzt niemand. Lies sie dort, wo sie gebraucht wird.";
    GatheredEachStep { waits: u64, name: String, device: String }:
        "The CPU waited for {device} {waits} times to put one more number into `{name}`. Gather on the device, with `.detach()`, and read once after the loop.",
        "Die CPU hat {waits}-mal auf {device} gewartet, um `{name}` eine Zahl hinzuzufügen. Sammle auf dem Gerät, mit `.detach()`, und lies einmal nach der Schleife.";
    ReadEarly { line: u32 }:
        "Line {line} reads a copy that may not have arrived: `non_blocking=True` from a GPU to the CPU returns before the bytes are there, so the numbers can be wrong.",
        "Zeile {line} liest eine Kopie, die noch nicht angekommen sein muss: `non_blocking=True` von einer GPU zur CPU kehrt zurück, bevor die Bytes da sind, also können die Zahlen falsch sein.";
    PinnedOnce:
        "Pinning copies the tensor once more on the host, and the program waits for that: for a single copy it is slower than none. Pin in the `DataLoader`, or pin once what is sent often.",
        "`pin_memory()` kopiert den Tensor auf dem Hauptrechner ein weiteres Mal, und das Programm wartet darauf: Für eine einzige Kopie ist das langsamer als ohne. Mach ihn im `DataLoader` seitenfest, oder einmal, was oft gesendet wird.";
    Pin:
        "Only memory of the host can be pinned, and this tensor is on a GPU.",
        "Seitenfest machen kann man nur Speicher des Hauptrechners, und dieser Tensor liegt auf einer GPU.";
    Fork:
        "A forked worker inherits a CUDA context that it cannot use: workers return CPU tensors.",
        "Ein abgespaltener Worker erbt einen CUDA-Kontext, den er nicht benutzen kann: Worker geben Tensoren der CPU zurück.";
}

messages! {
    /// What stands beside a card's facts in a terminal.
    Label
    Bytes { bytes: usize }: "{bytes} bytes", "{bytes} Byte";
    Created { line: u32 }: "created in line {line}", "erzeugt in Zeile {line}";
    Moved { line: u32 }: "moved in line {line}", "verschoben in Zeile {line}";
    CreatedAndMoved { created: u32, moved: u32 }:
        "created in line {created}, moved in line {moved}", "erzeugt in Zeile {created}, verschoben in Zeile {moved}";
    Line { line: u32 }: "line {line}:", "Zeile {line}:";
    Lesson { id: String }: "lesson: {id}", "Lektion: {id}";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::LANGUAGES;

    /// What a test puts into a gap.
    pub trait Sample {
        fn sample(field: &str) -> Self;
    }

    impl Sample for String {
        fn sample(field: &str) -> String {
            format!("<{field}>")
        }
    }

    /// A number that no text has of its own, another one for each field.
    fn number(field: &str) -> usize {
        7000 + field.bytes().map(usize::from).sum::<usize>()
    }

    macro_rules! sample_numbers {
        ($($type:ty)*) => {
            $(impl Sample for $type {
                fn sample(field: &str) -> $type {
                    <$type>::try_from(number(field)).unwrap()
                }
            })*
        };
    }
    sample_numbers!(u32 u64 i64 usize);

    /// A text without what stays as it is in every language: code, quotations and gaps.
    fn prose(text: &str, gaps: &[String]) -> String {
        let mut out: String = text.split('`').step_by(2).collect::<Vec<_>>().join(" ");
        for gap in gaps {
            out = out.replace(gap, " ");
        }
        out
    }

    const ENGLISH: [&str; 22] = [
        "the", "of", "and", "is", "are", "its", "it", "to", "this", "that", "with", "which", "for", "but", "not", "no",
        "by", "first", "moved", "created", "line", "lesson",
    ];

    /// A German text has no English word in it, tells all that the English one does, and quotes the same code. Issue 4.
    #[test]
    fn every_message_is_said_in_german() {
        let causes = Cause::every().into_iter().map(|(cause, gaps)| (LANGUAGES.map(|l| cause.say(l)), gaps, true));
        let labels = Label::every().into_iter().map(|(label, gaps)| (LANGUAGES.map(|l| label.say(l)), gaps, false));
        let mut count = 0;
        for ([english, german], gaps, sentence) in causes.chain(labels) {
            assert_ne!(english, german);
            let words = prose(&german, &gaps);
            let words: Vec<&str> = words.split(|c: char| !c.is_alphabetic()).collect();
            let left: Vec<&&str> =
                words.iter().filter(|word| ENGLISH.contains(&word.to_lowercase().as_str())).collect();
            assert!(left.is_empty(), "{left:?} in {german}");
            for gap in &gaps {
                assert!(english.contains(gap) && german.contains(gap), "{gap}: {english} / {german}");
            }
            for text in [&english, &german] {
                assert_eq!(text.ends_with('.'), sentence, "{text}");
                assert!(!text.contains("  ") && text.matches('`').count() % 2 == 0, "{text}");
            }
            // Advice that is code must not get lost in translation.
            for code in english.split('`').skip(1).step_by(2) {
                assert!(german.contains(code), "{code}: {german}");
            }
            count += 1;
        }
        assert!(count > 60, "{count}");
    }

    #[test]
    fn a_message_survives_the_way_from_the_worker_to_the_page() {
        for (cause, _) in Cause::every() {
            let sent = serde_json::to_string(&cause).unwrap();
            assert_eq!(serde_json::from_str::<Cause>(&sent).unwrap(), cause);
        }
    }
}
