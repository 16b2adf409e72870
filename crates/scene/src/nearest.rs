//! The known word that an unknown one was probably meant to be.

/// A question to the author, or nothing where no known word is near.
pub(crate) fn did_you_mean<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // A third of the letters may be wrong: more, and the guess misleads.
    let length = word.chars().count();
    let near = |other: &&str| distance(word, other) <= (length.max(other.chars().count()) / 3).max(1);
    let best = known.into_iter().filter(near).min_by_key(|other| distance(word, other))?;
    Some(format!("did you mean `{best}`?"))
}

/// Edit distance with swaps of neighbours (optimal string alignment), letter case ignored. Words beyond 64 letters are
/// far from everything: the cost grows with the product of the lengths.
fn distance(a: &str, b: &str) -> usize {
    let letters = |word: &str| word.chars().take(65).flat_map(char::to_lowercase).collect::<Vec<_>>();
    let (a, b) = (letters(a), letters(b));
    if a.len() > 64 || b.len() > 64 {
        return usize::MAX;
    }
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        rows[i][0] = i;
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            rows[i][j] = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                rows[i][j] = rows[i][j].min(rows[i - 2][j - 2] + 1);
            }
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_the_known_ones() {
        // The textbook's example, and one swap.
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("hieght", "height"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("Density", "density"), 0);
    }

    #[test]
    fn only_near_words_are_offered() {
        assert_eq!(did_you_mean("densty", ["height", "density"]), Some("did you mean `density`?".into()));
        assert_eq!(did_you_mean("colour", ["color", "count"]), Some("did you mean `color`?".into()));
        assert_eq!(did_you_mean("banana", ["height", "density"]), None);
        assert_eq!(did_you_mean(&"x".repeat(100_000), ["height"]), None);
    }
}
