//! Random games: the machine plays as the reference does, and what should not matter does not matter.

use crate::support::machines::{Answer, Budget, Compared, Machine as Terms, Unequal, compare};
use crate::support::random_game::{clauses, plans, text};
use crate::support::variants::{permute, rename_text};
use crate::support::{machine, program};
use emm::game::{Game, Position as Numbers};
use emm::ground::Limits as GroundLimits;
use emm::machine::{Bits, Machine};
use emm::perft::{Layer, Limits, Scalar, Sliced, perft};
use emm::reference::{Position, Reference, State};
use emm::term::Term;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use std::collections::{BTreeSet, HashMap};

const BUDGET: Budget = Budget {
    plays: 3,
    steps: 6,
    deadline: None,
};

/// Games that become too large are left out.
const MAX_RULES: usize = 3_000;

/// The machine over terms, so that it can be compared with the reference as sets.
struct OverTerms<'m> {
    machine: &'m Machine,
    /// Fluents and moves by their text.
    terms: HashMap<String, Term>,
}

impl<'m> OverTerms<'m> {
    fn new(machine: &'m Machine) -> OverTerms<'m> {
        let net = machine.net();
        let names = net.fluents.iter().chain(&net.constant_fluents).chain(&net.roles);
        let moves = net.moves.iter().map(|mv| &mv.name);
        OverTerms {
            machine,
            terms: names
                .chain(moves)
                .map(|name| (name.clone(), read_term(name)))
                .collect(),
        }
    }

    fn term(&self, name: &str) -> Term {
        self.terms.get(name).cloned().unwrap_or_else(|| read_term(name))
    }

    fn bits(&self, state: &State) -> Answer<Bits> {
        let facts: Vec<String> = state.iter().map(Term::to_string).collect();
        self.machine.state(&facts).map_err(|error| error.to_string())
    }

    fn state(&self, bits: &Bits) -> State {
        self.machine
            .facts(bits)
            .iter()
            .map(|fact| self.term(fact))
            .collect()
    }

    fn look(&self, bits: &Bits) -> Numbers<emm::ground::MoveId> {
        let mut position = Numbers::new(self.machine.roles().len());
        self.machine
            .look(bits, &mut position)
            .expect("the machine always answers");
        position
    }
}

/// Reads one ground term of KIF.
fn read_term(text: &str) -> Term {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut open: Vec<Vec<Term>> = vec![Vec::new()];
    let mut names: Vec<String> = Vec::new();
    let mut words = spaced.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "(" => {
                names.push(words.next().expect("a name").to_string());
                open.push(Vec::new());
            }
            ")" => {
                let args = open.pop().expect("balanced");
                let name = emm::term::Symbol::new(&names.pop().expect("balanced"));
                open.last_mut()
                    .expect("balanced")
                    .push(Term::Function(name, args));
            }
            name => open.last_mut().expect("balanced").push(Term::constant(name)),
        }
    }
    open.pop().and_then(|mut terms| terms.pop()).expect("one term")
}

impl Terms for OverTerms<'_> {
    fn roles(&self) -> Vec<Term> {
        self.machine.roles().iter().map(|role| self.term(role)).collect()
    }

    fn initial(&self) -> State {
        self.state(&self.machine.initial())
    }

    fn position(&self, state: &State) -> Answer<Position> {
        let position = self.look(&self.bits(state)?);
        let legal = position.legal.iter().enumerate().map(|(role, moves)| {
            let names = moves.iter().map(|&mv| self.machine.move_name(role, mv));
            names.map(|name| self.term(&name)).collect()
        });
        let goals = position.goals.iter().map(|goals| {
            let values = goals.values().map(|value| Term::constant(&value.to_string()));
            values.collect::<BTreeSet<_>>()
        });
        Ok(Position {
            terminal: position.terminal,
            legal: legal.collect(),
            goals: goals.collect(),
        })
    }

    fn next(&self, state: &State, joint: &[Term]) -> Answer<State> {
        let bits = self.bits(state)?;
        let position = self.look(&bits);
        let moves = joint.iter().enumerate().map(|(role, term)| {
            let name = term.to_string();
            let mut legal = position.legal[role].iter().copied();
            let found = legal.find(|&mv| self.machine.move_name(role, mv) == name);
            found.ok_or_else(|| format!("{name} is not legal"))
        });
        let moves = moves.collect::<Result<Vec<_>, _>>()?;
        let next = self
            .machine
            .next(&bits, &moves)
            .map_err(|error| error.to_string())?;
        Ok(self.state(&next))
    }
}

/// The machine of a text that is known to be valid; `None` if it is too large.
fn compiled(text: &str) -> Result<Option<Machine>, TestCaseError> {
    let program =
        program("random", text).map_err(|errors| TestCaseError::fail(format!("{errors}\n{text}")))?;
    let limits = GroundLimits {
        max_rules: MAX_RULES,
        ..GroundLimits::default()
    };
    Ok(machine(&program, &limits))
}

fn play(text: &str) -> Result<Option<Compared>, TestCaseError> {
    let Some(machine) = compiled(text)? else {
        return Ok(None);
    };
    let program = program("random", text).map_err(TestCaseError::fail)?;
    let oracle = Reference::new(&program).map_err(|error| TestCaseError::fail(error.to_string()))?;
    let compared = compare(&oracle, &OverTerms::new(&machine), 1, BUDGET);
    compared.map(Some).map_err(|unequal| match unequal {
        Unequal::Differs(difference) => TestCaseError::fail(format!("{difference}\n{text}")),
        Unequal::NoOracle(reason) => TestCaseError::fail(format!("no oracle: {reason}\n{text}")),
    })
}

/// The first layers of a game, by both evaluators.
fn layers(machine: &Machine) -> Result<Vec<Layer>, TestCaseError> {
    let limits = Limits {
        depth: Some(3),
        memory: Some(1 << 20),
        ..Limits::default()
    };
    let fail = |error: emm::game::GameError| TestCaseError::fail(error.to_string());
    let sliced = perft(Sliced::new(machine), limits, |_| {}).map_err(fail)?;
    let scalar = perft(Scalar::new(machine), limits, |_| {}).map_err(fail)?;
    // The limit on memory is looked at less often by one than by the other.
    let both = sliced.layers.len().min(scalar.layers.len());
    prop_assert_eq!(&sliced.layers[..both], &scalar.layers[..both]);
    Ok(scalar.layers)
}

fn assert_same_layers(one: &str, two: &str) -> Result<(), TestCaseError> {
    if let (Some(one), Some(two)) = (compiled(one)?, compiled(two)?) {
        let (one, two) = (layers(&one)?, layers(&two)?);
        let both = one.len().min(two.len());
        prop_assert_eq!(&one[..both], &two[..both]);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: if cfg!(debug_assertions) { 64 } else { 256 },
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_machine_plays_as_the_reference_says(plan in plans()) {
        play(&text(&clauses(&plan)))?;
    }

    #[test]
    fn the_order_of_rules_does_not_change_the_counts(plan in plans(), seed in any::<u64>()) {
        let mut permuted = clauses(&plan);
        permute(&mut permuted, seed);
        assert_same_layers(&text(&clauses(&plan)), &text(&permuted))?;
    }

    #[test]
    fn repeated_rules_do_not_change_the_counts(plan in plans(), which in prop::collection::vec(any::<prop::sample::Index>(), 1..4)) {
        let original = clauses(&plan);
        let mut repeated = original.clone();
        repeated.extend(which.iter().map(|index| index.get(&original).clone()));
        assert_same_layers(&text(&original), &text(&repeated))?;
    }

    #[test]
    fn names_do_not_change_the_counts(plan in plans()) {
        let text = text(&clauses(&plan));
        assert_same_layers(&text, &rename_text(&text))?;
    }
}

#[test]
fn random_games_reach_several_movers_chance_and_deep_plays() {
    let mut runner = TestRunner::deterministic();
    let (mut played, mut deep, mut simultaneous, mut chance, mut terminal) = (0, 0, 0, 0, 0);
    for _ in 0..150 {
        let plan = plans().new_tree(&mut runner).expect("a plan").current();
        let text = text(&clauses(&plan));
        let Some(machine) = compiled(&text).expect("a valid game") else {
            continue;
        };
        let compared = play(&text).expect("equal").expect("compiled above");
        let choices = machine.structure().choices();
        let choosing = choices
            .iter()
            .filter(|&&choice| choice == emm::machine::Choice::Possible);
        played += 1;
        deep += usize::from(compared.steps > 2);
        simultaneous += usize::from(choosing.count() > 1);
        chance += usize::from(machine.random().is_some());
        terminal += usize::from(compared.terminal > 0);
    }
    println!(
        "{played} games: {deep} deep, {simultaneous} simultaneous, {chance} with chance, {terminal} end"
    );
    assert!(played > 120 && deep > 50 && simultaneous > 20 && chance > 40 && terminal > 30);
}
