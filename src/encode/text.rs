//! SQASP as text with variables: what people read and clingo grounds.

use super::ground_text::{
    Wording, facts, is_choice, prefix_title, timed_name, write_header, write_quantified,
};
use super::names::{self, Shown};
use super::relations::{arity, renamed, spellings_of_100, timed};
use super::sides::Prefix;
use super::sqasp::{Atom as SqaspAtom, Part, Sqasp};
use crate::ground::RoleId;
use crate::program::{Atom, Literal, Predicate, Program, Rule};
use crate::term::Term;
use std::collections::{BTreeSet, HashSet};
use std::io::{self, Write};

/// Writes the program with variables; `program` is what the SQASP's ground program comes from.
/// `out` should be buffered.
pub fn write_with_variables(sqasp: &Sqasp, program: &Program, out: &mut dyn Write) -> io::Result<()> {
    let text = Text::new(sqasp, program);
    write_header(sqasp, &text.wording, "with variables", out)?;
    text.game(out)?;
    text.cooperative(out)?;
    for &role in &sqasp.sides().others {
        text.opponent(role, out)?;
    }
    for &role in &sqasp.sides().random {
        text.count_legal(role, out)?;
    }
    for &role in &sqasp.sides().random {
        text.random(role, out)?;
    }
    if !sqasp.sides().is_alone() {
        text.prefix(out)?;
    }
    Ok(())
}

/// Writes a plain answer set program, without quantifiers: if the role is alone ([`Sides::alone`]), its
/// answer sets are the winning plans.
///
/// [`Sides::alone`]: super::Sides::alone
pub fn write_plain(sqasp: &Sqasp, program: &Program, out: &mut dyn Write) -> io::Result<()> {
    let text = Text::new(sqasp, program);
    write_header(
        sqasp,
        &text.wording,
        "of a player alone: a plain answer set program",
        out,
    )?;
    text.game(out)?;
    text.cooperative(out)?;
    writeln!(out, "\n#show does/3.")
}

struct Text<'a, 'g> {
    sqasp: &'a Sqasp<'g>,
    program: &'a Program,
    timed: HashSet<Predicate>,
    renamed: HashSet<(String, usize)>,
    wording: Wording,
}

impl<'a, 'g> Text<'a, 'g> {
    fn new(sqasp: &'a Sqasp<'g>, program: &'a Program) -> Text<'a, 'g> {
        let timed = timed(program);
        let renamed = renamed(program, &timed);
        Text {
            wording: Wording::new(sqasp.program(), sqasp.sides(), &renamed),
            sqasp,
            program,
            timed,
            renamed,
        }
    }

    /// P_Ext.
    fn game(&self, out: &mut dyn Write) -> io::Result<()> {
        let horizon = self.sqasp.question().horizon;
        writeln!(out, "\n% {}", Part::Ext.title())?;
        writeln!(out, "_time(0..{horizon}).")?;
        writeln!(out, "_step(0..{}).", i64::from(horizon) - 1)?;
        writeln!(out, "#defined _move/2.")?;
        for predicate in self.in_bodies() {
            writeln!(out, "#defined {predicate}.")?;
        }
        for role in (0..self.sqasp.program().roles().len()).map(RoleId::new) {
            for &mv in &self.sqasp.sides().moves[role.index()] {
                writeln!(out, "_move({},{}).", self.wording.role(role), self.wording.mv(mv))?;
            }
        }
        for rule in self.program.rules() {
            self.rule(rule, out)?;
        }
        for spelling in spellings_of_100(self.program) {
            let role = self.wording.role(self.sqasp.sides().own);
            writeln!(
                out,
                "goal({role},100,_T) :- goal({role},{},_T).",
                names::constant(&spelling)
            )?;
        }
        Ok(())
    }

    /// The relations that clingo must not miss, with their arities.
    fn in_bodies(&self) -> BTreeSet<String> {
        let literals = self.program.rules().iter().flat_map(|rule| &rule.body);
        let used = literals.filter_map(|literal| match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(&atom.predicate),
            Literal::Distinct(..) => None,
        });
        let own = [
            Predicate::True,
            Predicate::Does,
            Predicate::Legal,
            Predicate::Goal,
            Predicate::Terminal,
        ];
        used.chain(&own)
            .map(|predicate| {
                let arity = arity(predicate) + usize::from(self.timed.contains(predicate));
                format!("{}/{arity}", self.name(predicate))
            })
            .collect()
    }

    fn name(&self, predicate: &Predicate) -> String {
        let is_renamed = self
            .renamed
            .contains(&(predicate.name().to_string(), arity(predicate)));
        timed_name(predicate.name(), is_renamed)
    }

    /// A rule of the game, for all times.
    fn rule(&self, rule: &Rule, out: &mut dyn Write) -> io::Result<()> {
        let (head, condition) = match rule.head.predicate {
            // init(f) is true(f,0).
            Predicate::Init => (atom_text("true", &rule.head.args, Some("0")), None),
            // next(f) is true(f,t+1).
            Predicate::Next => (
                atom_text("true", &rule.head.args, Some("_T+1")),
                Some("_step(_T)"),
            ),
            _ => {
                let is_timed = self.timed.contains(&rule.head.predicate);
                (self.atom(&rule.head), is_timed.then_some("_time(_T)"))
            }
        };
        let mut body: Vec<String> = rule.body.iter().map(|literal| self.literal(literal)).collect();
        body.extend(condition.map(str::to_string));
        match body.is_empty() {
            true => writeln!(out, "{head}."),
            false => writeln!(out, "{head} :- {}.", body.join(", ")),
        }
    }

    fn literal(&self, literal: &Literal) -> String {
        match literal {
            Literal::Positive(atom) => self.atom(atom),
            Literal::Negative(atom) => format!("not {}", self.atom(atom)),
            Literal::Distinct(a, b) => format!("{} != {}", Shown(a), Shown(b)),
        }
    }

    fn atom(&self, atom: &Atom) -> String {
        let time = self.timed.contains(&atom.predicate).then_some("_T");
        atom_text(&self.name(&atom.predicate), &atom.args, time)
    }

    /// P_c.
    fn cooperative(&self, out: &mut dyn Write) -> io::Result<()> {
        let horizon = self.sqasp.question().horizon;
        writeln!(out, "\n% {}", Part::Cooperative.title())?;
        for role in (0..self.sqasp.program().roles().len()).map(|role| self.wording.role(RoleId::new(role))) {
            // (1)
            writeln!(
                out,
                "1 {{ does({role},A,_T) : _move({role},A) }} 1 :- not _ended(_T), _step(_T)."
            )?;
            // (2)
            writeln!(out, ":- not legal({role},A,_T), does({role},A,_T).")?;
        }
        // (3)
        writeln!(out, "_ended(_T) :- terminal(_T).")?;
        // (4)
        writeln!(out, "_ended(_T+1) :- _ended(_T), _step(_T).")?;
        // (5)
        writeln!(out, ":- not _ended({horizon}).")?;
        // (6); at time 0 there is no ended(-1).
        let own = self.wording.role(self.sqasp.sides().own);
        writeln!(out, ":- not goal({own},100,0), _ended(0).")?;
        writeln!(
            out,
            ":- not goal({own},100,_T+1), _ended(_T+1), not _ended(_T), _step(_T)."
        )
    }

    /// P_o.
    fn opponent(&self, role: RoleId, out: &mut dyn Write) -> io::Result<()> {
        let (name, owner, sides) = (
            self.wording.role(role),
            self.wording.owner(role),
            self.sqasp.sides(),
        );
        let bits = sides.bits(role);
        writeln!(out, "\n% {} for {name}", Part::Opponent.title())?;
        if bits > 0 {
            writeln!(out, "_ldom({owner}1..{bits}).")?;
            // (7)
            writeln!(out, "{{ _dec_o({owner}L,_T) }} :- _ldom({owner}L), _step(_T).")?;
        }
        // (8)
        for (order, &mv) in sides.moves[role.index()].iter().enumerate() {
            let mv = self.wording.mv(mv);
            write!(
                out,
                ":- not does({name},{mv},_T), legal({name},{mv},_T), not _ended(_T), _step(_T)"
            )?;
            for bit in 0..bits {
                let sign = if order >> bit & 1 == 1 { "" } else { "not " };
                write!(out, ", {sign}_dec_o({owner}{},_T)", bit + 1)?;
            }
            writeln!(out, ".")?;
        }
        Ok(())
    }

    /// P_legal.
    fn count_legal(&self, role: RoleId, out: &mut dyn Write) -> io::Result<()> {
        let (name, owner) = (self.wording.role(role), self.wording.owner(role));
        let moves = &self.sqasp.sides().moves[role.index()];
        writeln!(out, "\n% {} for {name}", Part::Legal.title())?;
        let (Some(&first), Some(&last)) = (moves.first(), moves.last()) else {
            return Ok(());
        };
        let (first, last) = (self.wording.mv(first), self.wording.mv(last));
        let arity = 2 + usize::from(!owner.is_empty());
        writeln!(out, "#defined _succ/{arity}.")?;
        // (9)
        for pair in moves.windows(2) {
            let (one, next) = (self.wording.mv(pair[0]), self.wording.mv(pair[1]));
            writeln!(out, "_succ({owner}{one},{next}).")?;
        }
        writeln!(out, "_cdom({owner}1..{}).", moves.len())?;
        // (10)
        writeln!(
            out,
            "_count({owner}{first},0,_T) :- not legal({name},{first},_T), _step(_T)."
        )?;
        // (11)
        writeln!(
            out,
            "_count({owner}{first},1,_T) :- legal({name},{first},_T), _step(_T)."
        )?;
        // (12)
        writeln!(
            out,
            "_count({owner}B,N,_T) :- _succ({owner}A,B), not legal({name},B,_T), _count({owner}A,N,_T)."
        )?;
        // (13)
        writeln!(
            out,
            "_count({owner}B,N,_T) :- _count({owner}A,N-1,_T), _succ({owner}A,B), legal({name},B,_T), _cdom({owner}N)."
        )?;
        // (14)
        writeln!(out, "_tol({owner}N,_T) :- _count({owner}{last},N,_T).")
    }

    /// P_r.
    fn random(&self, role: RoleId, out: &mut dyn Write) -> io::Result<()> {
        let (name, owner) = (self.wording.role(role), self.wording.owner(role));
        let moves = self.sqasp.sides().moves[role.index()].len();
        writeln!(out, "\n% {} for {name}", Part::Random.title())?;
        if moves == 0 {
            return Ok(());
        }
        // (15)
        writeln!(out, "{{ _dec_r({owner}1..{moves},_T) }} :- _step(_T).")?;
        // (16)
        for total in 2..=moves {
            for chosen in 1..=total {
                write!(
                    out,
                    ":- not does({name},A,_T), legal({name},A,_T), _count({owner}A,{chosen},_T), not _ended(_T), \
                     _tol({owner}{total},_T)"
                )?;
                for failed in (chosen + 1..=total).rev() {
                    write!(out, ", not _dec_r({owner}{failed},_T)")?;
                }
                writeln!(out, ", _dec_r({owner}{chosen},_T).")?;
            }
        }
        Ok(())
    }

    /// Q_b or Q_d.
    fn prefix(&self, out: &mut dyn Write) -> io::Result<()> {
        let sides = self.sqasp.sides();
        writeln!(out, "\n% {}", prefix_title(self.sqasp.question().prefix))?;
        // Definition 3, rules 1 to 5.
        let does = |role: RoleId, after: u32| {
            let role = self.wording.role(role);
            format!("_exists(4*_T+{after},does({role},A,_T)) :- _move({role},A), _step(_T).")
        };
        writeln!(out, "{}", does(sides.own, 1))?;
        for &role in &sides.others {
            let owner = self.wording.owner(role);
            if sides.bits(role) > 0 {
                writeln!(
                    out,
                    "_forall(4*_T+2,_dec_o({owner}L,_T)) :- _ldom({owner}L), _step(_T)."
                )?;
            }
            writeln!(out, "{}", does(role, 3))?;
        }
        for &role in &sides.random {
            let owner = self.wording.owner(role);
            if !sides.moves[role.index()].is_empty() {
                writeln!(
                    out,
                    "_chance(4*_T+4,1,N,_dec_r({owner}N,_T)) :- _cdom({owner}N), _step(_T)."
                )?;
            }
            writeln!(out, "{}", does(role, 5))?;
        }
        match self.sqasp.question().prefix {
            Prefix::Base => Ok(()),
            Prefix::Dependency => self.dependent_atoms(out),
        }
    }

    /// Definition 4, for all atoms that are no choices.
    fn dependent_atoms(&self, out: &mut dyn Write) -> io::Result<()> {
        let facts = facts(self.sqasp);
        let atoms = (0..self.sqasp.atoms().len()).map(|atom| SqaspAtom(atom as u32));
        atoms
            .filter(|&atom| !facts[atom.index()] && !is_choice(self.sqasp, atom))
            .try_for_each(|atom| write_quantified(self.sqasp, &self.wording, atom, out))
    }
}

fn atom_text(name: &str, args: &[Term], time: Option<&str>) -> String {
    let args = args.iter().map(|arg| Shown(arg).to_string());
    let args: Vec<String> = args.chain(time.map(str::to_string)).collect();
    match args.is_empty() {
        true => name.to_string(),
        false => format!("{name}({})", args.join(",")),
    }
}
