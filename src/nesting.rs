//! How deep a program is nested, measured before it is parsed.
//!
//! The interpreter's parser builds trees of any depth. Only code that walks a tree stops at `sys.getrecursionlimit()` levels,
//! and if a tree is deeper than the stack, walking or dropping it crashes the process. So this module looks at the tokens
//! first: in one pass and without recursion, they give an upper bound of the depth.

use rustpython_vm::compiler::TokenKind;
use rustpython_vm::compiler::parser::{Mode, lexer};

/// Why a program can't be parsed here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooDeep {
    /// More than [`BRACKETS`] brackets are open at one place.
    Brackets,
    /// There are [`BLOCKS`] levels of indentation.
    Blocks,
    /// More than [`COMPREHENSIONS`] comprehensions are nested.
    Comprehensions,
    /// More levels than the stack has room for.
    Levels,
    /// A function has more than [`PARAMETERS`] parameters.
    Parameters,
}

/// Python's own limits (MAXLEVEL and MAXINDENT of CPython's tokenizer).
pub(crate) const BRACKETS: usize = 200;
pub(crate) const BLOCKS: usize = 100;
/// Each additional comprehension doubles the interpreter's time and memory for compiling: 22 take 16 seconds.
pub(crate) const COMPREHENSIONS: usize = 16;
/// The interpreter's compiler compares each parameter with all before it: of 100,000 for ten seconds, in which nothing stops it.
pub(crate) const PARAMETERS: usize = 10_000;

/// The most stack that one level of a tree takes when it's compiled, measured for the construct that needs the most. A
/// page's engine has 1 MiB of stack, on which 1200 nested lambdas can be compiled; 8 MiB of a native main thread hold more
/// than 3000.
const LEVEL: usize = if cfg!(target_arch = "wasm32") { 840 } else { 2800 };
/// The stack reserved for code that reports the error.
const RESERVE: usize = if cfg!(target_arch = "wasm32") { 32 << 10 } else { 128 << 10 };

/// How many levels other nested constructs count as, measured as well: a bracket when it's parsed, a block, and an
/// `elif`, of which a block can have many.
const BRACKET: usize = 3;
const BLOCK: usize = 4;
const ELIFS: usize = 5;

/// # Errors
/// The program is nested deeper than Python allows, or than the remaining stack has room for.
pub fn check(source: &str) -> Result<(), TooDeep> {
    let levels = room().saturating_sub(RESERVE) / LEVEL;
    let mut scan = Scan::new();
    let mut lexer = lexer::lex(source, Mode::Module);
    loop {
        let token = lexer.next_token();
        scan.see(token);
        if scan.brackets.len() > 1 + BRACKETS {
            return Err(TooDeep::Brackets);
        }
        if scan.blocks >= BLOCKS {
            return Err(TooDeep::Blocks);
        }
        if scan.comprehensions > COMPREHENSIONS {
            return Err(TooDeep::Comprehensions);
        }
        if scan.deepest > levels {
            return Err(TooDeep::Levels);
        }
        // The last parameter needs no comma.
        if scan.parameters >= PARAMETERS {
            return Err(TooDeep::Parameters);
        }
        if token == TokenKind::EndOfFile {
            return Ok(());
        }
    }
}

/// The line, from 1, on which a program becomes too deep.
pub fn line(source: &str) -> u32 {
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let upto = |count: usize| lines[..count].iter().map(|line| line.len()).sum::<usize>();
    let (mut low, mut high) = (0, lines.len());
    while low + 1 < high {
        let middle = low.midpoint(high);
        match check(&source[..upto(middle)]) {
            Ok(()) => low = middle,
            Err(_) => high = middle,
        }
    }
    high as u32
}

/// The remaining bytes of stack.
fn room() -> usize {
    #[cfg(target_arch = "wasm32")]
    {
        // The stack is below the data and grows down to 0.
        let here = 0u8;
        std::hint::black_box(&raw const here) as usize
    }
    #[cfg(not(target_arch = "wasm32"))]
    {
        // If the system doesn't tell, the least that a thread has.
        stacker::remaining_stack().unwrap_or(1 << 20)
    }
}

/// How tightly operators bind. The operators of one row nest to any depth (`a + b + c`), except in the flat rows, where one
/// operator takes any number of operands (`a and b and c`).
#[derive(Clone, Copy)]
enum Row {
    /// Commas, assignments, statements.
    Group,
    /// `lambda`, `if else`, `:=`, `yield`.
    Loose,
    /// `and`, `or`: flat.
    Logic,
    Not,
    /// Flat.
    Comparison,
    Sum,
    Product,
    /// Parts of an operand: signs, powers, calls, attributes, subscripts.
    Operand,
}

const ROWS: usize = Row::Operand as usize + 1;

/// What is open between two brackets. The tree of a row is no deeper than its operators plus its deepest operand.
#[derive(Clone, Copy, Default)]
struct Fold {
    operators: [usize; ROWS],
    operand: [usize; ROWS],
    /// The `lambda`s whose parameters are being read: their commas don't end an expression.
    lambdas: usize,
    /// Whether this is a comprehension, and how many comprehensions are nested inside it.
    comprehension: bool,
    comprehensions: usize,
    /// Whether these are the parameters of a `def`, and the commas between parameters.
    of_def: bool,
    commas: usize,
}

impl Fold {
    /// Ends the rows that bind tighter than `row`: they are an operand of it.
    fn end(&mut self, row: Row) {
        for tighter in (row as usize + 1..ROWS).rev() {
            let depth = std::mem::take(&mut self.operators[tighter]) + std::mem::take(&mut self.operand[tighter]);
            self.operand[tighter - 1] = self.operand[tighter - 1].max(depth);
        }
    }

    fn operator(&mut self, row: Row) {
        self.end(row);
        let count = &mut self.operators[row as usize];
        match row {
            Row::Group | Row::Comparison => *count = 1,
            // `and` inside `or`.
            Row::Logic => *count = 2,
            _ => *count += 1,
        }
    }

    fn depth(&self) -> usize {
        (0..ROWS).rev().fold(0, |depth, row| depth.max(self.operand[row]) + self.operators[row])
    }
}

#[derive(Default)]
struct Scan {
    /// One fold for the statement, and one for each open bracket.
    brackets: Vec<Fold>,
    blocks: usize,
    /// The number of `elif`s since the `if` of each open block.
    elifs: Vec<usize>,
    before: Option<TokenKind>,
    /// The level of the deepest place so far, and the most nested comprehensions.
    deepest: usize,
    comprehensions: usize,
    /// Whether a `def` waits for its parameters, and the most commas between parameters.
    def: bool,
    parameters: usize,
}

impl Scan {
    fn new() -> Scan {
        Scan { brackets: vec![Fold::default()], elifs: vec![0; 1 + BLOCKS], ..Scan::default() }
    }

    fn see(&mut self, token: TokenKind) {
        use TokenKind as T;
        let after = self.before.is_some_and(ends_operand);
        let statement = matches!(self.before, None | Some(T::Newline | T::Indent | T::Dedent | T::Semi));
        let inside = self.brackets.len() > 1;
        let top = self.brackets.last_mut().expect("the statement's own level stays");
        match token {
            T::Comment | T::NonLogicalNewline => return,
            T::Newline | T::EndOfFile => {
                self.measure();
                self.brackets.truncate(1);
                self.brackets[0] = Fold::default();
            }
            T::Indent => self.blocks += 1,
            T::Dedent => self.blocks = self.blocks.saturating_sub(1),
            T::Lpar | T::Lsqb | T::Lbrace => {
                if after {
                    top.operator(Row::Operand);
                }
                // The brackets of a `def` that come first may hold parameters of its type.
                let of_def = self.def && !inside && token == T::Lpar;
                self.def &= !of_def;
                self.brackets.push(Fold { of_def, ..Fold::default() });
            }
            T::Rpar | T::Rsqb | T::Rbrace => {
                if inside {
                    let depth = BRACKET + top.depth();
                    let comprehensions = top.comprehensions + usize::from(top.comprehension);
                    self.comprehensions = self.comprehensions.max(comprehensions);
                    self.brackets.pop();
                    let outer = self.brackets.last_mut().expect("the statement's own level stays");
                    outer.comprehensions = outer.comprehensions.max(comprehensions);
                    let deepest = &mut outer.operand[Row::Operand as usize];
                    *deepest = depth.max(*deepest);
                }
            }
            T::Comma | T::Equal if top.lambdas > 0 => {
                top.commas += usize::from(token == T::Comma);
                self.parameters = self.parameters.max(top.commas);
                top.end(Row::Loose);
            }
            T::Comma if top.of_def => {
                top.commas += 1;
                self.parameters = self.parameters.max(top.commas);
                top.operator(Row::Group);
            }
            T::Def => self.def = true,
            T::Comma | T::Equal | T::Semi | T::Rarrow | T::Exclamation => top.operator(Row::Group),
            T::Colon if top.lambdas > 0 => {
                top.lambdas -= 1;
                top.end(Row::Loose);
            }
            T::Colon | T::As => top.operator(Row::Group),
            T::Lambda => {
                top.lambdas += 1;
                top.commas = 0;
                top.operator(Row::Loose);
            }
            T::If if statement => self.elifs[self.blocks.min(BLOCKS)] = 0,
            T::Elif => {
                let elifs = &mut self.elifs[self.blocks.min(BLOCKS)];
                *elifs += 1;
                self.deepest = self.deepest.max(BLOCK * self.blocks + *elifs / ELIFS);
            }
            T::If | T::ColonEqual | T::Yield => top.operator(Row::Loose),
            T::For if inside => {
                top.end(Row::Loose);
                top.comprehension = true;
            }
            T::Else | T::From => top.end(Row::Loose),
            T::And | T::Or => top.operator(Row::Logic),
            // Excludes the `not` of `not in` and of `is not`.
            T::Not if !after && self.before != Some(T::Is) => top.operator(Row::Not),
            T::Less | T::Greater | T::LessEqual | T::GreaterEqual | T::EqEqual | T::NotEqual | T::In | T::Is => {
                top.operator(Row::Comparison);
            }
            T::Plus | T::Minus if after => top.operator(Row::Sum),
            T::Vbar | T::Amper | T::CircumFlex | T::LeftShift | T::RightShift => top.operator(Row::Sum),
            T::Star | T::At if after => top.operator(Row::Product),
            T::Slash | T::DoubleSlash | T::Percent => top.operator(Row::Product),
            T::Plus | T::Minus | T::Star | T::DoubleStar | T::Tilde | T::Await => top.operator(Row::Operand),
            T::Dot if after => top.operator(Row::Operand),
            token if ends_assignment(token) => top.operator(Row::Group),
            _ => {}
        }
        self.before = Some(token);
    }

    fn measure(&mut self) {
        let open: usize = self.brackets.iter().map(|fold| BRACKET + fold.depth()).sum();
        self.deepest = self.deepest.max(open + BLOCK * self.blocks);
    }
}

fn ends_operand(token: TokenKind) -> bool {
    use TokenKind as T;
    matches!(
        token,
        T::Name
            | T::Int
            | T::Float
            | T::Complex
            | T::String
            | T::FStringEnd
            | T::TStringEnd
            | T::Rpar
            | T::Rsqb
            | T::Rbrace
            | T::Ellipsis
            | T::None
            | T::True
            | T::False
            | T::Case
            | T::Lazy
            | T::Match
            | T::Type
    )
}

fn ends_assignment(token: TokenKind) -> bool {
    use TokenKind as T;
    matches!(
        token,
        T::PlusEqual
            | T::MinusEqual
            | T::StarEqual
            | T::SlashEqual
            | T::PercentEqual
            | T::AmperEqual
            | T::VbarEqual
            | T::CircumflexEqual
            | T::LeftShiftEqual
            | T::RightShiftEqual
            | T::DoubleStarEqual
            | T::DoubleSlashEqual
            | T::AtEqual
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The levels of a program, with any stack.
    fn levels(source: &str) -> usize {
        let mut scan = Scan::new();
        let mut lexer = lexer::lex(source, Mode::Module);
        loop {
            let token = lexer.next_token();
            scan.see(token);
            if token == TokenKind::EndOfFile {
                return scan.deepest;
            }
        }
    }

    #[test]
    fn what_nests_is_counted_and_what_is_flat_is_not() {
        for deep in ["+1", "*1", "**1", ".real", "()", "[0]", " if x else 1", "@x", "|1"] {
            assert!((500..520).contains(&levels(&format!("x = a{}", deep.repeat(500)))), "{deep}");
        }
        for deep in ["-", "not ", "~", "await ", "lambda: ", "lambda a, b=1, *c: "] {
            assert!((500..520).contains(&levels(&format!("x = {}1", deep.repeat(500)))), "{deep}");
        }
        assert!((500..520).contains(&levels(&format!("x = 1{}", "*2 + 3".repeat(500)))));
        for flat in [
            " and a",
            " or a",
            " < -1",
            ", -1",
            " == a + b",
            " not in a",
            " is not a",
            " and not -a",
            "\nx = -1",
            "; -1",
        ] {
            let source = format!("x = a{}", flat.repeat(500));
            assert!(levels(&source) < 10, "{flat}: {}", levels(&source));
        }
        assert!(levels(&format!("x = [{}]", "f(-1)[0], ".repeat(500))) < 20);
        assert!((300..320).contains(&levels(&format!("x = {}1{}", "(".repeat(100), ")".repeat(100)))));
        assert!((100..200).contains(&levels(&format!("if a: pass\n{}", "elif a: pass\n".repeat(500)))));
    }

    #[test]
    fn the_limits_are_pythons() {
        let blocks = |n: usize| {
            (0..n).map(|i| format!("{}if 1:\n", " ".repeat(i))).collect::<String>() + &" ".repeat(n) + "pass\n"
        };
        assert_eq!(check(&blocks(99)), Ok(()));
        assert_eq!(check(&blocks(100)), Err(TooDeep::Blocks));
        assert_eq!(line(&format!("a = 1\n{}", blocks(100))), 102);
        let brackets = |n: usize| format!("f'{{{}1{}}}'", "(".repeat(n), ")".repeat(n));
        assert_eq!(check(&brackets(199)), Ok(()));
        assert_eq!(check(&brackets(200)), Err(TooDeep::Brackets));
        let nested = |n: usize| format!("{}1{}", "[".repeat(n), " for _ in (1,)]".repeat(n));
        assert_eq!(check(&nested(16)), Ok(()));
        assert_eq!(check(&nested(17)), Err(TooDeep::Comprehensions));
        assert_eq!(check(&format!("x = 1{}", " + 1".repeat(200_000))), Err(TooDeep::Levels));
    }

    #[test]
    fn parameters_are_counted_in_each_function() {
        let names = |n: usize| (0..n).map(|i| format!("a{i}")).collect::<Vec<_>>().join(", ");
        for (n, expected) in [(10_000, Ok(())), (10_001, Err(TooDeep::Parameters))] {
            let names = names(n);
            for function in [
                format!("x = 1\ndef f({names}): pass\n"),
                format!("def f[A, *B: (int, str)]({names}): pass\n"),
                format!("x = [lambda: 1, lambda {names}: 1]\n"),
            ] {
                assert_eq!(check(&function), expected, "{n} parameters of {}", &function[..30]);
            }
        }
        let names = names(9_000);
        let many = format!(
            "def f({names}): pass\ndef g({names}): f({names}, {names})\nx = [lambda {names}: 1, lambda {names}: 1]\n"
        );
        assert_eq!(check(&many), Ok(()));
        assert_eq!(check(&format!("x = [{}]\n", "(1, 2), ".repeat(20_000))), Ok(()));
    }
}
