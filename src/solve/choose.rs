//! Which engine answers: a choice that changes how long it takes, and never the answer.

use super::answer::Answer;
use super::explore::Findings;
use super::layered::view::View;
use super::limits::Limits;
use super::question::{Arithmetic, Engine, Options, Question, SolveError, Start};
use super::{OpenPoints, check, early_end, explore_within, is_proven, open_points, statistics};
use super::{alphabeta, layered};
use crate::game::{Game, Position};
use crate::ground::MoveId;
use crate::machine::packed::{Filling, Images, Merging, Packed, PackedBatch, Steps, Wanted};
use crate::machine::{Bits, Machine};
use std::sync::atomic::Ordering::Relaxed;

/// The engine for some questions about a compiled game.
pub struct Selected {
    /// [`Engine::Search`], [`Engine::Alphabeta`], [`Engine::Layered`] or [`Engine::Sweep`].
    pub engine: Engine,
    /// Why, as a sentence.
    pub why: &'static str,
    packed: Option<Packed>,
    filling: Option<Filling>,
}

/// Words of a start's key.
const WORDS: usize = 16;
/// With so many symmetries, `layered` visits so few states that its table does not matter.
const MANY_SYMMETRIES: usize = 8;

impl Selected {
    /// Bits of a packed state, for all engines but `search`.
    pub fn key_bits(&self) -> Option<usize> {
        self.packed.as_ref().map(Packed::bits)
    }

    /// Symmetries that `layered` uses, the identity included.
    pub fn symmetries(&self, machine: &Machine) -> usize {
        let packed = self.packed.as_ref();
        let images = packed.and_then(|packed| Images::<WORDS>::new(packed, machine.symmetries()));
        images.map_or(1, |images| images.order())
    }
}

/// Chooses the engine for questions that differ only in their roles and objectives.
pub fn select(
    machine: &Machine,
    questions: &[Question<Bits>],
    options: &Options,
) -> Result<Selected, SolveError> {
    let unpacked = |engine, why| {
        Ok(Selected {
            engine,
            why,
            packed: None,
            filling: None,
        })
    };
    let search = |why| unpacked(Engine::Search, why);
    // Only `layered` can go on with a run.
    let is_wanted = matches!(
        options.engine,
        Engine::Alphabeta | Engine::Layered | Engine::Sweep
    ) || options.checkpoint.is_some();
    let Some(question) = questions.first().filter(|_| options.engine != Engine::Search) else {
        return search("it was asked for");
    };
    let unsuitable = |why| match is_wanted {
        true => Err(SolveError::Unsuitable(why)),
        false => search(why),
    };
    if options.arithmetic == Arithmetic::Float {
        return unsuitable("floating point is for `search`");
    }
    if matches!(question.start, Start::Given(_)) {
        return unsuitable("nothing is proven about the given state");
    }
    let proven = |longest_play| {
        let mut questions = questions.iter();
        questions.all(|question| is_proven(machine, question, longest_play))
    };
    let unproven = || search("nothing is left to chance, and the game has to be checked state by state");
    let has_no_chance = questions.iter().all(|question| question.chance.is_empty());
    // Whatever the compiled choices prove about the length of plays, it would not be enough.
    if has_no_chance && !is_wanted && !proven(Some(0)) {
        return unproven();
    }
    let limits = Limits::new(options);
    let is_stopped = || {
        limits.poll();
        limits.reached().is_some()
    };
    let Some(packed) = pack(machine, question, &is_stopped) else {
        if is_stopped() {
            let engine = match options.engine {
                Engine::Auto => Engine::Layered,
                engine => engine,
            };
            return unpacked(engine, "there was no time to prepare it");
        }
        return unsuitable("the game has too many joint moves to compile them all");
    };
    let leaves_nothing_to_chance = |question| !View::new(machine, &packed, question).has_chance(&packed);
    let is_deterministic = questions.iter().all(leaves_nothing_to_chance);
    match options.engine {
        Engine::Alphabeta if !is_deterministic => {
            return unsuitable("something is left to chance");
        }
        Engine::Alphabeta | Engine::Auto if is_deterministic && options.checkpoint.is_none() => {
            if !is_wanted && !proven(machine.proven().longest_play.or(packed.longest_play())) {
                return unproven();
            }
            return Ok(Selected {
                engine: Engine::Alphabeta,
                why: match is_wanted {
                    true => "it was asked for",
                    false => "nothing is left to chance, so most of the game can be pruned",
                },
                packed: Some(packed),
                filling: None,
            });
        }
        _ => {}
    }
    let filling = match options.engine {
        _ if options.checkpoint.is_some() => None,
        Engine::Layered => None,
        Engine::Sweep => Some(fill(machine, &packed, questions).map_err(SolveError::Unsuitable)?),
        _ => fill(machine, &packed, questions)
            .ok()
            .filter(|filling| is_cheaper(machine, &packed, filling, questions, options)),
    };
    Ok(Selected {
        engine: match filling {
            Some(_) => Engine::Sweep,
            None => Engine::Layered,
        },
        why: match (is_wanted, &filling) {
            (true, _) => "it was asked for",
            (false, Some(_)) => "the board only fills up, in any order, so that positions need no table",
            (false, None) => "chance leaves little to prune",
        },
        packed: Some(packed),
        filling,
    })
}

/// The proof that the engine `sweep` can answer, or why it cannot.
fn fill(machine: &Machine, packed: &Packed, questions: &[Question<Bits>]) -> Result<Filling, &'static str> {
    let start = packed.pack::<WORDS>(&questions[0].start_state(machine));
    let start = start.ok_or("the start lies inside a composed step")?;
    let filling = Filling::new(machine, packed, &start)?;
    layered::sweep_suits(machine, packed, &filling, questions).map_err(|layered::Unsuitable(why)| why)?;
    Ok(filling)
}

/// Whether `sweep` is expected to be faster than `layered`, and fits. It visits all ways to fill the board, so
/// those had better be positions: they are if every field can be filled with anything at once.
fn is_cheaper(
    machine: &Machine,
    packed: &Packed,
    filling: &Filling,
    questions: &[Question<Bits>],
    options: &Options,
) -> bool {
    let Some(start) = packed.pack::<WORDS>(&questions[0].start_state(machine)) else {
        return false;
    };
    let mut batch = PackedBatch::new(packed, None);
    let mut legal = vec![false; packed.choices().len()];
    batch.load(&[start]);
    batch.expand(Wanted::Successors, &mut Vec::new(), |expansion| {
        legal[expansion.choice] = true;
    });
    machine.symmetries().len() < MANY_SYMMETRIES
        && filling.is_free(|choice| legal[choice])
        && filling.keys() * (8 * questions.len()) as f64 <= options.memory as f64
}

/// The game on packed keys. A horizon counts steps of the description, so with one they are composed only
/// if that keeps the count.
fn pack(machine: &Machine, question: &Question<Bits>, is_stopped: &dyn Fn() -> bool) -> Option<Packed> {
    let start = question.start_state(machine);
    let is_usable = |packed: &Packed| {
        let counts = match (question.horizon, packed.steps()) {
            (None, _) => true,
            (Some(horizon), Steps::Each(steps)) => horizon >= steps,
            (Some(_), Steps::Mixed) => false,
        };
        counts && packed.pack::<16>(&start).is_some()
    };
    Packed::new(machine, Merging::On, is_stopped)
        .filter(is_usable)
        .or_else(|| Packed::new(machine, Merging::Off, is_stopped))
}

/// Answers the questions with the engine that was selected for them: `layered` and `sweep` all in one run,
/// `alphabeta` one by one.
pub fn solve_selected(
    machine: &Machine,
    selected: &Selected,
    questions: &[Question<Bits>],
    options: &Options,
) -> Result<Vec<Answer<Bits, MoveId>>, SolveError> {
    questions
        .iter()
        .try_for_each(|question| question.check(machine))?;
    let Some(packed) = &selected.packed else {
        return unprepared(questions, options);
    };
    match selected.engine {
        Engine::Alphabeta => {
            let answers = questions
                .iter()
                .map(|question| solve_alphabeta(machine, packed, question, options));
            answers.collect()
        }
        _ => solve_layered(machine, selected, packed, questions, options),
    }
}

/// The answers if a limit left no time to prepare the engine.
fn unprepared(
    questions: &[Question<Bits>],
    options: &Options,
) -> Result<Vec<Answer<Bits, MoveId>>, SolveError> {
    let limits = Limits::new(options);
    limits.poll();
    if limits.reached().is_none() {
        return Err(SolveError::Unsuitable("another engine was selected"));
    }
    let findings = questions.iter().map(|_| Findings::unchecked(None));
    Ok(answers(
        layered::stopped(questions, &limits),
        findings.collect(),
        &limits,
    ))
}

fn solve_alphabeta(
    machine: &Machine,
    packed: &Packed,
    question: &Question<Bits>,
    options: &Options,
) -> Result<Answer<Bits, MoveId>, SolveError> {
    let limits = Limits::new(options);
    let longest_play = machine.proven().longest_play.or(packed.longest_play());
    let findings = check(machine, question, &limits, longest_play)?;
    if is_over(machine, question)? {
        return by_search(machine, question, options);
    }
    let found = match early_end(question, &findings, &limits) {
        Some(outcome) => alphabeta::Found {
            outcome,
            first_moves: Vec::new(),
        },
        None => alphabeta::run(machine, packed, question, options, &limits, findings.longest_play)?,
    };
    Ok(Answer {
        outcome: found.outcome,
        first_moves: found.first_moves,
        statistics: statistics(&findings, &limits, limits.progress.table_entries.load(Relaxed)),
        notes: findings.notes,
    })
}

fn solve_layered(
    machine: &Machine,
    selected: &Selected,
    packed: &Packed,
    questions: &[Question<Bits>],
    options: &Options,
) -> Result<Vec<Answer<Bits, MoveId>>, SolveError> {
    if is_over(machine, &questions[0])? {
        let answers = questions
            .iter()
            .map(|question| by_search(machine, question, options));
        return answers.collect();
    }
    if let Some(answers) = check_and_solve(machine, selected, packed, questions, options)? {
        return Ok(answers);
    }
    let limits = Limits::new(options);
    let longest_play = machine.proven().longest_play.or(packed.longest_play());
    let mut findings = Vec::new();
    for question in questions {
        findings.push(check(machine, question, &limits, longest_play)?);
    }
    let ended =
        |(question, findings): (&Question<Bits>, &Findings<Bits>)| early_end(question, findings, &limits);
    let ended: Vec<_> = questions.iter().zip(&findings).map(ended).collect();
    let open = questions.iter().zip(&ended).filter(|(_, ended)| ended.is_none());
    let open: Vec<Question<Bits>> = open.map(|(question, _)| question.clone()).collect();
    let found = match &selected.filling {
        _ if open.is_empty() => Vec::new(),
        Some(filling) => layered::sweep(machine, packed, filling, &open, options, &limits)?,
        None => {
            let checked = OpenPoints::NONE;
            let found = layered::run(machine, packed, checked, &open, options, &limits)?;
            found.ok_or(SolveError::Unsuitable("the game is not as it was found to be"))?
        }
    };
    let mut found = found.into_iter();
    let all = ended.into_iter().filter_map(|ended| match ended {
        Some(outcome) => Some(layered::Found {
            outcome,
            first_moves: Vec::new(),
        }),
        None => found.next(),
    });
    Ok(answers(all.collect(), findings, &limits))
}

/// Enumerates a game of which something is not proven, and checks that on the way: keys take an eighth of the room
/// of states, and 512 are looked at together. Nothing if there is nothing to check, if the check by itself is as fast, or
/// if a state or play was met that it has to find: it has a witness.
fn check_and_solve(
    machine: &Machine,
    selected: &Selected,
    packed: &Packed,
    questions: &[Question<Bits>],
    options: &Options,
) -> Result<Option<Vec<Answer<Bits, MoveId>>>, SolveError> {
    let longest_play = machine.proven().longest_play.or(packed.longest_play());
    let mut open = questions
        .iter()
        .map(|question| open_points(machine, question, longest_play));
    // The questions differ only in what they ask of the goals.
    let Some(Some(points)) = open
        .next()
        .filter(|points| points.is_some_and(|points| !points.is_none()))
    else {
        return Ok(None);
    };
    if selected.filling.is_some() || !open.all(|points| points.is_some()) {
        return Ok(None);
    }
    // States that are reached when some steps are left, but fewer than a choice takes, are not expanded.
    let is_whole = match (questions[0].horizon, packed.steps()) {
        (Some(horizon), Steps::Each(steps)) => horizon % steps == 0,
        (None, _) => true,
        (Some(_), Steps::Mixed) => false,
    };
    if points.moves && !is_whole {
        return Ok(None);
    }
    let budget = options.check_bytes.min(options.memory / 4) as u64;
    let (_, gave_up) = explore_within(machine, &questions[0], &Limits::new(options), budget)?;
    if !gave_up {
        return Ok(None);
    }
    let limits = Limits::new(options);
    let Some(found) = layered::run(machine, packed, points, questions, options, &limits)? else {
        return Ok(None);
    };
    let is_exact = limits.reached().is_none() && packed.steps() == Steps::Each(1);
    let findings = questions.iter().map(|question| {
        Findings::unchecked(match question.horizon {
            None if is_exact => u32::try_from(limits.progress.depth.load(Relaxed)).ok(),
            _ => None,
        })
    });
    Ok(Some(answers(found, findings.collect(), &limits)))
}

fn answers(
    found: Vec<layered::Found>,
    findings: Vec<Findings<Bits>>,
    limits: &Limits,
) -> Vec<Answer<Bits, MoveId>> {
    let answers = found.into_iter().zip(findings).map(|(found, findings)| Answer {
        outcome: found.outcome,
        first_moves: found.first_moves,
        // Every open state that `layered` met stands in the table of its layer; `sweep` has no table.
        statistics: statistics(&findings, limits, limits.progress.table_entries.load(Relaxed)),
        notes: findings.notes,
    });
    answers.collect()
}

fn by_search(
    machine: &Machine,
    question: &Question<Bits>,
    options: &Options,
) -> Result<Answer<Bits, MoveId>, SolveError> {
    let options = Options {
        engine: Engine::Search,
        ..options.clone()
    };
    super::solve(machine, question, &options)
}

/// Whether the play is over before it began: nothing is left to enumerate.
fn is_over(machine: &Machine, question: &Question<Bits>) -> Result<bool, SolveError> {
    let mut position = Position::new(machine.roles().len());
    machine.look(&question.start_state(machine), &mut position)?;
    Ok(position.terminal || question.horizon == Some(0))
}
