//! Records for the exporters' tests: one of each kind.

use super::record::{Beginning, Effort, Record, Refused, Remark, Spent, ValuedMove, Verdict};
use crate::solve::{Fraction, Interval, Objective, Statistics, StopReason};
use std::time::Duration;

fn exactly(numerator: u64, denominator: u64) -> Interval {
    let value = Fraction::new(numerator, denominator).unwrap();
    Interval {
        lo: value.clone(),
        hi: value,
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

fn effort() -> Effort {
    let spent = |cpu, wall| Spent {
        cpu: Duration::from_millis(cpu),
        wall: Duration::from_millis(wall),
    };
    Effort {
        engine: "search",
        arithmetic: "exact",
        threads: 2,
        statistics: Statistics {
            visited: 12,
            edges: 34,
            table_hits: 5,
            table_entries: 10,
            memory_bytes: 2048,
            explored: 0,
            longest_play: Some(4),
        },
        compile: spent(2, 1),
        solve: spent(20, 10),
        version: "0.0.0".to_string(),
    }
}

fn solved() -> Record {
    let valued = |mv: &str, value, optimal| ValuedMove {
        moves: vec![("x".to_string(), mv.to_string())],
        value,
        optimal,
    };
    Record {
        game: "dice, loaded".to_string(),
        game_sha256: "00ff".to_string(),
        role: "x".to_string(),
        random_roles: words(&["o"]),
        objective: Objective::Win,
        horizon: None,
        beginning: Beginning::Moves(words(&["x:(roll 1) o:noop"])),
        verdict: Verdict::Solved(Fraction::new(2, 3).unwrap()),
        first_moves: vec![
            valued("(roll 2)", exactly(2, 3), true),
            valued("stop", exactly(1, 3), false),
        ],
        plan: None,
        remarks: vec![Remark::NotTurnTaking {
            state: words(&["(cell 1)", "open"]),
        }],
        effort: effort(),
    }
}

/// A value, an interval, a refusal, and a curve of two horizons with a plan at its end.
pub(super) fn records() -> Vec<Record> {
    let plain = Record {
        game: "dice".to_string(),
        random_roles: Vec::new(),
        beginning: Beginning::Initial,
        first_moves: Vec::new(),
        remarks: Vec::new(),
        ..solved()
    };
    let bounds = Interval {
        lo: Fraction::new(1, 3).unwrap(),
        hi: Fraction::new(2, 3).unwrap(),
    };
    let cycle = Refused::Cycle {
        state: words(&["(cell 1)"]),
        approach: Some(words(&["x:go o:noop"])),
        moves: Some(words(&["x:up o:noop", "x:down o:noop"])),
    };
    let horizon = |horizon, value, plan| Record {
        objective: Objective::Goal,
        horizon: Some(horizon),
        verdict: Verdict::Solved(Fraction::whole(value)),
        plan,
        ..plain.clone()
    };
    vec![
        solved(),
        Record {
            verdict: Verdict::Bounded(bounds, StopReason::Time),
            ..plain.clone()
        },
        Record {
            objective: Objective::AtLeast(50),
            verdict: Verdict::Refused(cycle),
            ..plain.clone()
        },
        horizon(0, 0, None),
        horizon(1, 100, Some(words(&["go"]))),
    ]
}
