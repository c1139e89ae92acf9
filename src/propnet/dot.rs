//! The network as a drawing for Graphviz.
//!
//! The graph has only "and" and "not". For the eye, a gate that is only ever used inverted is drawn as an
//! "or" of its inverted inputs, and gates of the same kind that feed only each other are drawn as one.

use super::{Lit, Propnet};
use crate::ground::RoleId;
use std::fmt::Write;

/// DOT text: fluents (bold if they hold at the start) and moves (rounded) as boxes at the left, gates as
/// circles, outputs as double boxes at the right; a dashed line inverts.
pub fn to_dot(net: &Propnet, title: &str) -> String {
    let mut drawing = Drawing {
        net,
        uses: uses(net),
        text: String::new(),
    };
    drawing.line("digraph propnet {");
    drawing.line(&format!(
        "  label={}; labelloc=t; fontname=\"sans-serif\";",
        quoted(title)
    ));
    drawing.line("  rankdir=LR; nodesep=0.12; ranksep=0.9;");
    drawing.line("  node [fontname=\"sans-serif\", fontsize=10, height=0.3, margin=\"0.08,0.02\"];");
    drawing.inputs();
    drawing.gates();
    drawing.outputs();
    drawing.line("}");
    drawing.text
}

/// How often what is drawn uses a node as it is, and how often inverted.
#[derive(Clone, Copy, Default)]
struct Uses {
    plain: usize,
    inverted: usize,
}

impl Uses {
    fn add(&mut self, literal: Lit) {
        match literal.is_inverted() {
            true => self.inverted += 1,
            false => self.plain += 1,
        }
    }

    fn kind(self) -> Kind {
        if self.plain == 0 { Kind::Or } else { Kind::And }
    }
}

/// From the outputs back: how a gate is drawn decides whether it uses its inputs inverted.
fn uses(net: &Propnet) -> Vec<Uses> {
    let mut uses = vec![Uses::default(); net.aig.nodes()];
    net.outputs()
        .for_each(|literal| uses[literal.node()].add(literal));
    for (gate, &sides) in net.aig.gates().iter().enumerate().rev() {
        let kind = uses[1 + net.aig.inputs() + gate].kind();
        for literal in kind.operands(sides) {
            uses[literal.node()].add(literal);
        }
    }
    uses
}

/// How a gate is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    And,
    Or,
}

impl Kind {
    /// What a gate of this kind joins, given what the "and" joins.
    fn operands(self, (a, b): (Lit, Lit)) -> [Lit; 2] {
        match self {
            Kind::And => [a, b],
            Kind::Or => [!a, !b],
        }
    }
}

struct Drawing<'n> {
    net: &'n Propnet,
    /// By node.
    uses: Vec<Uses>,
    text: String,
}

impl Drawing<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn is_used(&self, node: usize) -> bool {
        self.uses[node].plain + self.uses[node].inverted > 0
    }

    /// `None` for inputs.
    fn kind(&self, node: usize) -> Option<Kind> {
        let is_gate = node > self.net.aig.inputs();
        is_gate.then(|| self.uses[node].kind())
    }

    /// Whether the line from a literal's node inverts what is drawn there.
    fn is_dashed(&self, literal: Lit) -> bool {
        literal.is_inverted() != (self.kind(literal.node()) == Some(Kind::Or))
    }

    /// Whether a literal is a gate that is drawn as part of the only gate that uses it, one of this kind.
    fn is_part_of(&self, literal: Lit, kind: Kind) -> bool {
        let uses = self.uses[literal.node()];
        self.kind(literal.node()) == Some(kind) && uses.plain + uses.inverted == 1 && !self.is_dashed(literal)
    }

    /// What goes into a gate as it is drawn, and the gates that were merged into it.
    fn operands(&self, node: usize, kind: Kind) -> (Vec<Lit>, Vec<usize>) {
        let (mut operands, mut merged) = (Vec::new(), Vec::new());
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let sides = self.net.aig.gates()[node - 1 - self.net.aig.inputs()];
            for literal in kind.operands(sides) {
                if self.is_part_of(literal, kind) {
                    open.push(literal.node());
                    merged.push(literal.node());
                } else {
                    operands.push(literal);
                }
            }
        }
        (operands, merged)
    }

    fn inputs(&mut self) {
        let net = self.net;
        for (fluent, name) in net.fluents.iter().enumerate() {
            let style = if net.initial[fluent] { "bold" } else { "solid" };
            self.input(net.fluent(fluent), style, &format!("true {name}"));
        }
        for (mv, named) in net.moves.iter().enumerate() {
            let label = format!("does {} {}", net.roles[named.role.index()], named.name);
            self.input(net.does(mv), "rounded", &label);
        }
        let used = (1..=net.aig.inputs()).filter(|&node| self.is_used(node));
        let names = used.map(|node| format!("n{node}")).collect();
        self.side("min", names);
    }

    /// Puts nodes to the left (`min`) or right (`max`) of all others.
    fn side(&mut self, rank: &str, names: Vec<String>) {
        if !names.is_empty() {
            self.line(&format!("  {{rank={rank}; {}}}", names.join("; ")));
        }
    }

    fn input(&mut self, literal: Lit, style: &str, label: &str) {
        if self.is_used(literal.node()) {
            let label = quoted(label);
            self.line(&format!(
                "  n{} [shape=box, style={style}, label={label}];",
                literal.node()
            ));
        }
    }

    fn gates(&mut self) {
        let mut is_merged = vec![false; self.net.aig.nodes()];
        // From the outputs back, so that a gate is met before those that are drawn as part of it.
        for node in (1 + self.net.aig.inputs()..self.net.aig.nodes()).rev() {
            let Some(kind) = self.kind(node).filter(|_| self.is_used(node) && !is_merged[node]) else {
                continue;
            };
            let symbol = match kind {
                Kind::And => '∧',
                Kind::Or => '∨',
            };
            self.line(&format!(
                "  n{node} [shape=circle, label=\"{symbol}\", width=0.25, fixedsize=true];"
            ));
            let (operands, merged) = self.operands(node, kind);
            merged.into_iter().for_each(|node| is_merged[node] = true);
            for operand in operands {
                self.edge(operand, &format!("n{node}"));
            }
        }
    }

    fn outputs(&mut self) {
        let (mut constants, mut names) = (Vec::new(), Vec::new());
        for (label, literal) in named_outputs(self.net) {
            match literal {
                Lit::TRUE => constants.push(format!("always: {label}")),
                Lit::FALSE => constants.push(format!("never: {label}")),
                _ => {
                    let name = quoted(&label);
                    self.line(&format!("  {name} [shape=box, peripheries=2];"));
                    self.edge(literal, &name);
                    names.push(name);
                }
            }
        }
        if !constants.is_empty() {
            // `\l` ends a line that is aligned to the left; it is no part of the quoted names.
            let lines: String = constants
                .iter()
                .map(|line| format!("{}\\l", escaped(line)))
                .collect();
            self.line(&format!("  constants [shape=plaintext, label=\"{lines}\"];"));
            names.push("constants".to_string());
        }
        self.side("max", names);
    }

    fn edge(&mut self, from: Lit, to: &str) {
        let style = if self.is_dashed(from) {
            " [style=dashed, arrowhead=odot]"
        } else {
            ""
        };
        let _ = writeln!(self.text, "  n{} -> {to}{style};", from.node());
    }
}

fn named_outputs(net: &Propnet) -> Vec<(String, Lit)> {
    let role = |role: RoleId| &net.roles[role.index()];
    let next = net.fluents.iter().map(|name| format!("next {name}"));
    let legal = net
        .moves
        .iter()
        .map(|mv| format!("legal {} {}", role(mv.role), mv.name));
    let goals = net
        .goals
        .iter()
        .map(|goal| format!("goal {} {}", role(goal.role), goal.value));
    let names = next.chain(legal).chain(["terminal".to_string()]).chain(goals);
    names.zip(net.outputs()).collect()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
