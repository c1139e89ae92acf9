//! `emm encode`: the value of a game as a formula.

use super::Context;
use super::exit::{Exit, Failure};
use super::load::{self, GameArgs, GroundGame, LimitArgs};
use super::output::OutputArgs;
use super::roles::Roles;
use super::units::show_duration;
use clap::{Args, ValueEnum};
use emm::cnf::dimacs::{self, Dialect};
use emm::crosscheck::{Limits, longest_play, walk};
use emm::encode::{self, EncodeError, Formula, Prefix, Question, Sqasp};
use emm::game::Game;
use emm::ground::{GroundProgram, RoleId};
use emm::machine::Machine;
use emm::propnet::Propnet;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// How long the game is walked to find the longest play, and to find a state in which a role cannot move.
const HORIZON_TIME: Duration = Duration::from_secs(20);
const STUCK_TIME: Duration = Duration::from_secs(1);
/// Bytes for that.
const WALK_MEMORY: usize = 2 << 30;

/// Print the value of a game as a quantified program or formula, for other solvers and for `emm ssat`
///
/// The value of what is printed is the greatest probability with which the role can make sure to win within
/// the horizon: the number that `emm solve` prints.
#[derive(Args)]
#[command(after_help = "\
Examples:
  emm encode one-shot --role x                                 a program to read
  emm encode s-tt-3x3-80 --role x --to sdimacs -o game.sdimacs && emm ssat game.sdimacs
  emm encode tt-3x3 --role x --random o --prefix base --to sdimacs
  emm encode tt-3x3 --role x --to qdimacs | depqbf
  emm encode buttons-and-lights --to asp | clingo              a plan of a player alone

Forms:
  sqasp         logic program with variables and a quantifier prefix, which clingo grounds
  sqasp-ground  the same without variables
  sdimacs       clauses with quantifiers exists, for all and chance, as SharpSSAT reads them
  qdimacs       the same without chance: only for games without it
  asp           logic program without quantifiers: only for a player alone

The rules are those of He and Thielscher's paper, by their numbers. Names that clingo cannot read are
written zX..., with X<hexadecimal code>X for other characters; relations of the encoding start with _.
Comment lines `c NUMBER ATOM` of formulas say which variable is which atom.

Prefixes: `base` (Q_b of the paper) has all atoms that are no choices innermost; `dependency` (Q_d) has
each right after the choices it depends on. The value is the same.")]
pub struct EncodeArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Whose value; may be left out if there is only one player
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Let this player move uniformly at random; may be given several times
    #[arg(long = "random", value_name = "ROLE")]
    random: Vec<String>,
    /// How many steps a play may take [default: as many as the longest play, if that can be found out]
    #[arg(long, value_name = "N")]
    horizon: Option<u32>,
    /// Where atoms that are no choices are quantified
    #[arg(long, default_value = "dependency")]
    prefix: PrefixName,
    /// What to print
    #[arg(long, value_name = "FORM", default_value = "sqasp")]
    to: Form,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum PrefixName {
    /// Q_b
    Base,
    /// Q_d
    Dependency,
}

impl From<PrefixName> for Prefix {
    fn from(name: PrefixName) -> Prefix {
        match name {
            PrefixName::Base => Prefix::Base,
            PrefixName::Dependency => Prefix::Dependency,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Sqasp,
    SqaspGround,
    Sdimacs,
    Qdimacs,
    Asp,
}

pub fn run(args: &EncodeArgs, context: &Context) -> Result<Exit, Failure> {
    args.output.check([&args.game.game])?;
    let game = load::ground(&args.game, &args.limits, context)?;
    let program = &game.grounded.program;
    let (role, random) = roles(args, program)?;
    let machine = machine(program)?;
    let question = Question {
        role,
        random,
        horizon: horizon(args, &machine)?,
        prefix: args.prefix.into(),
    };
    let sqasp = encode::encode(program, &question).map_err(failure)?;
    check_form(args.to, &sqasp)?;
    warn_if_stuck(&machine, context);
    write(args, &game, &sqasp, context)
}

fn failure(error: EncodeError) -> Failure {
    let (exit, help) = match &error {
        EncodeError::RandomRole(_) => (Exit::InputError, "ask for another role"),
        EncodeError::Horizon(_) => (Exit::Usage, ""),
        EncodeError::NotAlone(_) => (Exit::InputError, "`--to sqasp` has quantifiers for them"),
        EncodeError::TooLarge => (Exit::LimitReached, "use a smaller horizon"),
    };
    Failure::Message {
        exit,
        message: error.to_string(),
        help: help.to_string(),
    }
}

/// The role that is asked about, and those that move at random.
fn roles(args: &EncodeArgs, program: &GroundProgram) -> Result<(RoleId, Vec<RoleId>), Failure> {
    let roles = Roles::of(program, &args.random)?;
    match roles.asked(args.role.as_slice())?[..] {
        [role] => Ok((RoleId::new(role), roles.chance_ids())),
        _ => Err(Failure::usage(
            "which role is to be asked about?",
            format!("say `--role`; the players are {}", roles.players()),
        )),
    }
}

fn machine(program: &GroundProgram) -> Result<Machine, Failure> {
    let (net, reduction) = Propnet::build(program).map_err(|error| Failure::limit(error.to_string(), ""))?;
    Ok(Machine::new(net, reduction))
}

fn horizon(args: &EncodeArgs, machine: &Machine) -> Result<u32, Failure> {
    let known = args
        .horizon
        .or_else(|| longest_play(machine, &Limits::new(HORIZON_TIME, WALK_MEMORY)));
    known.ok_or_else(|| {
        let message = "it is not known how long a play can take";
        Failure::input(message, "say `--horizon N`")
    })
}

fn check_form(form: Form, sqasp: &Sqasp) -> Result<(), Failure> {
    match form {
        Form::Asp => sqasp.sides().alone(sqasp.program()).map_err(failure),
        Form::Qdimacs if !sqasp.sides().random.is_empty() => Err(Failure::input(
            "QDIMACS has no quantifier for chance, and this game has a role that moves at random",
            "use `--to sdimacs`",
        )),
        _ => Ok(()),
    }
}

/// The encoding gives 0 where a role cannot move, and Definition 1 nothing.
fn warn_if_stuck(machine: &Machine, context: &Context) {
    if context.is_quiet() || machine.proven().always_a_move {
        return;
    }
    let counts = walk(machine, &Limits::new(STUCK_TIME, WALK_MEMORY));
    let mut layers = counts.iter().flat_map(|counts| &counts.layers);
    if let Some(layer) = layers.find(|layer| layer.stuck > 0) {
        context.say(&format!(
            "warning: after {} steps a role may be without a legal move in a state that is not terminal: the \
             encoding counts that as not won, but the game has no value (`emm solve` shows the state)",
            layer.depth
        ));
    }
}

fn write(args: &EncodeArgs, game: &GroundGame, sqasp: &Sqasp, context: &Context) -> Result<Exit, Failure> {
    match args.to {
        Form::Sqasp => args
            .output
            .write(|out| encode::write_with_variables(sqasp, &game.program, out))?,
        Form::Asp => args
            .output
            .write(|out| encode::write_plain(sqasp, &game.program, out))?,
        Form::SqaspGround => args.output.write(|out| encode::write_ground(sqasp, out))?,
        Form::Sdimacs | Form::Qdimacs => {
            let start = Instant::now();
            let formula = encode::complete(sqasp).map_err(failure)?;
            context.note(format_args!(
                "complete: {}; {} variables, {} clauses",
                show_duration(start.elapsed()),
                formula.cnf.variables,
                formula.cnf.clauses.len()
            ));
            let dialect = match args.to {
                Form::Qdimacs => Dialect::Qdimacs,
                _ => Dialect::Sdimacs,
            };
            args.output
                .write(|out| write_formula(sqasp, &formula, dialect, out))?;
        }
    }
    Ok(Exit::Answered)
}

fn write_formula(sqasp: &Sqasp, formula: &Formula, dialect: Dialect, out: &mut dyn Write) -> io::Result<()> {
    dimacs::write(&formula.cnf, dialect, encode::comments(sqasp, formula), out)
}
