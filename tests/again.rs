//! A learner runs programs again and again, in one tab. In a file of its own, because what other tests' programs leave would count.

#![cfg(feature = "python")]

use std::rc::Rc;

use tensoryard::python::output::Captured;
use tensoryard::python::{Program, run};

#[test]
fn an_ended_program_leaves_nothing_behind() {
    const PROGRAMS: [&str; 2] = [
        "\
import gc, json, collections, functools, random, typing
import numpy, torch

class Point:
    __slots__ = (\"x\", \"y\")
    def far(self):
        return Point

gc.collect()
print(len(gc.get_objects()))
",
        "\
import gc, asyncio, logging, typing, concurrent.futures
gc.collect()
print(len(gc.get_objects()))
",
    ];
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(|| {
        for program in PROGRAMS {
            let objects = || {
                let output = Rc::new(Captured::default());
                assert_eq!(run(&Program::new("main.py", program), output.clone()).exit_code, 0);
                output.stdout.take().trim().parse::<usize>().expect("it prints a number")
            };
            objects();
            let before = objects();
            let after = (0..5).fold(before, |_, _| objects());
            // The interpreter itself keeps a few functions of each program.
            assert!(after < before + 5 * 20, "{before} objects, and after five more programs {after}: {program}");
        }
    });
    thread.unwrap().join().unwrap();
}
