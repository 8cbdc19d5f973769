//! A group of one process, which needs no communication.

use std::rc::Rc;

use super::{Combine, Communicator, Sending, Target};
use crate::dtype::DType;
use crate::error::{Error, Result};

/// The only process of its group.
pub struct Alone;

fn no_peer() -> Error {
    Error::value("the group has one process, whose rank is 0")
}

impl Communicator for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn members(&self) -> &[usize] {
        &[0]
    }

    fn broadcast(&self, data: Vec<u8>, _root: usize) -> Result<Vec<u8>> {
        Ok(data)
    }

    fn reduce(&self, data: &[u8], _dtype: DType, _op: Combine, _target: Target) -> Result<Vec<u8>> {
        Ok(data.to_vec())
    }

    fn gather(&self, data: Vec<u8>, _to: Option<usize>) -> Result<Vec<u8>> {
        Ok(data)
    }

    fn scatter(&self, data: Option<Vec<u8>>, _count: usize, _root: usize) -> Result<Vec<u8>> {
        data.ok_or_else(no_peer)
    }

    fn exchange(&self, data: Vec<u8>, _given: &[usize], _expected: &[usize]) -> Result<Vec<u8>> {
        Ok(data)
    }

    fn barrier(&self) -> Result<()> {
        Ok(())
    }

    fn send(&self, _data: Vec<u8>, _to: usize, _tag: i32) -> Result<Sending> {
        Err(no_peer())
    }

    fn sent(&self, _sending: Sending) -> Result<()> {
        Err(no_peer())
    }

    fn receive(&self, _count: usize, _from: Option<usize>, _tag: i32) -> Result<(Vec<u8>, usize)> {
        Err(no_peer())
    }

    fn arrived(&self, _from: Option<usize>, _tag: i32) -> bool {
        false
    }

    fn part(&self, ranks: &[usize]) -> Result<Option<Rc<dyn Communicator>>> {
        Ok((ranks == [0]).then(|| Rc::new(Alone) as Rc<dyn Communicator>))
    }
}
