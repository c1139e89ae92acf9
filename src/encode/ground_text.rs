//! SQASP as text without variables, and what all texts share.

use super::complete::{Formula, Meaning};
use super::names::{self, Shown};
use super::sides::{Prefix, Sides};
use super::sqasp::{Atom, Head, Literal, Part, Said, Sqasp};
use crate::ground::{AtomMeaning, GroundProgram, MoveId, RoleId, TermId};
use std::collections::HashSet;
use std::io::{self, Write};

/// Writes the program without variables. `out` should be buffered.
pub fn write_ground(sqasp: &Sqasp, out: &mut dyn Write) -> io::Result<()> {
    let wording = Wording::new(sqasp.program(), sqasp.sides(), &HashSet::new());
    write_header(sqasp, &wording, "without variables", out)?;
    for part in Part::ALL.into_iter().filter(|&part| sqasp.rules(part).len() > 0) {
        writeln!(out, "\n% {}", part.title())?;
        for rule in sqasp.rules(part) {
            write_head(sqasp, &wording, rule.head, out)?;
            if !rule.body.is_empty() && rule.head != Head::Nothing {
                out.write_all(b" :-")?;
            }
            write_body(sqasp, &wording, rule.body, out)?;
        }
    }
    if sqasp.sides().is_alone() {
        return Ok(());
    }
    writeln!(out, "\n% {}", prefix_title(sqasp.question().prefix))?;
    let facts = facts(sqasp);
    for atom in (0..sqasp.atoms().len()).map(|atom| Atom(atom as u32)) {
        if is_quantified(sqasp, &facts, atom) {
            write_quantified(sqasp, &wording, atom, out)?;
        }
    }
    Ok(())
}

/// The name of a prefix, and what it leaves unsaid.
pub(super) fn prefix_title(prefix: Prefix) -> &'static str {
    match prefix {
        Prefix::Base => "Q_b\n% Atoms that are not listed are existential and innermost.",
        Prefix::Dependency => "Q_d\n% Facts are not listed: they depend on nothing.",
    }
}

/// Which atoms are facts, indexed by atom.
pub(super) fn facts(sqasp: &Sqasp) -> Vec<bool> {
    let mut facts = vec![false; sqasp.atoms().len()];
    for rule in Part::ALL.into_iter().flat_map(|part| sqasp.rules(part)) {
        if let (Head::Atom(atom), []) = (rule.head, rule.body) {
            facts[atom.index()] = true;
        }
    }
    facts
}

/// Whether the atom is one of the paper's choice atoms.
pub(super) fn is_choice(sqasp: &Sqasp, atom: Atom) -> bool {
    match sqasp.atoms()[atom.index()] {
        Said::Game(game, _) => matches!(sqasp.program().atoms()[game.index()], AtomMeaning::Does(_)),
        Said::DecO(..) | Said::DecR(..) => true,
        Said::Ended(_) | Said::Count(..) | Said::Tol(..) => false,
    }
}

fn is_quantified(sqasp: &Sqasp, facts: &[bool], atom: Atom) -> bool {
    match sqasp.question().prefix {
        Prefix::Base => is_choice(sqasp, atom),
        Prefix::Dependency => !facts[atom.index()],
    }
}

/// The fact that quantifies an atom.
pub(super) fn write_quantified(
    sqasp: &Sqasp,
    wording: &Wording,
    atom: Atom,
    out: &mut dyn Write,
) -> io::Result<()> {
    let level = sqasp.level(atom);
    match sqasp.atoms()[atom.index()] {
        Said::DecO(..) => write!(out, "_forall({level},")?,
        Said::DecR(_, toss, _) => write!(out, "_chance({level},1,{toss},")?,
        _ => write!(out, "_exists({level},")?,
    }
    wording.write(sqasp.atoms()[atom.index()], out)?;
    out.write_all(b").\n")
}

fn write_head(sqasp: &Sqasp, wording: &Wording, head: Head, out: &mut dyn Write) -> io::Result<()> {
    match head {
        Head::Nothing => out.write_all(b":-"),
        Head::Atom(atom) => wording.write(sqasp.atoms()[atom.index()], out),
        Head::Choice(atom) => {
            out.write_all(b"{ ")?;
            wording.write(sqasp.atoms()[atom.index()], out)?;
            out.write_all(b" }")
        }
        Head::ExactlyOne(first, last) => {
            out.write_all(b"1 { ")?;
            for (n, &said) in sqasp.atoms()[first.index()..=last.index()].iter().enumerate() {
                out.write_all(if n == 0 { b"" } else { b"; " })?;
                wording.write(said, out)?;
            }
            out.write_all(b" } 1")
        }
    }
}

fn write_body(sqasp: &Sqasp, wording: &Wording, body: &[Literal], out: &mut dyn Write) -> io::Result<()> {
    for (n, literal) in body.iter().enumerate() {
        out.write_all(if n == 0 { b" " } else { b", " })?;
        if literal.is_negated() {
            out.write_all(b"not ")?;
        }
        wording.write(sqasp.atoms()[literal.atom().index()], out)?;
    }
    out.write_all(b".\n")
}

/// What the text is about.
pub(super) fn write_header(
    sqasp: &Sqasp,
    wording: &Wording,
    form: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (program, sides) = (sqasp.program(), sqasp.sides());
    let role = |role: RoleId| program.terms().display(program.roles()[role.index()]).to_string();
    let list = |roles: &[RoleId]| roles.iter().map(|&r| role(r)).collect::<Vec<_>>().join(", ");
    writeln!(out, "% game: {}", one_line(program.source().name()))?;
    writeln!(out, "% role: {}", one_line(&role(sides.own)))?;
    if !sides.others.is_empty() {
        writeln!(out, "% against: {}", one_line(&list(&sides.others)))?;
    }
    if !sides.random.is_empty() {
        writeln!(out, "% at random: {}", one_line(&list(&sides.random)))?;
    }
    writeln!(out, "% horizon: {}", sqasp.question().horizon)?;
    writeln!(out, "% SQASP {form}, by emm {}", env!("CARGO_PKG_VERSION"))?;
    for &role in sides.others.iter().chain(&sides.random) {
        let moves = sides.moves[role.index()].iter().map(|&mv| wording.mv(mv));
        let moves: Vec<&str> = moves.collect();
        writeln!(
            out,
            "% order of the moves of {}: {}",
            wording.role(role),
            moves.join(" ")
        )?;
    }
    Ok(())
}

/// A name of a game cannot end a comment.
fn one_line(text: &str) -> String {
    text.split(char::is_control).collect::<Vec<_>>().join(" ")
}

/// How atoms are written.
pub(super) struct Wording {
    /// The game's atoms up to their time, indexed by atom.
    atoms: Vec<String>,
    moves: Vec<String>,
    roles: Vec<String>,
    /// What stands before the other arguments of `dec_o`, and of `count`, `tol` and `dec_r`: the role, if
    /// there are several of its kind. Indexed by role.
    owners: Vec<String>,
    /// The role of each move.
    movers: Vec<RoleId>,
}

impl Wording {
    /// `renamed` are the relations, with their number of arguments before the time, that would be mistaken
    /// for others.
    pub(super) fn new(program: &GroundProgram, sides: &Sides, renamed: &HashSet<(String, usize)>) -> Wording {
        let term = |id: TermId| Shown(&program.terms().term(id)).to_string();
        let roles: Vec<String> = program.roles().iter().map(|&role| term(role)).collect();
        let moves: Vec<String> = program.moves().iter().map(|mv| term(mv.term)).collect();
        let mv = |id: MoveId| {
            (
                &roles[program.moves()[id.index()].role.index()],
                &moves[id.index()],
            )
        };
        let fluent = |index: usize| term(program.fluents()[index]);
        let atom = |meaning: &AtomMeaning| match meaning {
            AtomMeaning::True(id) | AtomMeaning::Next(id) => format!("true({},", fluent(id.index())),
            AtomMeaning::Does(id) => format!("does({},{},", mv(*id).0, mv(*id).1),
            AtomMeaning::Legal(id) => format!("legal({},{},", mv(*id).0, mv(*id).1),
            AtomMeaning::Goal(role, value) => format!("goal({},{value},", roles[role.index()]),
            AtomMeaning::Terminal => "terminal(".to_string(),
            AtomMeaning::Defined(name, args) => {
                let is_renamed = renamed.contains(&(name.clone(), args.len()));
                let args: String = args.iter().map(|&arg| term(arg) + ",").collect();
                format!("{}({args}", timed_name(name, is_renamed))
            }
        };
        let atoms = program.atoms().iter().map(atom).collect();
        let owner = |(index, name): (usize, &String)| {
            let kind = [&sides.others, &sides.random];
            let is_one_of_several =
                |kind: &&Vec<RoleId>| kind.len() > 1 && kind.iter().any(|role| role.index() == index);
            match kind.into_iter().find(is_one_of_several) {
                Some(_) => format!("{name},"),
                None => String::new(),
            }
        };
        Wording {
            atoms,
            owners: roles.iter().enumerate().map(owner).collect(),
            movers: program.moves().iter().map(|mv| mv.role).collect(),
            moves,
            roles,
        }
    }

    pub(super) fn role(&self, role: RoleId) -> &str {
        &self.roles[role.index()]
    }

    pub(super) fn mv(&self, mv: MoveId) -> &str {
        &self.moves[mv.index()]
    }

    /// The role as a first argument, if it is needed to tell several apart.
    pub(super) fn owner(&self, role: RoleId) -> &str {
        &self.owners[role.index()]
    }

    pub(super) fn write(&self, said: Said, out: &mut dyn Write) -> io::Result<()> {
        match said {
            Said::Game(atom, time) => write!(out, "{}{time})", self.atoms[atom.index()]),
            Said::Ended(time) => write!(out, "_ended({time})"),
            Said::DecO(role, bit, time) => write!(out, "_dec_o({}{bit},{time})", self.owner(role)),
            Said::Count(mv, number, time) => {
                let owner = self.owner(self.movers[mv.index()]);
                write!(out, "_count({owner}{},{number},{time})", self.mv(mv))
            }
            Said::Tol(role, number, time) => write!(out, "_tol({}{number},{time})", self.owner(role)),
            Said::DecR(role, toss, time) => write!(out, "_dec_r({}{toss},{time})", self.owner(role)),
        }
    }
}

/// The name of a relation with a time. One that would be mistaken for another relation without gets a mark.
pub(super) fn timed_name(name: &str, is_renamed: bool) -> String {
    let name = names::name(name);
    if is_renamed {
        format!("{name}Xt")
    } else {
        name.into_owned()
    }
}

/// What a formula is about and which variable is which atom, line by line: `NUMBER ATOM`, with variables
/// numbered as in DIMACS, and a negative number for an atom that is the negation of a variable.
pub fn comments<'a>(sqasp: &'a Sqasp, formula: &'a Formula) -> impl Iterator<Item = String> + 'a {
    let wording = Wording::new(sqasp.program(), sqasp.sides(), &HashSet::new());
    let mut header = Vec::new();
    // Writing to memory cannot fail.
    let _ = write_header(sqasp, &wording, "as a formula", &mut header);
    let header = String::from_utf8_lossy(&header).into_owned();
    let header: Vec<String> = header
        .lines()
        .map(|line| line.trim_start_matches("% ").to_string())
        .collect();
    let atoms = sqasp.atoms().iter().zip(&formula.meanings);
    let variables = atoms.filter_map(move |(&said, meaning)| match meaning {
        Meaning::Is(literal) => {
            let mut line = Vec::new();
            let sign = if literal.is_negated() { "-" } else { "" };
            let _ = write!(line, "{sign}{} ", literal.var().index() + 1);
            let _ = wording.write(said, &mut line);
            Some(String::from_utf8_lossy(&line).into_owned())
        }
        Meaning::Fixed(_) | Meaning::Irrelevant => None,
    });
    header.into_iter().chain(variables)
}
