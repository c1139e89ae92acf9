//! P_Ext: the game's rules, once for every time, together with what rules (1) to (16) add at that time.
//!
//! Time by time, every atom is judged from what is known at the times before: it may be certain, impossible
//! or open. Impossible atoms are left out with the rules that need them, certain ones are facts. A move
//! that cannot be legal at a time is impossible by rule (2), so that what only it leads to is left out too.

use super::sides::{EncodeError, Prefix, Question, Sides};
use super::sqasp::{Atom, Head, Literal, Part, Said, Sqasp};
use crate::ground::{AtomId, AtomMeaning, Component, GroundProgram, MoveId, RoleId, RuleRef};

/// What is known of an atom at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// It cannot hold.
    Never,
    /// It holds.
    Always,
    /// It depends on choices.
    Open(Atom),
}

/// The encoding of a question about a game.
pub fn encode<'g>(program: &'g GroundProgram, question: &Question) -> Result<Sqasp<'g>, EncodeError> {
    let sides = Sides::new(program, question)?;
    let mut extension = Extension {
        depends: Depends::new(program),
        meaning: Meanings::new(program, question.role),
        now: vec![Known::Never; program.atoms().len()],
        next: vec![Known::Never; program.fluents().len()],
        ended: Known::Never,
        was_ended: Known::Never,
        time: 0,
        sqasp: Sqasp {
            program,
            question: question.clone(),
            sides,
            said: Vec::new(),
            levels: Vec::new(),
            recursive: Vec::new(),
            parts: Default::default(),
        },
    };
    extension.start();
    for time in 0..=question.horizon {
        extension.step(time)?;
    }
    Ok(extension.sqasp)
}

/// Which atoms depend on `does`, indexed by atom.
struct Depends(Vec<bool>);

impl Depends {
    fn new(program: &GroundProgram) -> Depends {
        let mut on_does = vec![false; program.atoms().len()];
        for mv in 0..program.moves().len() {
            on_does[program.does_atom(MoveId::new(mv)).index()] = true;
        }
        for component in program.components() {
            let mut bodies = component.rules.clone().map(|rule| program.rule(rule));
            let depends = bodies.any(|rule| {
                let mut body = rule.positive.iter().chain(rule.negative);
                body.any(|atom| on_does[atom.index()])
            });
            for atom in component.atoms.clone() {
                on_does[atom as usize] = depends;
            }
        }
        Depends(on_does)
    }
}

/// The atoms with a meaning for the encoding.
struct Meanings {
    /// `legal` of each move, indexed by move.
    legal: Vec<Option<AtomId>>,
    terminal: Option<AtomId>,
    /// `goal(x, 100)`, in every way it is written.
    wins: Vec<AtomId>,
}

impl Meanings {
    fn new(program: &GroundProgram, role: RoleId) -> Meanings {
        let mut meanings = Meanings {
            legal: vec![None; program.moves().len()],
            terminal: None,
            wins: Vec::new(),
        };
        for (index, meaning) in program.atoms().iter().enumerate() {
            let atom = AtomId::new(index);
            match meaning {
                AtomMeaning::Legal(mv) => meanings.legal[mv.index()] = Some(atom),
                AtomMeaning::Terminal => meanings.terminal = Some(atom),
                AtomMeaning::Goal(who, 100) if *who == role => meanings.wins.push(atom),
                _ => {}
            }
        }
        meanings
    }
}

/// Stands for an atom that is possible and has no number yet.
const SOMETHING: Atom = Atom(u32::MAX >> 1);

/// The program so far, and what is known at the time that is being added.
pub(super) struct Extension<'g> {
    depends: Depends,
    meaning: Meanings,
    /// What is known of the game's atoms at this time, indexed by atom.
    now: Vec<Known>,
    /// What is known of the fluents at the next time, indexed by fluent.
    next: Vec<Known>,
    /// `ended` at this time and at the one before.
    pub(super) ended: Known,
    pub(super) was_ended: Known,
    pub(super) time: u32,
    pub(super) sqasp: Sqasp<'g>,
}

impl Extension<'_> {
    /// `init(f)` is `true(f, 0)`.
    fn start(&mut self) {
        for fluent in self.sqasp.program.initial() {
            let said = Said::Game(self.sqasp.program.true_atom(*fluent), 0);
            self.fact(Part::Ext, said);
            self.next[fluent.index()] = Known::Always;
        }
    }

    fn step(&mut self, time: u32) -> Result<(), EncodeError> {
        self.time = time;
        let fluents = self.next.len();
        self.now[..fluents].copy_from_slice(&self.next);
        self.now[fluents..].fill(Known::Never);
        self.next.fill(Known::Never);
        // `legal`, `goal` and `terminal` do not depend on `does`, and moves depend on them.
        self.components(|depends| !depends);
        self.cooperative_state();
        if time < self.sqasp.question.horizon {
            self.cooperative_moves();
            self.opponents();
            self.random_roles();
            self.components(|depends| depends);
        }
        if self.sqasp.is_too_large() {
            return Err(EncodeError::TooLarge);
        }
        Ok(())
    }

    /// Adds the rules of the components that depend on `does`, or of those that do not.
    fn components(&mut self, is_wanted: impl Fn(bool) -> bool) {
        let program = self.sqasp.program;
        for component in program.components() {
            if is_wanted(self.depends.0[component.atoms.start as usize]) {
                self.component(program, component);
            }
        }
    }

    fn component(&mut self, program: &GroundProgram, component: &Component) {
        let is_last = self.time == self.sqasp.question.horizon;
        let first = AtomId::new(component.atoms.start as usize);
        if is_last && matches!(program.atoms()[first.index()], AtomMeaning::Next(_)) {
            return;
        }
        if component.recursive {
            self.recursion(program, component);
        } else {
            let mut rule = component.rules.start;
            for atom in component.atoms.clone() {
                let rules = rule..next_head(program, rule, component.rules.end, atom);
                rule = rules.end;
                self.definition(program, AtomId::new(atom as usize), rules);
            }
        }
    }

    /// The rules of an atom that does not depend on itself.
    fn definition(&mut self, program: &GroundProgram, atom: AtomId, rules: std::ops::Range<usize>) {
        let said = self.said(program, atom);
        let mut bodies: Vec<Vec<Literal>> = Vec::new();
        for rule in rules.map(|rule| program.rule(rule)) {
            match self.body(rule) {
                None => {}
                Some(body) if body.is_empty() => {
                    // What holds in all states whatever the play is no atom of a state.
                    let is_static = rule.positive.is_empty() && rule.negative.is_empty();
                    let is_own = matches!(program.atoms()[atom.index()], AtomMeaning::Defined(..));
                    if !(is_static && is_own) {
                        self.fact(Part::Ext, said);
                    }
                    return self.learn(program, atom, Known::Always);
                }
                Some(body) => bodies.push(body),
            }
        }
        let known = self.derived(Part::Ext, said, &bodies);
        self.learn(program, atom, known);
    }

    /// An atom with these rules, none of which is a fact.
    pub(super) fn derived(&mut self, part: Part, said: Said, bodies: &[Vec<Literal>]) -> Known {
        if bodies.is_empty() {
            return Known::Never;
        }
        let level = self.level_after(bodies.iter().flatten());
        let atom = self.sqasp.atom(said, level);
        for body in bodies {
            self.sqasp.rule(part, Head::Atom(atom), body);
        }
        Known::Open(atom)
    }

    /// The block of an atom that depends on these: Definition 3, rule 6, or Definition 4.
    fn level_after<'a>(&self, body: impl Iterator<Item = &'a Literal>) -> u32 {
        match self.sqasp.question.prefix {
            Prefix::Base => self.sqasp.innermost(),
            Prefix::Dependency => {
                let levels = body.map(|literal| self.sqasp.level(literal.atom()));
                // E_0 without dependencies. U_i is followed by E_2i+1, and R_i by E_2i+2.
                levels.max().unwrap_or(1) | 1
            }
        }
    }

    /// What remains of a body; nothing if it cannot hold.
    fn body(&self, rule: RuleRef) -> Option<Vec<Literal>> {
        let mut body = Vec::with_capacity(rule.positive.len() + rule.negative.len());
        for atom in rule.positive {
            require(self.now[atom.index()], &mut body)?;
        }
        for atom in rule.negative {
            forbid(self.now[atom.index()], &mut body)?;
        }
        Some(body)
    }

    /// A component whose atoms depend on each other: the least fixed point decides what is possible and
    /// what is certain.
    fn recursion(&mut self, program: &GroundProgram, component: &Component) {
        let first = self.sqasp.said.len() as u32;
        self.fixed_point(program, component, |extension, rule| {
            extension.body(rule).is_some().then_some(Known::Open(SOMETHING))
        });
        self.fixed_point(program, component, |extension, rule| {
            extension
                .body(rule)
                .is_some_and(|body| body.is_empty())
                .then_some(Known::Always)
        });
        for atom in component.atoms.clone().map(|atom| AtomId::new(atom as usize)) {
            match self.now[atom.index()] {
                Known::Never => {}
                Known::Always => {
                    let said = self.said(program, atom);
                    self.fact(Part::Ext, said);
                    self.learn(program, atom, Known::Always);
                }
                Known::Open(_) => {
                    let said = self.said(program, atom);
                    let atom_now = Known::Open(self.sqasp.atom(said, 1));
                    self.learn(program, atom, atom_now);
                }
            }
        }
        self.recursive_rules(program, component);
        let last = self.sqasp.said.len() as u32;
        self.sqasp.recursive.push(first..last);
    }

    /// Raises atoms of a component, by the rule that does, until nothing changes.
    fn fixed_point(
        &mut self,
        program: &GroundProgram,
        component: &Component,
        raised: impl Fn(&Self, RuleRef) -> Option<Known>,
    ) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for rule in component.rules.clone().map(|rule| program.rule(rule)) {
                if let Some(known) = raised(self, rule)
                    && self.now[rule.head.index()] != Known::Always
                    && self.now[rule.head.index()] != known
                {
                    self.now[rule.head.index()] = known;
                    changed = true;
                }
            }
        }
    }

    fn recursive_rules(&mut self, program: &GroundProgram, component: &Component) {
        let mut rules = Vec::new();
        for rule in component.rules.clone().map(|rule| program.rule(rule)) {
            if let (Known::Open(head), Some(body)) = (self.now[rule.head.index()], self.body(rule)) {
                rules.push((head, body));
            }
        }
        // All atoms of the component are quantified together: each depends on all the others.
        let level = self.level_after(rules.iter().flat_map(|(_, body)| body));
        for (head, body) in rules {
            self.sqasp.levels[head.index()] = level;
            self.sqasp.rule(Part::Ext, Head::Atom(head), &body);
        }
    }

    pub(super) fn fact(&mut self, part: Part, said: Said) {
        let level = self.level_after([].iter());
        let atom = self.sqasp.atom(said, level);
        self.sqasp.rule(part, Head::Atom(atom), &[]);
    }

    /// `next(f)` at this time is `true(f)` at the next.
    fn said(&self, program: &GroundProgram, atom: AtomId) -> Said {
        match program.atoms()[atom.index()] {
            AtomMeaning::Next(fluent) => Said::Game(program.true_atom(fluent), self.time + 1),
            _ => Said::Game(atom, self.time),
        }
    }

    fn learn(&mut self, program: &GroundProgram, atom: AtomId, known: Known) {
        self.now[atom.index()] = known;
        if let AtomMeaning::Next(fluent) = program.atoms()[atom.index()] {
            self.next[fluent.index()] = known;
        }
    }

    /// `legal` of a move at this time.
    pub(super) fn legal(&self, mv: MoveId) -> Known {
        self.meaning.legal[mv.index()].map_or(Known::Never, |atom| self.now[atom.index()])
    }

    /// `does` of a move at this time.
    pub(super) fn does(&self, mv: MoveId) -> Known {
        self.now[self.sqasp.program.does_atom(mv).index()]
    }

    pub(super) fn set_does(&mut self, mv: MoveId, atom: Atom) {
        let does = self.sqasp.program.does_atom(mv);
        self.now[does.index()] = Known::Open(atom);
    }

    /// `terminal` at this time.
    pub(super) fn terminal(&self) -> Known {
        self.meaning
            .terminal
            .map_or(Known::Never, |atom| self.now[atom.index()])
    }

    /// `goal(x, 100)` at this time, in every way it is written.
    pub(super) fn wins(&self) -> Vec<Known> {
        self.meaning
            .wins
            .iter()
            .map(|atom| self.now[atom.index()])
            .collect()
    }
}

/// Adds the condition that something holds; nothing if it cannot.
pub(super) fn require(known: Known, body: &mut Vec<Literal>) -> Option<()> {
    match known {
        Known::Never => return None,
        Known::Always => {}
        Known::Open(atom) => body.push(Literal::positive(atom)),
    }
    Some(())
}

/// Adds the condition that something does not hold; nothing if it must.
pub(super) fn forbid(known: Known, body: &mut Vec<Literal>) -> Option<()> {
    match known {
        Known::Never => {}
        Known::Always => return None,
        Known::Open(atom) => body.push(Literal::negative(atom)),
    }
    Some(())
}

/// The first rule, from `rule` on, whose head comes after `atom`.
fn next_head(program: &GroundProgram, mut rule: usize, end: usize, atom: u32) -> usize {
    while rule < end && program.rule(rule).head.index() <= atom as usize {
        rule += 1;
    }
    rule
}
