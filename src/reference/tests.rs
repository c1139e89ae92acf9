//! What the words of GDL mean, one test each. Programs are read by a reader of a few lines, so that the
//! oracle is tested without the parser and the checker.

use super::{Reference, ReferenceError, State, print_state};
use crate::program::{Atom, Literal, Predicate, Program, Rule};
use crate::source::{Source, Span};
use crate::term::{Symbol, Term};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Reads one term of KIF and returns the rest of the text.
fn read_term(text: &str) -> (Term, &str) {
    let text = text.trim_start();
    let Some(mut rest) = text.strip_prefix('(') else {
        let end = text.find([' ', '(', ')', '\n']).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let variable = name
            .strip_prefix('?')
            .map(|name| Term::Variable(Symbol::new(name)));
        return (variable.unwrap_or_else(|| Term::constant(name)), rest);
    };
    let mut parts = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(rest) = rest.strip_prefix(')') {
            let Term::Function(name, _) = parts.remove(0) else {
                panic!("a variable before arguments")
            };
            return (Term::Function(name, parts), rest);
        }
        let (part, after) = read_term(rest);
        parts.push(part);
        rest = after;
    }
}

fn terms(mut text: &str) -> Vec<Term> {
    let mut terms = Vec::new();
    while !text.trim().is_empty() {
        let (term, rest) = read_term(text);
        terms.push(term);
        text = rest;
    }
    terms
}

fn parts(term: &Term) -> (&str, &[Term]) {
    match term {
        Term::Function(name, args) => (name.as_str(), args),
        Term::Variable(name) => panic!("?{name} is no atom"),
    }
}

fn atom(term: &Term) -> Atom {
    let (name, args) = parts(term);
    let keyword = Predicate::KEYWORDS
        .iter()
        .find(|(keyword, _, _)| *keyword == name);
    let predicate = match keyword {
        Some((_, predicate, _)) => predicate.clone(),
        None => Predicate::Defined(Symbol::new(name), args.len()),
    };
    Atom {
        predicate,
        args: args.to_vec(),
    }
}

fn literal(term: &Term) -> Literal {
    match parts(term) {
        ("not", [negated]) => Literal::Negative(atom(negated)),
        ("distinct", [left, right]) => Literal::Distinct(left.clone(), right.clone()),
        _ => Literal::Positive(atom(term)),
    }
}

fn rule(term: &Term) -> Rule {
    let (head, body) = match parts(term) {
        ("<=", [head, body @ ..]) => (head, body),
        _ => (term, &[][..]),
    };
    Rule {
        head: atom(head),
        body: body.iter().map(literal).collect(),
        span: Span::new(0, 0),
    }
}

fn program(text: &str) -> Program {
    let rules: Vec<Rule> = terms(text).iter().map(rule).collect();
    let roles = rules.iter().filter(|rule| rule.head.predicate == Predicate::Role);
    let roles = roles.map(|rule| rule.head.args[0].clone()).collect();
    Program {
        source: Arc::new(Source::new("test", text)),
        roles,
        rules,
    }
}

fn reference(text: &str) -> Reference {
    Reference::new(&program(text)).unwrap()
}

fn state(text: &str) -> State {
    terms(text).into_iter().collect()
}

/// The fluents that hold initially, as text.
fn initially(text: &str) -> String {
    print_state(&reference(text).initial())
}

#[test]
fn the_initial_state_is_what_init_derives() {
    assert_eq!(
        initially("(role x) (base (b 1)) (p 2) (init a) (<= (init (b ?n)) (p ?n))"),
        "a (b 2)"
    );
    assert_eq!(initially("(role x) (base (b 1))"), "");
}

#[test]
fn the_next_state_is_exactly_what_next_derives() {
    let game = reference(
        "(role x) (init (on 1)) (init (on 2)) (base (on 3))
         (<= (next (on ?n)) (true (on ?n)) (not (does x (drop ?n))))
         (<= (next last) (does x (drop ?n)))
         (<= (legal x (drop ?n)) (true (on ?n))) (legal x wait)",
    );
    let next = game.next(&game.initial(), &terms("(drop 1)")).unwrap();
    assert_eq!(next, state("last (on 2)"));
    assert_eq!(game.next(&next, &terms("wait")).unwrap(), state("(on 2)"));
}

#[test]
fn moves_are_simultaneous_and_in_the_order_of_the_roles() {
    let game = reference(
        "(role x) (role o) (legal x a) (legal o b) (legal nobody c)
         (<= (next (both ?m ?n)) (does x ?m) (does o ?n))
         (<= (next (one ?r)) (does ?r a))",
    );
    assert_eq!(
        game.next(&game.initial(), &terms("a b")).unwrap(),
        state("(both a b) (one x)")
    );
    assert_eq!(
        game.next(&game.initial(), &terms("b a")).unwrap(),
        state("(both b a) (one o)")
    );
}

#[test]
fn legal_moves_and_goals_belong_to_their_role() {
    let game = reference(
        "(role x) (role o) (init s) (legal x a) (legal nobody c) (<= (legal o (go ?r)) (role ?r) (true s))
         (goal x 0) (<= (goal x 100) (true s)) (<= terminal (true s))",
    );
    let position = game.position(&game.initial()).unwrap();
    assert!(position.terminal);
    assert_eq!(position.legal, [state("a"), state("(go x) (go o)")]);
    assert_eq!(position.goals, [state("0 100"), BTreeSet::new()]);
    let empty = game.position(&State::new()).unwrap();
    assert!(!empty.terminal);
    assert_eq!(empty.legal, [state("a"), State::new()]);
}

#[test]
fn a_negated_relation_is_evaluated_first() {
    let text = "(role x) (<= (init ?n) (number ?n) (not (composite ?n)))
                (<= (composite ?n) (times ?a ?b ?n)) (times 2 2 4) (times 2 3 6)
                (number 2) (number 3) (number 4) (number 5) (number 6)";
    assert_eq!(initially(text), "2 3 5");
}

#[test]
fn an_undefined_relation_is_empty() {
    assert_eq!(
        initially("(role x) (<= (init a) (not nowhere)) (<= (init b) nowhere)"),
        "a"
    );
}

#[test]
fn relations_of_one_name_and_different_arity_are_different() {
    assert_eq!(
        initially("(role x) (p a) (p a b) (<= (init ?x) (p ?x)) (<= (init (f ?y)) (p ?x ?y))"),
        "a (f b)"
    );
}

#[test]
fn distinct_compares_terms() {
    let text = "(role x) (p a) (p (f a)) (p (f b))
                (<= (init (pair ?x ?y)) (p ?x) (p ?y) (distinct ?x ?y) (distinct ?y (f b)) (distinct ?x a))";
    assert_eq!(
        initially(text),
        "(pair (f a) a) (pair (f b) a) (pair (f b) (f a))"
    );
}

#[test]
fn a_literal_before_the_ones_that_bind_it_waits_for_them() {
    let text = "(role x) (p 1) (p 2) (q 2) (<= (init ?x) (not (q ?x)) (distinct ?x 3) (p ?x))";
    assert_eq!(initially(text), "1");
}

#[test]
fn recursion_reaches_everything_within_one_step() {
    let game = reference(
        "(role x) (init (edge a b)) (init (edge b c)) (init (edge c a)) (init (edge d a))
         (<= (reach ?x ?y) (true (edge ?x ?y)))
         (<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))
         (<= (legal x (go ?y)) (reach a ?y))
         (<= (next (closed ?x ?y)) (reach ?x ?y) (not (reach ?y ?x)))",
    );
    let position = game.position(&game.initial()).unwrap();
    assert_eq!(position.legal, [state("(go a) (go b) (go c)")]);
    let next = game.next(&game.initial(), &terms("(go b)")).unwrap();
    assert_eq!(next, state("(closed d a) (closed d b) (closed d c)"));
}

#[test]
fn mutual_recursion_is_one_component() {
    let text = "(role x) (even 0) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
                (<= (odd ?n) (succ ?m ?n) (even ?m)) (<= (even ?n) (succ ?m ?n) (odd ?m))
                (<= (init ?n) (even ?n) (not (odd ?n)))";
    assert_eq!(initially(text), "0 2 4");
}

#[test]
fn goal_over_not_goal_is_well_founded() {
    let game = reference(
        "(role x) (role o) (init won)
         (<= (goal x 100) (true won)) (<= (goal x 0) (not (goal x 100)))
         (<= (goal o 100) (goal x 0)) (<= (goal o 0) (not (goal o 100)))",
    );
    let goals = |text: &str| game.position(&state(text)).unwrap().goals;
    assert_eq!(goals("won"), [state("100"), state("0")]);
    assert_eq!(goals(""), [state("0"), state("100")]);
}

/// win(X) :- move(X, Y), not win(Y): stratified on ground atoms if and only if `move` has no cycle that
/// matters.
#[test]
fn the_well_founded_model_sees_through_harmless_cycles() {
    let win = "(role x) (<= (win ?x) (step ?x ?y) (not (win ?y))) (<= (init ?x) (win ?x))";
    assert_eq!(
        initially(&format!("{win} (step a b) (step b c) (step c d)")),
        "a c"
    );
    assert_eq!(initially(&format!("{win} (step a b) (step b a) (step b c)")), "b");
}

#[test]
fn an_atom_that_depends_on_its_own_negation_is_an_error() {
    let text =
        "(role x) (step a b) (step b a) (<= (win ?x) (step ?x ?y) (not (win ?y))) (<= (init ?x) (win ?x))";
    let error = Reference::new(&program(text)).err().unwrap();
    assert_eq!(
        error.to_string(),
        "(win a) is neither true nor false: it depends on its own negation, \
         see line 1: (<= (win ?x) (step ?x ?y) (not (win ?y)))"
    );
}

#[test]
fn an_undefined_atom_is_an_error_only_in_states_where_it_is_undefined() {
    let game = reference("(role x) (<= p (true on) (not p)) (<= terminal p)");
    assert!(!game.position(&state("")).unwrap().terminal);
    let error = game.position(&state("on")).unwrap_err();
    assert!(matches!(error, ReferenceError::Unstratified { atom, .. } if atom == "p"));
}

#[test]
fn what_no_question_depends_on_is_not_evaluated() {
    assert_eq!(
        initially("(role x) (init a) (base 0) (<= (base (s ?n)) (base ?n))"),
        "a"
    );
}

#[test]
fn a_term_that_grows_without_end_is_an_error() {
    let growing = program("(role x) (n 0) (<= (n (s ?n)) (n ?n)) (<= (init ?n) (n ?n))");
    let error = Reference::new(&growing).err().unwrap();
    assert!(matches!(&error, ReferenceError::GrowingTerm { rule, atom }
        if rule == "line 1: (<= (n (s ?n)) (n ?n))" && atom.starts_with("(n (s (s (s ")));
}

#[test]
fn a_term_that_doubles_without_end_is_an_error() {
    let doubling = program("(role x) (n 0) (<= (n (f ?n ?n)) (n ?n)) (<= (init ?n) (n ?n))");
    let error = Reference::new(&doubling).err().unwrap();
    assert!(
        matches!(error, ReferenceError::TooManyFacts { rule } if rule.ends_with("(<= (n (f ?n ?n)) (n ?n))"))
    );
}

#[test]
fn a_state_prints_sorted() {
    assert_eq!(
        print_state(&state("b (cell 2 x) (cell 1 x) a")),
        "a b (cell 1 x) (cell 2 x)"
    );
}
