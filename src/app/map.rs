//! Device memory as the allocator sees it: segments, the blocks in them, and what keeps each block alive.

use std::collections::BTreeMap;

use super::yards::{Tensor, Yard};
use crate::protocol::StorageId;

/// A segment: memory that the allocator took from the device in one piece.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Segment {
    pub id: u64,
    pub bytes: usize,
    /// Bytes of its blocks that tensors hold.
    pub used: usize,
    /// The pieces of the segment from its start to its end, without a gap.
    pub pieces: Vec<Piece>,
}

/// A block, or the free memory between two blocks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Piece {
    pub offset: usize,
    pub bytes: usize,
    /// `None` where the memory is free.
    pub held: Option<(StorageId, Tensor)>,
}

/// The segments of one device, in the order in which they were taken.
pub(crate) fn segments(yard: &Yard, names: &BTreeMap<StorageId, String>) -> Vec<Segment> {
    let mut blocks: BTreeMap<(u64, usize), (StorageId, Tensor)> = BTreeMap::new();
    for (id, tensor) in &yard.tensors {
        // A tensor without a byte has no block.
        if tensor.segment != 0 && tensor.bytes > 0 {
            let mut tensor = tensor.clone();
            tensor.name = tensor.name.or_else(|| names.get(id).cloned());
            blocks.insert((tensor.segment, tensor.offset), (*id, tensor));
        }
    }
    yard.segments.iter().map(|(id, bytes)| segment(*id, *bytes, &blocks)).collect()
}

fn segment(id: u64, bytes: usize, blocks: &BTreeMap<(u64, usize), (StorageId, Tensor)>) -> Segment {
    let mut out = Segment { id, bytes, used: 0, pieces: Vec::new() };
    let mut at = 0;
    for ((_, offset), (storage, tensor)) in blocks.range((id, 0)..=(id, usize::MAX)) {
        if *offset > at {
            out.pieces.push(Piece { offset: at, bytes: offset - at, held: None });
        }
        out.pieces.push(Piece { offset: *offset, bytes: tensor.bytes, held: Some((*storage, tensor.clone())) });
        out.used += tensor.bytes;
        at = offset + tensor.bytes;
    }
    if at < bytes {
        out.pieces.push(Piece { offset: at, bytes: bytes - at, held: None });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::yards::Yards;
    use super::super::yards::tests::event;
    use super::*;
    use crate::device::Device;
    use crate::dtype::DType;
    use crate::machine::Machine;
    use crate::protocol::EventKind;

    #[test]
    fn blocks_and_the_gaps_between_them_fill_each_segment() {
        let device = Device::cuda(0);
        let block = |storage, segment, offset, bytes| EventKind::Alloc {
            device,
            storage,
            dtype: DType::F32,
            shape: vec![bytes / 4],
            requested: bytes - 12,
            bytes,
            segment,
            offset,
            allocated: 0,
            pinned: false,
        };
        let kinds = vec![
            EventKind::SegmentAlloc { device, segment: 1, bytes: 4096, reserved: 4096 },
            EventKind::SegmentAlloc { device, segment: 2, bytes: 1024, reserved: 5120 },
            block(10, 1, 512, 1024),
            block(11, 1, 1536, 512),
            block(12, 2, 0, 1024),
            EventKind::Name { storage: 11, name: "w".into() },
        ];
        let mut yards = Yards::new(&Machine::preset("cuda:1").unwrap());
        for (i, kind) in kinds.into_iter().enumerate() {
            yards.apply(&event(i as u64, i as u32 + 1, kind));
        }
        let yard = yards.yards.iter().find(|y| y.device == device).unwrap();
        let map = segments(yard, &BTreeMap::from([(12, "later".to_string())]));
        let layout = |s: &Segment| s.pieces.iter().map(|p| (p.offset, p.bytes, p.held.is_some())).collect::<Vec<_>>();
        assert_eq!(layout(&map[0]), [(0, 512, false), (512, 1024, true), (1536, 512, true), (2048, 2048, false)]);
        assert_eq!(layout(&map[1]), [(0, 1024, true)]);
        assert_eq!((map[0].used, map[1].used), (1536, 1024));
        let holder = |piece: &Piece| piece.held.as_ref().map(|(_, t)| (t.name.clone().unwrap_or_default(), t.held));
        assert_eq!(holder(&map[0].pieces[2]), Some(("w".into(), 6)));
        assert_eq!(holder(&map[1].pieces[0]), Some(("later".into(), 0)));
    }
}
