//! Obstacles as the shaders read them. Twin of `motion/collider.wesl`.

use anemone_field::space::Position;
use bytemuck::{Pod, Zeroable};
use glam::{IVec3, Vec3};

use crate::world::{Collider, MOST_COLLIDERS};

/// Twin of `struct Collider`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct ColliderUniform {
    tile: IVec3,
    radius: f32,
    local: Vec3,
    pad0: f32,
    axis: Vec3,
    pad1: f32,
    velocity: Vec3,
    pad2: f32,
}

/// All obstacles.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct CollidersUniform([ColliderUniform; MOST_COLLIDERS]);

const _: () = assert!(size_of::<ColliderUniform>() == 64);

impl CollidersUniform {
    pub fn new(colliders: &[Collider]) -> Self {
        let mut uniform = Self::zeroed();
        for (slot, collider) in uniform.0.iter_mut().zip(colliders) {
            let position = Position::from_metres(collider.position);
            *slot = ColliderUniform {
                tile: position.tile,
                radius: collider.radius,
                local: position.local,
                axis: collider.axis,
                velocity: collider.velocity,
                ..Zeroable::zeroed()
            };
        }
        uniform
    }
}
