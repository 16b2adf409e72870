//! Everything that must hold before a change is good.

use std::io::{IsTerminal, Read, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::command::{Failure, cargo, shown};
use crate::setup;

/// `cargo xtask test`: the steps in order, the cheap ones first, until one fails.
pub fn run() -> Result<(), Failure> {
    let mut report = Report::default();
    let result = steps(&mut report);
    report.print();
    result
}

fn steps(report: &mut Report) -> Result<(), Failure> {
    setup::adapter()?;
    setup::NEXTEST.provide()?;
    setup::DENY.provide()?;
    report.step("format", &mut cargo(&["fmt", "--all", "--check"]))?;
    // Advisories change by the day and need the network: they are no property of a commit.
    report.step("licences", &mut cargo(&["deny", "check", "bans", "licenses", "sources"]))?;
    report.step("clippy", &mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    report.step("tests", &mut cargo(&["nextest", "run", "--workspace", "--no-fail-fast"]))?;
    report.step("documentation tests", &mut cargo(&["test", "--workspace", "--doc"]))?;
    report.step("rustdoc", cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

/// What each step came to, printed once more at the very end, where a person looks.
#[derive(Default)]
struct Report {
    lines: Vec<String>,
}

impl Report {
    fn step(&mut self, name: &str, command: &mut Command) -> Result<(), Failure> {
        let text = shown(command);
        println!("\n== {name}: {text}");
        let start = Instant::now();
        let result = run_and_note(command);
        let seconds = start.elapsed().as_secs_f64();
        let (word, notes) = match &result {
            Ok(notes) => ("passed", notes.as_slice()),
            Err((_, notes)) => ("FAILED", notes.as_slice()),
        };
        self.lines.push(format!("{word}  {name:<20} {seconds:>7.1} s"));
        self.lines.extend(notes.iter().map(|note| format!("          {note}")));
        result.map(|_| ()).map_err(|(failure, _)| failure)
    }

    fn print(&self) {
        if !self.lines.is_empty() {
            println!("\n== summary");
        }
        for line in &self.lines {
            println!("{line}");
        }
    }
}

/// Runs a command, shows its output as it comes, and keeps the test runners' own summaries.
fn run_and_note(command: &mut Command) -> Result<Vec<String>, (Failure, Vec<String>)> {
    let text = shown(command);
    if std::io::stdout().is_terminal() && std::env::var_os("CARGO_TERM_COLOR").is_none() {
        // The pipes below hide the terminal from Cargo.
        command.env("CARGO_TERM_COLOR", "always");
    }
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child =
        child.map_err(|error| (Failure::new(format!("`{text}` could not be started: {error}")), Vec::new()))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let notes = std::thread::scope(|scope| {
        // Both at once, or a full pipe of one would block the child while the other is read.
        let errors = scope.spawn(|| err.map(|pipe| copy(pipe, std::io::stderr())).unwrap_or_default());
        let mut notes = summary(&out.map(|pipe| copy(pipe, std::io::stdout())).unwrap_or_default());
        notes.extend(summary(&errors.join().unwrap_or_default()));
        notes
    });
    match child.wait() {
        Ok(status) if status.success() => Ok(notes),
        Ok(status) => Err((Failure::of(&text, status), notes)),
        Err(error) => Err((Failure::new(format!("`{text}` was lost: {error}")), notes)),
    }
}

/// Passes everything on at once and returns it as well.
fn copy(mut from: impl Read, mut to: impl Write) -> String {
    let mut all = Vec::new();
    let mut piece = [0; 8192];
    loop {
        match from.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => {
                all.extend_from_slice(&piece[..count]);
                // Whoever reads our output may have gone away; the steps still count.
                _ = to.write_all(&piece[..count]).and_then(|()| to.flush());
            }
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    String::from_utf8_lossy(&all).into_owned()
}

/// The lines that count tests: nextest's `Summary […]` with the failures listed under it and the slowest of all tests, and the
/// sum of rustdoc's `test result:` lines, of which there is one a crate.
fn summary(output: &str) -> Vec<String> {
    let plain = without_colours(output);
    let lines: Vec<&str> = plain.lines().map(str::trim).collect();
    let mut notes: Vec<String> = Vec::new();
    if let Some(start) = lines.iter().rposition(|line| line.starts_with("Summary [")) {
        notes.extend(lines[start..].iter().take_while(|line| !line.is_empty()).map(|line| (*line).to_owned()));
        notes.extend(slowest(&lines[..start]));
    }
    let results: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("test result: ")).collect();
    if !results.is_empty() {
        let total = |word: &str| results.iter().filter_map(|line| count_before(line, word)).sum::<u64>();
        let (passed, failed, ignored) = (total("passed"), total("failed"), total("ignored"));
        notes.push(format!("{passed} passed, {failed} failed, {ignored} ignored, in {} crates", results.len()));
    }
    notes
}

/// The tests that took longest, from nextest's lines: "PASS [   0.112s] (1/3) crate test".
fn slowest(lines: &[&str]) -> Vec<String> {
    let seconds = |line: &str| line.split_once('[')?.1.split_once("s]")?.0.trim().parse::<f64>().ok();
    let mut tests: Vec<(f64, &str)> = lines
        .iter()
        .filter(|line| line.starts_with("PASS [") || line.starts_with("FAIL ["))
        .filter_map(|line| Some((seconds(line)?, line.split_once(']')?.1.trim())))
        .collect();
    tests.sort_by(|a, b| b.0.total_cmp(&a.0));
    let name = |text: &str| text.split_once(") ").map_or(text, |(_, name)| name).to_owned();
    tests.iter().take(10).map(|(seconds, text)| format!("{seconds:>7.1} s  {}", name(text))).collect()
}

/// The number before a word: 3 in "ok. 3 passed; 0 failed" for "passed".
fn count_before(line: &str, word: &str) -> Option<u64> {
    let before = line.split([';', '.']).map(str::trim).find_map(|part| part.strip_suffix(word))?;
    before.trim().parse().ok()
}

/// Drops the escape sequences that set colours.
fn without_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            // ESC [ parameters, and a letter ends it.
            characters.by_ref().skip(1).find(|character| character.is_ascii_alphabetic());
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_found() {
        let nextest = "  PASS [ 0.1s] a b\n------------\n\u{1b}[32;1m     Summary\u{1b}[0m [   0.005s] \u{1b}[1m3\u{1b}[0m tests run: 2 passed, 1 failed\n        FAIL [ 0.1s] a c\n\nerror: test run failed\n";
        let found = ["Summary [   0.005s] 3 tests run: 2 passed, 1 failed", "FAIL [ 0.1s] a c", "    0.1 s  a b"];
        assert_eq!(summary(nextest), found);
        let lines = ["PASS [   2.000s] ( 9/12) a quick", "SLOW [> 60.000s] a slow", "PASS [  61.250s] (10/12) a slow"];
        assert_eq!(slowest(&lines), ["   61.2 s  a slow", "    2.0 s  a quick"]);
        let doc = "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.5s\n\ntest result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured\n";
        assert_eq!(summary(doc), ["7 passed, 2 failed, 1 ignored, in 2 crates"]);
        assert!(summary("nothing of the kind").is_empty());
    }

    #[test]
    fn output_is_passed_on_whole_and_failure_keeps_its_code() {
        let mut report = Report::default();
        let failure =
            report.step("x", Command::new("sh").args(["-c", "echo 'test result: ok. 1 passed; 0 failed'; exit 7"]));
        assert_eq!(failure.unwrap_err().code, 7);
        assert!(report.lines[0].starts_with("FAILED  x"), "{:?}", report.lines);
        assert!(report.lines[1].contains("1 passed, 0 failed"), "{:?}", report.lines);
        let mut out = Vec::new();
        assert_eq!(copy(&b"a\nb"[..], &mut out), "a\nb");
        assert_eq!(out, b"a\nb");
    }
}
