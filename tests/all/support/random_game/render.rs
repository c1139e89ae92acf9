//! Bytes → a clause.

use super::{Clause, ClausePlan};

/// How deep an argument's terms may be; fluents are above all.
type Sort = u8;
const FLUENT: Sort = 9;

/// On what a relation may depend.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    Constant,
    State,
    Moves,
}

struct Relation {
    name: &'static str,
    sorts: &'static [Sort],
    class: Class,
}

const fn relation(name: &'static str, sorts: &'static [Sort], class: Class) -> Relation {
    Relation { name, sorts, class }
}

/// By rank.
const RELATIONS: [Relation; 15] = [
    relation("dom", &[0], Class::Constant),
    relation("edge", &[0, 0], Class::Constant),
    relation("wrap", &[2], Class::Constant),
    relation("pair", &[1, 0], Class::Constant),
    relation("deep", &[3], Class::Constant),
    relation("path", &[0, 0], Class::Constant),
    relation("on", &[0], Class::State),
    relation("near", &[1, 0], Class::State),
    relation("link", &[0, 0], Class::State),
    relation("tower", &[3], Class::State),
    relation("flag", &[], Class::State),
    relation("gone", &[FLUENT], Class::State),
    relation("hit", &[1], Class::Moves),
    relation("swap", &[0, 0], Class::Moves),
    relation("kept", &[FLUENT], Class::Moves),
];
/// Relations up to here do not depend on the state.
const CONSTANT: usize = 6;
/// Relations up to here do not depend on moves.
const STATE: usize = 12;

/// Also a predicate's name among them: predicates and functions do not clash.
const FLUENTS: [(&str, &[Sort]); 5] = [
    ("mark", &[0]),
    ("cell", &[1, 0]),
    ("go", &[]),
    ("stack", &[3]),
    ("link", &[0, 0]),
];
const MOVES: [(&str, &[Sort]); 4] = [("noop", &[]), ("put", &[1]), ("pick", &[0, 0]), ("lift", &[2])];
const CONSTANTS: [&str; 4] = ["a", "b", "c", "1"];
const VARIABLES: [&str; 4] = ["?x", "?y", "?z", "?w"];
const VALUES: [&str; 4] = ["0", "100", "50", "7"];

/// Choices, read one by one.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or_default()) % bound
    }
}

/// The sort at which each variable is bound, if it is.
#[derive(Default)]
struct Bound([Option<Sort>; VARIABLES.len()]);

impl Bound {
    fn bind(&mut self, variable: usize, sort: Sort) {
        let known = self.0[variable].unwrap_or(sort);
        self.0[variable] = Some(known.min(sort));
    }

    fn is_within(&self, variable: usize, sort: Sort) -> bool {
        self.0[variable].is_some_and(|bound| bound <= sort)
    }
}

/// What a variable does where it stands.
enum Use<'a> {
    /// It is bound there.
    Binds(&'a mut Bound),
    /// It must be bound already.
    Bound(&'a Bound),
    /// It must be bound to terms of the place's sort.
    Head(&'a Bound),
}

struct Head {
    class: Class,
    /// Relations below this may be used, and all but the last of a recursive one negated.
    rank: usize,
    is_recursive: bool,
}

/// A clause of a plan.
pub fn clause(plan: &ClausePlan, roles: &[&str]) -> Clause {
    let mut choices = Choices(plan.head.iter());
    let kind = choices.below(RELATIONS.len() + 10);
    let head = head_kind(kind);
    let mut writer = Writer {
        roles,
        head,
        bound: Bound::default(),
        needs_role: false,
    };
    let mut body = writer.body(&plan.body);
    let head = writer.head_atom(kind, &mut choices);
    if writer.needs_role {
        body.push("(role ?r)".into());
    }
    Clause { head, body }
}

fn head_kind(kind: usize) -> Head {
    let of = |class, rank, is_recursive| Head {
        class,
        rank,
        is_recursive,
    };
    match kind.checked_sub(RELATIONS.len()) {
        None => of(RELATIONS[kind].class, kind + 1, true),
        Some(0) => of(Class::Constant, CONSTANT, false),
        Some(1..=4) => of(Class::State, STATE, false),
        Some(_) => of(Class::Moves, RELATIONS.len(), false),
    }
}

struct Writer<'a> {
    roles: &'a [&'a str],
    head: Head,
    bound: Bound,
    needs_role: bool,
}

impl Writer<'_> {
    fn head_atom(&mut self, kind: usize, choices: &mut Choices) -> String {
        let bound = std::mem::take(&mut self.bound);
        let usage = &mut Use::Head(&bound);
        match kind.checked_sub(RELATIONS.len()) {
            None => atom(RELATIONS[kind].name, RELATIONS[kind].sorts, choices, usage),
            Some(0) => format!("(init {})", term(FLUENT, choices, usage)),
            Some(1 | 2) => format!("(legal {} {})", self.role(choices), mv(choices, usage)),
            Some(3) => format!(
                "(goal {} {})",
                self.role(choices),
                VALUES[choices.below(VALUES.len())]
            ),
            Some(4) => "terminal".into(),
            Some(_) => format!("(next {})", term(FLUENT, choices, usage)),
        }
    }

    /// A role's name, or a variable for all of them.
    fn role(&mut self, choices: &mut Choices) -> String {
        match choices.below(self.roles.len() + 1) {
            0 => {
                self.needs_role = true;
                "?r".into()
            }
            role => self.roles[role - 1].into(),
        }
    }

    /// The conditions in the order of the plan, although those that bind are written first.
    fn body(&mut self, plans: &[Vec<u8>]) -> Vec<String> {
        let mut body: Vec<Option<String>> = plans
            .iter()
            .map(|plan| self.positive(&mut Choices(plan.iter())))
            .collect();
        for (plan, literal) in plans.iter().zip(&mut body) {
            literal.get_or_insert_with(|| self.tested(&mut Choices(plan.iter())));
        }
        body.into_iter().flatten().collect()
    }

    /// A condition that binds its variables; `None` if the plan is for another kind.
    fn positive(&mut self, choices: &mut Choices) -> Option<String> {
        let kind = choices.below(16);
        let mut bound = std::mem::take(&mut self.bound);
        let literal = match kind {
            0..=3 => Some(self.relation_atom(self.head.rank, choices, &mut Use::Binds(&mut bound))),
            4..=7 => Some(self.true_atom(choices, &mut Use::Binds(&mut bound))),
            8 | 9 => Some(self.does_atom(choices, &mut Use::Binds(&mut bound))),
            _ => None,
        };
        self.bound = bound;
        literal
    }

    /// A condition whose variables are bound by others.
    fn tested(&mut self, choices: &mut Choices) -> String {
        let kind = choices.below(16);
        let bound = std::mem::take(&mut self.bound);
        let usage = &mut Use::Bound(&bound);
        let below = self.head.rank - usize::from(self.head.is_recursive);
        let literal = match kind {
            10 | 11 => format!("(not {})", self.relation_atom(below, choices, usage)),
            12 => format!("(not {})", self.true_atom(choices, usage)),
            13 => format!("(not {})", self.does_atom(choices, usage)),
            14 => format!(
                "(distinct {} {})",
                term(0, choices, usage),
                term(1, choices, usage)
            ),
            _ => {
                let one = self.relation_atom(self.head.rank, choices, usage);
                let negated = self.relation_atom(below, choices, usage);
                format!("(or {one} (not {negated}) {})", self.true_atom(choices, usage))
            }
        };
        self.bound = bound;
        literal
    }

    fn relation_atom(&self, rank: usize, choices: &mut Choices, usage: &mut Use) -> String {
        match choices.below(rank.max(1)) {
            relation if relation < rank => atom(
                RELATIONS[relation].name,
                RELATIONS[relation].sorts,
                choices,
                usage,
            ),
            // Nothing is below the lowest relation.
            _ => "nothing".into(),
        }
    }

    fn true_atom(&self, choices: &mut Choices, usage: &mut Use) -> String {
        match self.head.class {
            Class::Constant => self.relation_atom(self.head.rank - 1, choices, usage),
            _ => format!("(true {})", term(FLUENT, choices, usage)),
        }
    }

    fn does_atom(&mut self, choices: &mut Choices, usage: &mut Use) -> String {
        match self.head.class {
            Class::Moves => format!("(does {} {})", self.role(choices), mv(choices, usage)),
            _ => self.true_atom(choices, usage),
        }
    }
}

fn atom(name: &str, sorts: &[Sort], choices: &mut Choices, usage: &mut Use) -> String {
    let args: String = sorts
        .iter()
        .map(|&sort| format!(" {}", term(sort, choices, usage)))
        .collect();
    if args.is_empty() {
        name.into()
    } else {
        format!("({name}{args})")
    }
}

fn mv(choices: &mut Choices, usage: &mut Use) -> String {
    let (name, sorts) = MOVES[choices.below(MOVES.len())];
    atom(name, sorts, choices, usage)
}

fn term(sort: Sort, choices: &mut Choices, usage: &mut Use) -> String {
    match (choices.below(8), sort) {
        (3..=5, _) => variable(choices.below(VARIABLES.len()), sort, usage),
        (_, FLUENT) => {
            let (name, sorts) = FLUENTS[choices.below(FLUENTS.len())];
            atom(name, sorts, choices, usage)
        }
        (6, 1..) => format!("(f {})", term(sort - 1, choices, usage)),
        (7, 1..) => format!(
            "(g {} {})",
            term(sort - 1, choices, usage),
            term(0, choices, usage)
        ),
        _ => CONSTANTS[choices.below(CONSTANTS.len())].into(),
    }
}

fn variable(variable: usize, sort: Sort, usage: &mut Use) -> String {
    let is_allowed = match usage {
        Use::Binds(bound) => {
            bound.bind(variable, sort);
            true
        }
        Use::Bound(bound) => bound.0[variable].is_some(),
        Use::Head(bound) => bound.is_within(variable, sort),
    };
    if is_allowed {
        VARIABLES[variable].into()
    } else {
        CONSTANTS[variable].into()
    }
}
