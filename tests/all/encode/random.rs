//! Random small games that are won sometimes: a few fluents, moves of up to three roles at once, atoms that
//! depend on each other, and plays that may be over before the horizon.

use crate::support::random::Random;

const FLUENTS: [&str; 4] = ["a", "b", "c", "d"];

struct Writer<'r> {
    random: &'r mut Random,
    /// Roles with the number of their moves.
    roles: Vec<(&'static str, usize)>,
    fluents: usize,
    text: String,
}

/// The text of a game.
pub fn game(random: &mut Random) -> String {
    let mut roles = vec![("x", 1 + random.below(3))];
    if random.below(3) > 0 {
        roles.push(("o", 1 + random.below(3)));
    }
    if random.below(4) > 0 {
        roles.push(("random", 2 + random.below(2)));
    }
    let mut writer = Writer {
        fluents: 2 + random.below(3),
        random,
        roles,
        text: String::new(),
    };
    writer.write();
    writer.text
}

impl Writer<'_> {
    fn write(&mut self) {
        self.line("(<= p q) (<= q p (true b)) (<= p (true a) (not (true b))) (<= q (true a) (true b))");
        for (role, moves) in self.roles.clone() {
            self.line(&format!("(role {role}) (legal {role} m0)"));
            for mv in 1..moves {
                let condition = self.condition();
                self.line(&format!("(<= (legal {role} m{mv}) {condition})"));
            }
        }
        for fluent in FLUENTS.into_iter().take(self.fluents) {
            if self.random.below(2) == 0 {
                self.line(&format!("(init {fluent})"));
            }
            for _ in 0..1 + self.random.below(3) {
                let (cause, condition) = (self.cause(), self.condition());
                self.line(&format!("(<= (next {fluent}) {cause} {condition})"));
            }
        }
        let (end, other, win) = (self.condition(), self.condition(), self.condition());
        self.line(&format!("(<= terminal {end} {other}) (<= (goal x 100) {win})"));
        if self.roles.iter().any(|(role, _)| *role == "o") {
            self.line("(<= (goal o 100) (not (goal x 100)))");
        }
    }

    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn sign(&mut self, atom: &str) -> String {
        match self.random.below(2) {
            0 => atom.to_string(),
            _ => format!("(not {atom})"),
        }
    }

    /// Something about the state.
    fn condition(&mut self) -> String {
        let atom = match self.random.below(self.fluents + 2) {
            0 => "p".to_string(),
            1 => "q".to_string(),
            fluent => format!("(true {})", FLUENTS[fluent - 2]),
        };
        self.sign(&atom)
    }

    /// Something about the moves.
    fn cause(&mut self) -> String {
        let (role, moves) = self.roles[self.random.below(self.roles.len())];
        let atom = format!("(does {role} m{})", self.random.below(moves));
        self.sign(&atom)
    }
}
