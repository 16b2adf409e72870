//! What the bodies of a tuft have in common.

use crate::language::{Key, Number, Table, TableReader};

/// Tufts, and what their bodies have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clumps {
    /// From one centre to the next, about, in metres.
    pub size: f32,
    /// 0: planted in a square grid; 1: as irregular as can be.
    pub jitter: f32,
    /// The share of the variation in height.
    pub height: f32,
    /// How far bodies face as their clump does.
    pub facing: f32,
    /// How far bodies lean away from the centre.
    pub fan: f32,
    /// How far roots are drawn to the centre.
    pub gather: f32,
    /// The share of the variation in freshness.
    pub color: f32,
}

const SHARE: Number = Number { unit: "", min: 0.0, max: 1.0 };

static SIZE: Key<Number> = Key {
    name: "size",
    kind: Number { unit: "metres", min: 0.0, max: 100.0 },
    default: 0.2,
    help: "From one centre to the next, about; below 0.01 there are no clumps.",
};
static JITTER: Key<Number> = Key {
    name: "jitter",
    kind: SHARE,
    default: 1.0,
    help: "0: in a square grid, as planted; 1: as irregular as cells get.",
};
static HEIGHT: Key<Number> = Key {
    name: "height",
    kind: SHARE,
    default: 0.5,
    help: "The share of the variation in height that a clump's bodies have in common.",
};
static FACING: Key<Number> =
    Key { name: "facing", kind: SHARE, default: 0.5, help: "How far bodies face as their clump does." };
static FAN: Key<Number> = Key {
    name: "fan",
    kind: SHARE,
    default: 0.0,
    help: "How far bodies face away from their clump's centre, and use the range of `lean` from the centre outward.",
};
static GATHER: Key<Number> = Key {
    name: "gather",
    kind: SHARE,
    default: 0.3,
    help: "How far roots are drawn to their clump's centre, so that bare ground shows between; a body may so stand \
           outside of its square.",
};
static COLOR: Key<Number> = Key {
    name: "color",
    kind: SHARE,
    default: 0.5,
    help: "The share of the variation in freshness that a clump's bodies have in common.",
};

pub(crate) static TABLE: Table = Table {
    name: "population.NAME.clumps",
    help: "Tufts: Voronoi cells on the ground, and what the bodies of one have in common. Without this table, or on a \
           mesh, each body is by itself.",
    keys: &[&SIZE, &JITTER, &HEIGHT, &FACING, &FAN, &GATHER, &COLOR],
    variants: &[],
    is_list: false,
    tables: &[],
};

impl Clumps {
    /// None where they are too small to be any.
    pub(super) fn read(reader: &mut TableReader<'_>) -> Option<Self> {
        let mut share = |key| reader.get(key) as f32;
        let clumps = Self {
            size: share(&SIZE),
            jitter: share(&JITTER),
            height: share(&HEIGHT),
            facing: share(&FACING),
            fan: share(&FAN),
            gather: share(&GATHER),
            color: share(&COLOR),
        };
        (clumps.size >= 0.01).then_some(clumps)
    }
}
