//! Ctrl-C, and the wish to end that a system sends, in the middle of a film.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody wants the program to stop.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on the first signal is noted, and the second ends the program at once; a file whose name begins with `.tmp` may
    /// stay then.
    pub fn watch() -> Self {
        let interrupt = Self::default();
        #[cfg(unix)]
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
            // Where a signal cannot be caught it ends the program, and whole frames stay whole.
            _ = signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&interrupt.0));
            _ = signal_hook::flag::register(signal, Arc::clone(&interrupt.0));
        }
        interrupt
    }

    pub fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
