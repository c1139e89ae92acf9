//! The network as a drawing for Graphviz.

use super::{Lit, Propnet};
use std::fmt::Write;

/// DOT text: fluents and moves as boxes at the left, gates as small circles, outputs at the right; a
/// dashed line inverts.
pub fn to_dot(net: &Propnet, title: &str) -> String {
    let mut drawing = Drawing {
        net,
        text: String::new(),
    };
    drawing.line("digraph propnet {");
    drawing.line(&format!("  label={};", quoted(title)));
    drawing.line("  rankdir=LR; node [fontname=\"sans-serif\", fontsize=10];");
    drawing.inputs();
    drawing.gates();
    drawing.outputs();
    drawing.line("}");
    drawing.text
}

struct Drawing<'n> {
    net: &'n Propnet,
    text: String,
}

impl Drawing<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn inputs(&mut self) {
        let net = self.net;
        let used = net.aig.cone(net.outputs());
        for (fluent, name) in net
            .fluents
            .iter()
            .enumerate()
            .filter(|&(f, _)| used[net.fluent(f).node()])
        {
            let style = if net.initial[fluent] {
                "shape=box, style=bold"
            } else {
                "shape=box"
            };
            let label = quoted(&format!("true {name}"));
            self.line(&format!(
                "  n{} [{style}, label={label}];",
                net.fluent(fluent).node()
            ));
        }
        for (mv, named) in net
            .moves
            .iter()
            .enumerate()
            .filter(|&(m, _)| used[net.does(m).node()])
        {
            let label = quoted(&format!("does {} {}", net.roles[named.role.index()], named.name));
            self.line(&format!(
                "  n{} [shape=box, style=rounded, label={label}];",
                net.does(mv).node()
            ));
        }
    }

    fn gates(&mut self) {
        for (gate, &(a, b)) in self.net.aig.gates().iter().enumerate() {
            let node = 1 + self.net.aig.inputs() + gate;
            self.line(&format!(
                "  n{node} [shape=circle, label=\"∧\", width=0.25, fixedsize=true];"
            ));
            self.edge(a, &format!("n{node}"));
            self.edge(b, &format!("n{node}"));
        }
    }

    fn outputs(&mut self) {
        let net = self.net;
        for (fluent, &literal) in net.next.iter().enumerate() {
            self.output(&format!("next {}", net.fluents[fluent]), literal);
        }
        for (mv, &literal) in net.legal.iter().enumerate() {
            let named = &net.moves[mv];
            self.output(
                &format!("legal {} {}", net.roles[named.role.index()], named.name),
                literal,
            );
        }
        self.output("terminal", net.terminal);
        for goal in &net.goals {
            self.output(
                &format!("goal {} {}", net.roles[goal.role.index()], goal.value),
                goal.holds,
            );
        }
    }

    fn output(&mut self, label: &str, literal: Lit) {
        let name = quoted(label);
        match literal {
            Lit::FALSE | Lit::TRUE => {
                let value = if literal == Lit::TRUE { "always" } else { "never" };
                let constant = quoted(&format!("{label}: {value}"));
                self.line(&format!("  {name} [shape=plaintext, label={constant}];"));
            }
            _ => {
                self.line(&format!("  {name} [shape=box, peripheries=2];"));
                self.edge(literal, &name);
            }
        }
    }

    fn edge(&mut self, from: Lit, to: &str) {
        let style = if from.is_inverted() {
            " [style=dashed, arrowhead=odot]"
        } else {
            ""
        };
        let _ = writeln!(self.text, "  n{} -> {to}{style};", from.node());
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
