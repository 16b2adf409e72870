//! Tests by what they hold the blade against.

mod bodies;
mod collisions;
mod lengths;
mod rest;
mod samples;
mod twins;
