//! Hand-written clauses for what random ones rarely hit.

use super::Clause;

/// Clauses that belong together.
pub struct Group(&'static [(&'static str, &'static [&'static str])]);

impl Group {
    /// The clauses as text.
    pub fn clauses(&self) -> impl Iterator<Item = Clause> {
        self.0.iter().map(|(head, body)| Clause {
            head: head.to_string(),
            body: body.iter().map(|literal| literal.to_string()).collect(),
        })
    }
}

/// All groups.
pub const GROUPS: &[Group] = &[
    // Something to talk about.
    Group(&[
        ("(dom a)", &[]),
        ("(dom b)", &[]),
        ("(dom c)", &[]),
        ("(edge a b)", &[]),
        ("(edge b c)", &[]),
        ("(init (mark a))", &[]),
        ("(init (cell (f a) b))", &[]),
    ]),
    // Nobody is ever stuck.
    Group(&[("(legal ?r noop)", &["(role ?r)"])]),
    // Moves that change the state, at the same time for all roles.
    Group(&[
        (
            "(legal ?r (pick ?x ?y))",
            &["(role ?r)", "(true (mark ?x))", "(edge ?x ?y)"],
        ),
        ("(next (mark ?y))", &["(does ?r (pick ?x ?y))"]),
        (
            "(next (mark ?x))",
            &["(true (mark ?x))", "(not (does r0 (pick ?x ?x)))"],
        ),
    ]),
    // `legal` given by facts.
    Group(&[("(legal r0 (put a))", &[]), ("(legal r0 (put (f b)))", &[])]),
    // The frame axiom over a bare variable.
    Group(&[("(next ?f)", &["(true ?f)", "(not (gone ?f))"])]),
    // Recursion through a cycle of constant atoms.
    Group(&[
        ("(edge c a)", &[]),
        ("(path ?x ?y)", &["(edge ?x ?y)"]),
        ("(path ?x ?z)", &["(path ?x ?y)", "(path ?y ?z)"]),
    ]),
    // Recursion through a cycle of atoms that depend on the state.
    Group(&[
        ("(link ?x ?y)", &["(true (mark ?x))", "(edge ?x ?y)"]),
        ("(link ?y ?x)", &["(link ?x ?y)"]),
        ("(link ?x ?z)", &["(link ?x ?y)", "(link ?y ?z)"]),
        ("flag", &["(link ?x ?x)", "(not (link a c))"]),
    ]),
    // A relation over its own negation, harmless because `after` has no cycle.
    Group(&[
        ("(after a b)", &[]),
        ("(after b c)", &[]),
        ("(won ?x)", &["(after ?x ?y)", "(not (won ?y))"]),
        ("(next (counter ?x))", &["(won ?x)"]),
    ]),
    // The same, depending on the state.
    Group(&[
        ("(after a b)", &[]),
        ("(after b c)", &[]),
        (
            "(lit ?y)",
            &["(not (lit ?x))", "(after ?x ?y)", "(true (mark ?y))"],
        ),
        ("terminal", &["(lit c)", "(true (counter b))"]),
    ]),
    // `goal` over its own negation.
    Group(&[
        ("(goal ?r 100)", &["(role ?r)", "flag"]),
        ("(goal ?r 0)", &["(role ?r)", "(not (goal ?r 100))"]),
    ]),
    // Goal values from a table.
    Group(&[
        ("(score a 25)", &[]),
        ("(score b 75)", &[]),
        ("(goal r0 ?v)", &["(true (counter ?x))", "(score ?x ?v)"]),
    ]),
    // A clock.
    Group(&[
        ("(after a b)", &[]),
        ("(after b c)", &[]),
        ("(init (counter a))", &[]),
        ("(next (counter ?y))", &["(true (counter ?x))", "(after ?x ?y)"]),
        ("terminal", &["(true (counter c))"]),
    ]),
    // `or` that binds a variable in every branch.
    Group(&[
        (
            "(next (mark ?x))",
            &["(or (does ?r (put ?x)) (true (counter ?x)))", "(dom ?x)"],
        ),
        ("(on ?x)", &["(or (edge ?x a) (and (path ?x b) (not (dom ?x))))"]),
    ]),
    // `init` by rules.
    Group(&[("(init (cell ?x ?y))", &["(path ?x ?y)", "(distinct ?x ?y)"])]),
    // Deep terms that come and go.
    Group(&[
        ("(deep (f (g (f ?x) ?y)))", &["(edge ?x ?y)"]),
        ("(next (stack ?d))", &["(deep ?d)", "(not (true (stack ?d)))"]),
        ("(tower (f ?t))", &["(true (stack (f ?t)))", "(wrap ?t)"]),
        ("(wrap (g (f ?x) ?y))", &["(edge ?x ?y)"]),
    ]),
];
