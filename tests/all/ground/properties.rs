//! Random games: whatever is done to the text that should not matter does not matter.

use crate::support::machines::{Budget, Compared, Machine, Renamed, Unequal, compare};
use crate::support::naive::{Naive, check_order};
use crate::support::program;
use crate::support::random_game::{Clause, Plan, clauses, plans, text};
use crate::support::variants::{new_name, old_name, permute, rename_text};
use emm::ground::{GroundError, GroundProgram, Limits, ground};
use emm::program::Program;
use emm::reference::Reference;
use emm::term::Term;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

const BUDGET: Budget = Budget {
    plays: 3,
    steps: 6,
    deadline: None,
};

/// Games that become too large are left out; a test below shows that they are few.
const MAX_RULES: usize = 3_000;

/// The ground program of a text that is known to be valid; `None` if it is too large.
fn grounded(text: &str) -> Result<Option<(Program, GroundProgram)>, TestCaseError> {
    let fail = |reason: String| TestCaseError::fail(format!("{reason}\n{text}"));
    let program = program("random", text).map_err(fail)?;
    let limits = Limits {
        max_rules: MAX_RULES,
        ..Limits::default()
    };
    match ground(&program, &limits) {
        Ok(grounded) => {
            check_order(&grounded.program).map_err(fail)?;
            Ok(Some((program, grounded.program)))
        }
        Err(GroundError::Limit(_)) => Ok(None),
        Err(rejected) => Err(fail(rejected.to_string())),
    }
}

fn assert_same(oracle: &impl Machine, machine: &impl Machine, text: &str) -> Result<Compared, TestCaseError> {
    compare(oracle, machine, 1, BUDGET).map_err(|unequal| match unequal {
        Unequal::Differs(difference) => TestCaseError::fail(format!("{difference}\n{text}")),
        Unequal::NoOracle(reason) => TestCaseError::fail(format!("no oracle: {reason}\n{text}")),
    })
}

/// Compares the game of `clauses` with that of `other`, a text of the same game.
fn assert_same_game(clauses: &[Clause], other: &str) -> Result<(), TestCaseError> {
    let text = text(clauses);
    if let (Some((_, one)), Some((_, two))) = (grounded(&text)?, grounded(other)?) {
        assert_same(
            &Naive::new(&one),
            &Naive::new(&two),
            &format!("{text}\nagainst\n{other}"),
        )?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_ground_program_is_the_same_game(plan in plans()) {
        let text = text(&clauses(&plan));
        if let Some((program, ground)) = grounded(&text)? {
            let oracle = Reference::new(&program).map_err(|error| TestCaseError::fail(error.to_string()))?;
            assert_same(&oracle, &Naive::new(&ground), &text)?;
        }
    }

    #[test]
    fn the_order_of_rules_and_conditions_does_not_matter(plan in plans(), seed in any::<u64>()) {
        let mut permuted = clauses(&plan);
        permute(&mut permuted, seed);
        assert_same_game(&clauses(&plan), &text(&permuted))?;
    }

    #[test]
    fn the_text_of_a_ground_program_does_not_depend_on_the_order(plan in plans(), seed in any::<u64>()) {
        let mut permuted = clauses(&plan);
        permute(&mut permuted, seed);
        let (one, two) = (text(&clauses(&plan)), text(&permuted));
        if let (Some((_, one)), Some((_, two))) = (grounded(&one)?, grounded(&two)?) {
            prop_assert_eq!(one.to_string(), two.to_string());
        }
    }

    #[test]
    fn repeated_rules_do_not_matter(plan in plans(), which in prop::collection::vec(any::<prop::sample::Index>(), 1..4)) {
        let original = clauses(&plan);
        let mut repeated = original.clone();
        repeated.extend(which.iter().map(|index| index.get(&original).clone()));
        assert_same_game(&original, &text(&repeated))?;
    }

    #[test]
    fn names_do_not_matter(plan in plans()) {
        let text = text(&clauses(&plan));
        let other = rename_text(&text);
        if let (Some((_, one)), Some((_, two))) = (grounded(&text)?, grounded(&other)?) {
            let renamed = Renamed { machine: Naive::new(&two), inside: new_name, outside: old_name };
            assert_same(&Naive::new(&one), &renamed, &format!("{text}\nagainst\n{other}"))?;
        }
    }

    #[test]
    fn a_printed_ground_program_is_the_same_game(plan in plans()) {
        let original = clauses(&plan);
        if let Some((_, ground)) = grounded(&text(&original))? {
            assert_same_game(&original, &ground.to_string())?;
        }
    }
}

/// What random games are like.
#[derive(Debug, Default)]
struct Reached {
    games: usize,
    too_large: usize,
    /// Games with a component of several ground atoms that depend on each other.
    recursion: usize,
    /// Games with a rule that has a negation, in the ground program.
    negation: usize,
    /// Games in which some atom depends on the negation of an atom of its own relation.
    local_negation: usize,
    /// Games with a fluent or move that is nested at least three deep.
    deep_terms: usize,
    /// Games in which several roles have a choice, by the ground program.
    several_movers: usize,
    /// Games with more than two steps in a play.
    plays: usize,
    terminal: usize,
}

fn depth(term: &Term) -> usize {
    match term {
        Term::Variable(_) => 0,
        Term::Function(_, args) => args.iter().map(|arg| 1 + depth(arg)).max().unwrap_or(0),
    }
}

impl Reached {
    fn add(&mut self, plan: &Plan) {
        self.games += 1;
        let Some((_, ground)) = grounded(&text(&clauses(plan))).expect("a valid game") else {
            self.too_large += 1;
            return;
        };
        let relation = |atom| {
            let text = ground.display_atom(atom).to_string();
            text.trim_start_matches('(')
                .split([' ', ')'])
                .next()
                .unwrap_or_default()
                .to_string()
        };
        let negates_itself = |rule: emm::ground::RuleRef| {
            rule.negative
                .iter()
                .any(|&atom| relation(atom) == relation(rule.head))
        };
        let terms = ground
            .fluents()
            .iter()
            .copied()
            .chain(ground.moves().iter().map(|mv| mv.term));
        let is_deep = terms
            .map(|id| depth(&ground.terms().term(id)))
            .any(|depth| depth >= 3);
        let movers = (0..ground.roles().len())
            .filter(|&role| ground.moves().iter().filter(|mv| mv.role.index() == role).count() > 1);
        let compared = compare(&Naive::new(&ground), &Naive::new(&ground), 1, BUDGET).expect("the same game");
        self.recursion += usize::from(
            ground
                .components()
                .iter()
                .any(|c| c.recursive && c.atoms.len() > 1),
        );
        self.negation += usize::from(ground.rules().any(|rule| !rule.negative.is_empty()));
        self.local_negation += usize::from(ground.rules().any(negates_itself));
        self.deep_terms += usize::from(is_deep);
        self.several_movers += usize::from(movers.count() > 1);
        self.plays += usize::from(compared.steps > 2);
        self.terminal += usize::from(compared.terminal > 0);
    }
}

#[test]
fn random_games_reach_recursion_negation_and_deep_terms() {
    let mut runner = TestRunner::deterministic();
    let mut reached = Reached::default();
    for _ in 0..300 {
        let plan = plans().new_tree(&mut runner).expect("a plan").current();
        reached.add(&plan);
    }
    println!("{reached:?}");
    assert!(reached.too_large < 30, "{reached:?}");
    assert!(reached.recursion > 60, "{reached:?}");
    assert!(reached.negation > 150, "{reached:?}");
    assert!(reached.local_negation > 60, "{reached:?}");
    assert!(reached.deep_terms > 60, "{reached:?}");
    assert!(reached.several_movers > 60, "{reached:?}");
    assert!(reached.plays > 100, "{reached:?}");
    assert!(reached.terminal > 60, "{reached:?}");
}
