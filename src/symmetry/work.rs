//! A budget of steps.

/// Steps that may still be done.
pub(super) struct Work(u64);

/// The budget is spent.
pub(super) struct OutOfWork;

impl Work {
    pub(super) fn new(steps: u64) -> Work {
        Work(steps)
    }

    /// Takes steps from the budget.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), OutOfWork> {
        match self.0.checked_sub(steps as u64) {
            Some(left) => self.0 = left,
            None => {
                self.0 = 0;
                return Err(OutOfWork);
            }
        }
        Ok(())
    }
}
