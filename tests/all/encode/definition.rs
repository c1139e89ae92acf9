//! The value of an SQASP by Definition 2 of the paper, straight from its rules: every way to set the choices,
//! in the order of the prefix, and for each the answer set, if there is one. Nothing is shared with
//! completion and evaluator but the program itself.

use super::games::TRAPS;
use super::{Loaded, random};
use crate::support::random::Random;
use crate::support::random_game::{clauses, plans, text};
use emm::encode::{Atom, Head, Literal, Part, Prefix, Question, RuleView, Said, Sqasp, complete, encode};
use emm::fraction::Fraction;
use emm::ssat;
use num_bigint::BigUint;
use num_rational::Ratio;
use num_traits::{One, Zero};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::ops::Range;

/// Programs with more choices take too long.
const MOST_CHOICES: usize = 12;

#[derive(Clone, Copy, PartialEq)]
enum Quantifier {
    Exists,
    ForAll,
    /// Holds with probability 1/i.
    Chance(u32),
}

struct Definition<'a> {
    rules: Vec<RuleView<'a>>,
    /// The bodies of the rules of each atom that is no choice, by atom.
    bodies: Vec<Vec<&'a [Literal]>>,
    /// Ranges of atoms that depend on each other.
    recursive: Vec<Range<usize>>,
    /// The choices, outermost first.
    choices: Vec<(usize, Quantifier)>,
    is_choice: Vec<bool>,
    values: Vec<bool>,
}

impl<'a> Definition<'a> {
    fn new(sqasp: &'a Sqasp) -> Definition<'a> {
        let atoms = sqasp.atoms().len();
        let rules: Vec<RuleView> = Part::ALL.into_iter().flat_map(|part| sqasp.rules(part)).collect();
        let (mut bodies, mut is_choice) = (vec![Vec::new(); atoms], vec![false; atoms]);
        for rule in &rules {
            match rule.head {
                Head::Atom(atom) => bodies[atom.index()].push(rule.body),
                Head::Choice(atom) => is_choice[atom.index()] = true,
                Head::ExactlyOne(first, last) => is_choice[first.index()..=last.index()].fill(true),
                Head::Nothing => {}
            }
        }
        let quantifier = |atom: usize| match sqasp.atoms()[atom] {
            Said::DecO(..) => Quantifier::ForAll,
            Said::DecR(_, toss, _) => Quantifier::Chance(toss),
            _ => Quantifier::Exists,
        };
        let choices = (0..atoms).filter(|&atom| is_choice[atom]);
        let mut choices: Vec<_> = choices.map(|atom| (atom, quantifier(atom))).collect();
        choices.sort_by_key(|(atom, _)| sqasp.level(Atom::new(*atom)));
        let range = |range: &Range<u32>| range.start as usize..range.end as usize;
        Definition {
            recursive: sqasp.recursive().iter().map(range).collect(),
            bodies,
            choices,
            is_choice,
            values: vec![false; atoms],
            rules,
        }
    }

    fn value(&mut self, at: usize) -> Ratio<BigUint> {
        let Some(&(atom, quantifier)) = self.choices.get(at) else {
            return match self.is_answer_set() {
                true => Ratio::one(),
                false => Ratio::zero(),
            };
        };
        let [yes, no] = [true, false].map(|value| {
            self.values[atom] = value;
            self.value(at + 1)
        });
        match quantifier {
            Quantifier::Exists => yes.max(no),
            Quantifier::ForAll => yes.min(no),
            Quantifier::Chance(i) => (yes + no * BigUint::from(i - 1)) / BigUint::from(i),
        }
    }

    /// Whether the choices are those of an answer set.
    fn is_answer_set(&mut self) -> bool {
        self.derive();
        self.rules.iter().all(|rule| {
            let holds = self.holds(rule.body);
            match rule.head {
                Head::Atom(_) => true,
                Head::Nothing => !holds,
                // Without support no choice is made.
                Head::Choice(atom) => holds || !self.values[atom.index()],
                Head::ExactlyOne(first, last) => {
                    let chosen = self.values[first.index()..=last.index()].iter();
                    chosen.filter(|chosen| **chosen).count() == usize::from(holds)
                }
            }
        })
    }

    /// Sets all other atoms. They come after what they depend on, except inside of the recursive ranges,
    /// which are filled from below.
    fn derive(&mut self) {
        let mut atom = 0;
        while atom < self.values.len() {
            let range = self
                .recursive
                .iter()
                .find(|range| range.start == atom && !range.is_empty());
            let range = range.cloned().unwrap_or(atom..atom + 1);
            atom = range.end;
            let derived: Vec<usize> = range.filter(|&atom| !self.is_choice[atom]).collect();
            derived.iter().for_each(|&atom| self.values[atom] = false);
            for _ in &derived {
                for &atom in &derived {
                    self.values[atom] = self.bodies[atom].iter().any(|body| self.holds(body));
                }
            }
        }
    }

    fn holds(&self, body: &[Literal]) -> bool {
        body.iter()
            .all(|literal| self.values[literal.atom().index()] != literal.is_negated())
    }

    fn has(&self, is_wanted: impl Fn(Quantifier) -> bool) -> bool {
        self.choices.iter().any(|&(_, quantifier)| is_wanted(quantifier))
    }
}

/// What the programs that were compared have in common with those of real games.
#[derive(Debug, Default)]
struct Seen {
    programs: usize,
    with_universal: usize,
    with_chance: usize,
    with_recursion: usize,
    /// A play may be over before the last time.
    with_early_end: usize,
    between: usize,
}

impl Seen {
    /// Compares the evaluator with the definition, for both prefixes.
    fn compare(&mut self, game: &Loaded, question: &Question, what: &str) {
        for prefix in [Prefix::Base, Prefix::Dependency] {
            let question = Question {
                prefix,
                ..question.clone()
            };
            let sqasp = encode(&game.ground, &question).expect("an encoding");
            let mut definition = Definition::new(&sqasp);
            if definition.choices.len() > MOST_CHOICES {
                return;
            }
            let expected = Fraction::from(definition.value(0));
            let formula = complete(&sqasp).expect("a formula");
            let found = ssat::evaluate(&formula.cnf, &ssat::Options::default()).interval;
            assert_eq!(
                (&found.lo, &found.hi),
                (&expected, &expected),
                "{what} {question:?}"
            );
            self.note(&sqasp, &definition, &expected);
        }
    }

    fn note(&mut self, sqasp: &Sqasp, definition: &Definition, value: &Fraction) {
        let ends_early =
            |said: &Said| matches!(said, Said::Ended(time) if (1..sqasp.question().horizon).contains(time));
        let is_between = *value != Fraction::whole(0) && *value != Fraction::whole(1);
        self.programs += 1;
        self.with_universal += usize::from(definition.has(|quantifier| quantifier == Quantifier::ForAll));
        self.with_chance +=
            usize::from(definition.has(|quantifier| matches!(quantifier, Quantifier::Chance(2..))));
        self.with_recursion += usize::from(definition.recursive.iter().any(|range| range.len() > 1));
        self.with_early_end += usize::from(sqasp.atoms().iter().any(ends_early));
        self.between += usize::from(is_between);
    }
}

#[test]
fn random_programs_have_the_value_of_the_definition() {
    let mut source = Random::new(23);
    let mut seen = Seen::default();
    for _ in 0..400 {
        let text = random::game(&mut source);
        let game = Loaded::new("random", &text);
        for question in (0..3).flat_map(|horizon| game.questions(horizon)) {
            seen.compare(&game, &question, &text);
        }
    }
    println!("{seen:?}");
    assert!(seen.programs > 4000 && seen.between > 50, "{seen:?}");
    assert!(seen.with_universal > 300 && seen.with_chance > 300, "{seen:?}");
    assert!(seen.with_recursion > 300 && seen.with_early_end > 100, "{seen:?}");
}

#[test]
fn programs_of_random_rules_have_the_value_of_the_definition() {
    let seed = TestRng::from_seed(RngAlgorithm::ChaCha, &[23; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), seed);
    let mut seen = Seen::default();
    for _ in 0..100 {
        let plan = plans().new_tree(&mut runner).expect("a plan").current();
        let text = text(&clauses(&plan));
        let game = Loaded::new("random", &text);
        for question in (0..4).flat_map(|horizon| game.questions(horizon)) {
            seen.compare(&game, &question, &text);
        }
    }
    println!("{seen:?}");
    assert!(seen.programs > 1000 && seen.with_recursion > 100, "{seen:?}");
}

#[test]
fn programs_of_games_have_the_value_of_the_definition() {
    let mut seen = Seen::default();
    let traps = TRAPS
        .iter()
        .map(|&(name, last, text)| (name, last, Loaded::new(name, text)));
    let bundled = ["one-shot", "s-nim-3", "chuck-a-luck", "rock-paper-scissors"];
    let bundled = bundled.map(|name| (name, 3, Loaded::bundled(name)));
    for (name, last, game) in traps.chain(bundled) {
        for question in (0..=last).flat_map(|horizon| game.questions(horizon)) {
            seen.compare(&game, &question, name);
        }
    }
    println!("{seen:?}");
    assert!(seen.programs > 60 && seen.between > 5, "{seen:?}");
}
