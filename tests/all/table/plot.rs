//! Plots.

use super::scratch;
use crate::run::emm;

fn plot(csv: &[&str], over: &str) -> String {
    let (_folder, path) = scratch("rows.csv");
    let path = path.to_str().expect("a path");
    let solved = emm(&[csv, &["--output", path]].concat());
    assert_eq!(solved.code, 0, "{}", solved.err);
    let run = emm(&["plot", path, "--over", over]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    run.out
}

#[test]
fn a_plot_has_axes_units_and_a_legend() {
    let horizon = [
        "solve",
        "s-nim-5",
        "--horizon",
        "12",
        "--all-horizons",
        "--format",
        "csv",
    ];
    let svg = plot(&horizon, "horizon");
    for text in ["horizon (steps)", "value (%)", "s-nim-5, x", "s-nim-5, o"] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    assert!(svg.starts_with("<svg "), "{svg}");
    let lines = |colour: &str| {
        let drawn = svg
            .split("<polyline")
            .filter(|part| part.contains(&format!("stroke=\"{colour}\"")));
        drawn.count()
    };
    assert_eq!(
        (lines("#0072B2"), lines("#D55E00")),
        (2, 2),
        "each in the plot and in the legend"
    );
    let svg = plot(&["table", "smoke"], "states");
    for text in ["CPU time (s)", "states", "layered", "search"] {
        assert!(svg.contains(text), "{text}: {svg}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let (_folder, path) = scratch("rows.csv");
    std::fs::write(&path, "x,y\n1,2\n").expect("a file");
    let path = path.to_str().expect("a path");
    let no_table = emm(&["plot", path, "--over", "p"]);
    assert_eq!(no_table.code, 1);
    assert!(
        no_table.err.contains("is not a table: line 1 is not `game,role,"),
        "{}",
        no_table.err
    );
    assert_eq!(
        emm(&["solve", "one-shot", "--format", "csv", "--output", path]).code,
        0
    );
    let nothing = emm(&["plot", path, "--over", "p"]);
    assert_eq!(nothing.code, 1);
    assert!(
        nothing.err.contains("none of the 2 rows can be drawn over p"),
        "{}",
        nothing.err
    );
    assert_eq!(emm(&["plot", "no-such.csv", "--over", "p"]).code, 1);
    let rows = std::fs::read_to_string(path).expect("a table");
    let mut cells: Vec<&str> = rows.lines().nth(1).expect("a row").split(',').collect();
    for seconds in ["inf", "nan", "1e300", "1e-300", "-1"] {
        cells[13] = seconds;
        std::fs::write(path, format!("{rows}{}\n", cells.join(","))).expect("a file");
        let absurd = emm(&["plot", path, "--over", "states"]);
        assert_eq!(absurd.code, 1);
        let message = format!("line 4: `{seconds}` is no `cputime_s`");
        assert!(absurd.err.contains(&message), "{}", absurd.err);
    }
}

#[test]
fn shifting_is_drawn_for_the_evaluator_and_for_what_was_published() {
    let (_folder, path) = scratch("crosscheck.csv");
    let path = path.to_str().expect("a path");
    let heading = "game,role,random_roles,horizon,longest_play,method,variables,clauses,seconds,value,fraction,note,verdict";
    let row =
        |method: &str, seconds: &str| format!("tt-3x3,x,o,9,9,{method},846,3987,{seconds},0.9,9/10,,3 agree");
    let rows = [row("search", "0.001"), row("Q_b", "0.2"), row("Q_d", "0.3")];
    std::fs::write(path, format!("{heading}\n{}\n", rows.join("\n"))).expect("a file");
    let run = emm(&["plot", path, "paper", "--over", "shifting"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    for text in [
        "emm ssat, 1 question: 1.50",
        "SharpSSAT, ",
        "time with Q_b (s)",
        "time with Q_d / time with Q_b",
    ] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    // What takes less than 10 ms is mostly noise.
    let short = [row("Q_b", "0.009"), row("Q_d", "0.3")];
    std::fs::write(path, format!("{heading}\n{}\n", short.join("\n"))).expect("a file");
    let run = emm(&["plot", path, "--over", "shifting"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("no question has a time"), "{}", run.err);
    let other = emm(&["plot", "qbf", "--over", "shifting"]);
    assert!(
        other.err.contains("no columns `Qb_s` and `Qd_s`"),
        "{}",
        other.err
    );
}
