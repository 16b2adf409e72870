//! Values that change over time: cameras, paths, the sun and winds all follow this one sort of curve.

/// N numbers over time, in the scene's seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve<const N: usize> {
    first: CurveKey<N>,
    /// Later than the first, times rising.
    rest: Vec<CurveKey<N>>,
    /// What lies between keys.
    pub between: Between,
    /// What lies before the first key and after the last.
    pub ends: Ends,
    /// Whether a smooth curve stays within the values of the keys on either side, number by number. Places do not: they go
    /// round a corner in an arc.
    is_bounded: bool,
    /// The numbers are angles in degrees, so that a curve which ends whole turns away from its start closes.
    are_angles: bool,
}

/// A value at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveKey<const N: usize> {
    /// In seconds.
    pub time: f64,
    /// In the unit of what changes.
    pub value: [f64; N],
}

/// How values go from one key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Between {
    /// In straight lines.
    #[default]
    Linear,
    /// Without a corner, by cubic pieces with one slope at each key; the curve begins and ends at rest, unless it closes.
    ///
    /// Places have the slope of the parabola through a key and its neighbours, which is Catmull and Rom's for even times.
    /// Other values have that of Steffen (Astronomy and Astrophysics 239, 1990, 443), so that none overshoots its keys.
    Smooth,
}

/// What a curve does before its first key and after its last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ends {
    /// It rests at the first value and at the last.
    #[default]
    Hold,
    /// It starts again: the first key follows the last at once.
    Repeat,
    /// It runs back, and forth again.
    Mirror,
}

impl<const N: usize> Curve<N> {
    /// The same value always.
    #[must_use]
    pub const fn constant(value: [f64; N]) -> Self {
        Self {
            first: CurveKey { time: 0.0, value },
            rest: Vec::new(),
            between: Between::Linear,
            ends: Ends::Hold,
            is_bounded: true,
            are_angles: false,
        }
    }

    /// Through these keys in straight lines, at rest before and after. None without a key, or where times do not rise.
    #[must_use]
    pub fn new(keys: impl IntoIterator<Item = CurveKey<N>>) -> Option<Self> {
        let mut keys = keys.into_iter();
        let first = keys.next()?;
        let rest: Vec<_> = keys.collect();
        let rises = std::iter::once(&first).chain(&rest).zip(&rest).all(|(a, b)| a.time < b.time);
        rises.then_some(Self { first, rest, ..Self::constant(first.value) })
    }

    /// As a place, which goes round corners in arcs where it is smooth.
    #[must_use]
    pub fn of_places(self) -> Self {
        Self { is_bounded: false, ..self }
    }

    /// As angles in degrees, which are the same after a turn.
    #[must_use]
    pub fn of_angles(self) -> Self {
        Self { are_angles: true, ..self }
    }

    /// Whether the value ever changes.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        self.rest.iter().all(|key| key.value == self.first.value)
    }

    /// The keys, times rising; never empty.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &CurveKey<N>> {
        (0..self.rest.len() + 1).map(|index| self.key(index))
    }

    /// The same curve with other values.
    #[must_use]
    pub fn map<const M: usize>(&self, each: impl Fn([f64; N]) -> [f64; M]) -> Curve<M> {
        let key = |key: &CurveKey<N>| CurveKey { time: key.time, value: each(key.value) };
        Curve {
            first: key(&self.first),
            rest: self.rest.iter().map(key).collect(),
            between: self.between,
            ends: self.ends,
            is_bounded: self.is_bounded,
            are_angles: self.are_angles,
        }
    }

    /// The value at a time in seconds.
    #[must_use]
    pub fn at(&self, time: f64) -> [f64; N] {
        self.within(self.folded(time))
    }

    /// Two moments before and at a time, at most `dt` apart, between which the curve does not jump from its end to its start;
    /// just after such a jump, at and after it. For a velocity as a difference.
    #[must_use]
    pub fn moments(&self, time: f64, dt: f64) -> [f64; 2] {
        let lap = self.lap();
        if self.ends != Ends::Repeat || lap <= 0.0 || self.is_closed() {
            return [time - dt, time];
        }
        let since = (time - self.first.time).rem_euclid(lap);
        let dt = dt.min(0.5 * lap);
        if since >= 0.25 * dt { [time - dt.min(since), time] } else { [time, time + dt] }
    }

    /// From the first key to the last, s.
    fn lap(&self) -> f64 {
        self.last().time - self.first.time
    }

    fn last(&self) -> &CurveKey<N> {
        self.rest.last().unwrap_or(&self.first)
    }

    /// From 0 to the number of keys less one.
    fn key(&self, index: usize) -> &CurveKey<N> {
        index.checked_sub(1).map_or(&self.first, |index| &self.rest[index])
    }

    /// Whether it starts again where it ends.
    fn is_closed(&self) -> bool {
        let closes = |change: f64| change == 0.0 || self.are_angles && change % 360.0 == 0.0;
        self.ends == Ends::Repeat && self.lap_change().into_iter().all(closes)
    }

    /// From the first value to the last.
    fn lap_change(&self) -> [f64; N] {
        std::array::from_fn(|i| self.last().value[i] - self.first.value[i])
    }

    /// The time between the first key and the last that has this time's value.
    fn folded(&self, time: f64) -> f64 {
        let (lap, since) = (self.lap(), time - self.first.time);
        if lap <= 0.0 || !since.is_finite() {
            return self.first.time;
        }
        let within = match self.ends {
            Ends::Hold => since.clamp(0.0, lap),
            Ends::Repeat => since.rem_euclid(lap),
            Ends::Mirror => {
                let there = since.rem_euclid(2.0 * lap);
                there.min(2.0 * lap - there)
            }
        };
        self.first.time + within
    }

    fn within(&self, time: f64) -> [f64; N] {
        let next = self.rest.partition_point(|key| key.time <= time) + 1;
        if next > self.rest.len() {
            return self.last().value;
        }
        let (a, b) = (self.key(next - 1), self.key(next));
        let length = b.time - a.time;
        let part = (time - a.time) / length;
        match self.between {
            Between::Linear => std::array::from_fn(|i| {
                self.held(a.value[i] + (b.value[i] - a.value[i]) * part, a.value[i], b.value[i])
            }),
            Between::Smooth => {
                let [from, to] = [self.slope(next - 1), self.slope(next)];
                // Hermite's cubic, as steps from the nearer end: it meets its keys exactly.
                std::array::from_fn(|i| {
                    let rest = 1.0 - part;
                    let rise = b.value[i] - a.value[i];
                    let bend = part * rest * (rest * (from[i] * length - rise) + part * (rise - to[i] * length));
                    self.held(a.value[i] + rise * part + bend, a.value[i], b.value[i])
                })
            }
        }
    }

    /// A number between those of two keys. A rounding would be enough to leave the range of what an author may write.
    fn held(&self, value: f64, a: f64, b: f64) -> f64 {
        if self.is_bounded { value.clamp(a.min(b), a.max(b)) } else { value }
    }

    /// Of a smooth curve at one of its keys, in units a second.
    fn slope(&self, index: usize) -> [f64; N] {
        let count = self.rest.len();
        // The keys on either side, and how long it takes from them and to them.
        let neighbours = match index {
            0 if self.is_closed() => Some((self.key(count - 1), self.key(1))),
            _ if index == count && self.is_closed() => Some((self.key(count - 1), self.key(1))),
            0 => None,
            _ if index == count => None,
            _ => Some((self.key(index - 1), self.key(index + 1))),
        };
        let Some((before, after)) = neighbours else { return [0.0; N] };
        let here = self.key(index);
        // What lies across the seam of angles is whole turns away.
        let [turns_before, turns_after] =
            [index == 0, index == count].map(|is_seam| if is_seam { self.lap_change() } else { [0.0; N] });
        let time = |from: f64, to: f64| if to > from { to - from } else { to - from + self.lap() };
        let (since, until) = (time(before.time, here.time), time(here.time, after.time));
        std::array::from_fn(|i| {
            let rise = (here.value[i] - before.value[i] + turns_before[i]) / since;
            let next = (after.value[i] + turns_after[i] - here.value[i]) / until;
            let parabola = (rise * until + next * since) / (since + until);
            if !self.is_bounded {
                return parabola;
            }
            let steepest = rise.abs().min(next.abs()).min(0.5 * parabola.abs());
            (rise.signum() + next.signum()) * steepest
        })
    }
}

impl Curve<1> {
    /// The number at a time in seconds.
    #[must_use]
    pub fn value(&self, time: f64) -> f64 {
        self.at(time)[0]
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops where something fails")]

    use super::*;

    fn curve(keys: &[(f64, f64)], between: Between, ends: Ends) -> Curve<1> {
        let keys = keys.iter().map(|(time, value)| CurveKey { time: *time, value: [*value] });
        Curve { between, ends, ..Curve::new(keys).unwrap() }
    }

    #[test]
    fn ends_hold_repeat_and_mirror() {
        let keys = [(1.0, 0.0), (2.0, 10.0), (4.0, 20.0)];
        let at = |ends, times: [f64; 6]| times.map(|time| curve(&keys, Between::Linear, ends).value(time));
        assert_eq!(at(Ends::Hold, [-5.0, 1.0, 1.5, 3.0, 4.0, 99.0]), [0.0, 0.0, 5.0, 15.0, 20.0, 20.0]);
        assert_eq!(at(Ends::Repeat, [1.5, 4.5, -1.5, 4.0, 1.0, 7.5]), [5.0, 5.0, 5.0, 0.0, 0.0, 5.0]);
        assert_eq!(at(Ends::Mirror, [3.0, 5.0, 4.0, 7.0, 7.5, 0.5]), [15.0, 15.0, 20.0, 0.0, 5.0, 5.0]);
        assert!(curve(&keys, Between::Smooth, Ends::Repeat).value(f64::NAN).is_finite());
        assert!(curve(&keys, Between::Linear, Ends::Mirror).value(1e300).is_finite());
    }

    /// Not by a rounding either: less than nothing would be refused in the middle of a film.
    #[test]
    fn no_rounding_leaves_the_range_of_the_keys() {
        for between in [Between::Linear, Between::Smooth] {
            for ends in [Ends::Hold, Ends::Repeat, Ends::Mirror] {
                let falls = curve(&[(0.0, 0.35), (0.2, 0.0)], between, ends);
                for rate in [10.0, 23.976, 24.0, 25.0, 30.0, 60.0, 240.0] {
                    for frame in 0..2000 {
                        let value = falls.value(f64::from(frame) / rate);
                        assert!(
                            (0.0..=0.35).contains(&value),
                            "{between:?} {ends:?}, frame {frame} of {rate}: {value:e}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn keys_out_of_order_are_no_curve() {
        let key = |time| CurveKey { time, value: [0.0] };
        assert!(Curve::new([key(1.0), key(1.0)]).is_none());
        assert!(Curve::new([key(1.0), key(0.5)]).is_none());
        assert!(Curve::<1>::new([]).is_none());
        assert_eq!(Curve::new([key(3.0)]).unwrap().value(-7.0), 0.0);
    }

    /// Smooth curves meet their keys, have no corner, also where they close, and never leave the range of their keys.
    #[test]
    fn smooth_curves_have_no_corner_and_do_not_overshoot() {
        let keys = [(0.0, 1.0), (1.0, 5.0), (1.5, 5.0), (4.0, 0.0), (5.0, 1.0)];
        for ends in [Ends::Hold, Ends::Repeat, Ends::Mirror] {
            let smooth = curve(&keys, Between::Smooth, ends);
            for (time, value) in &keys[..4] {
                assert!((smooth.value(*time) - value).abs() < 1e-12);
            }
            let step = 1e-5;
            let slope = |time: f64| (smooth.value(time + step) - smooth.value(time)) / step;
            for index in 0..1200 {
                let time = -2.0 + 0.01 * f64::from(index);
                assert!((0.0..=5.0).contains(&smooth.value(time)), "{ends:?} at {time}: {}", smooth.value(time));
                assert!((slope(time) - slope(time - step)).abs() < 1e-3, "{ends:?} has a corner at {time}");
            }
        }
    }

    /// Catmull and Rom's curve through the corners of a square, at the middle of a side: an eighth of it outside.
    #[test]
    fn places_go_round_corners_in_arcs() {
        let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
        let keys = corners.iter().enumerate().map(|(i, value)| CurveKey { time: i as f64, value: *value });
        let round = Curve { between: Between::Smooth, ends: Ends::Repeat, ..Curve::new(keys).unwrap().of_places() };
        for (time, expected) in [(0.5, [0.5, -0.125]), (1.5, [1.125, 0.5]), (6.5, [0.5, 1.125]), (-0.5, [-0.125, 0.5])]
        {
            let at = round.at(time);
            assert!((0..2).all(|i| (at[i] - expected[i]).abs() < 1e-12), "{time}: {at:?}");
        }
    }

    /// An orbit of a turn a lap turns as fast at the seam as everywhere.
    #[test]
    fn angles_close_after_whole_turns() {
        let keys = [(0.0, 0.0), (1.0, 90.0), (2.0, 180.0), (3.0, 270.0), (4.0, 360.0)];
        let turns = curve(&keys, Between::Smooth, Ends::Repeat).of_angles();
        for time in [0.0, 0.1, 1.7, 3.9, 7.95] {
            let turned = (turns.value(time + 0.01) - turns.value(time)).rem_euclid(360.0);
            assert!((turned - 0.9).abs() < 1e-9, "{turned} degrees in a hundredth at {time}");
        }
    }

    #[test]
    fn velocities_do_not_look_across_a_jump() {
        let saw = curve(&[(0.0, 0.0), (2.0, 10.0)], Between::Linear, Ends::Repeat);
        for time in [0.0, 1e-9, 0.01, 0.1, 1.0, 2.0, 2.01, 3.99, 4.0 - 1e-12] {
            let [before, after] = saw.moments(time, 1.0 / 60.0);
            let speed = (saw.value(after) - saw.value(before)) / (after - before);
            assert!((speed - 5.0).abs() < 1e-6, "{time}: {speed}");
        }
        let held = curve(&[(0.0, 0.0), (2.0, 10.0)], Between::Linear, Ends::Hold);
        assert_eq!(held.moments(1.0, 0.25), [0.75, 1.0]);
    }
}
