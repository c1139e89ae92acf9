//! What stands in `results/` is what the program says.

use super::{Row, file, question, rows, scratch};
use crate::run::emm;
use emm::solve::Fraction;
use num_bigint::BigUint;
use num_rational::Ratio;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Rows that took less than this are computed again, in seconds of CPU time.
const SMALL: f64 = if cfg!(debug_assertions) { 0.005 } else { 0.06 };

/// What is the same in every run.
const PROVEN: [&str; 5] = ["status", "value", "numerator", "denominator", "game_sha256"];

fn proven(row: &Row) -> Vec<&str> {
    PROVEN.iter().map(|column| row[*column].as_str()).collect()
}

fn seconds(row: &Row) -> f64 {
    row["cputime_s"].parse().unwrap_or(f64::INFINITY)
}

/// The rows of a suite that are computed again, as a suite.
fn small_suite(suite: &str, wanted: &BTreeSet<[String; 5]>) -> String {
    let text = file(&format!("games/{suite}.csv"));
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let heading = lines.next().expect("a heading");
    let kept: Vec<&str> = lines
        .filter(|line| wanted.contains(&question(&rows(&format!("{heading}\n{line}\n"))[0])))
        .collect();
    format!("{heading}\n{}\n", kept.join("\n"))
}

fn compare(suite: &str, least: usize) {
    let written = rows(&file(&format!("results/{suite}.csv")));
    let small: BTreeMap<_, &Row> = written
        .iter()
        .filter(|row| row["status"] == "solved" && row["threads"] == "1" && seconds(row) < SMALL)
        .map(|row| (question(row), row))
        .collect();
    let (_folder, path) = scratch("small.csv");
    let wanted = small.keys().cloned().collect();
    fs::write(&path, small_suite(suite, &wanted)).expect("a suite");
    let run = emm(&["table", path.to_str().expect("a path"), "--threads", "1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let found = rows(&run.out);
    assert_eq!(found.len(), small.len());
    assert!(
        found.len() >= least,
        "only {} rows of {suite} are small",
        found.len()
    );
    for row in &found {
        let before = small[&question(row)];
        assert_eq!(proven(row), proven(before), "{suite}: {:?}", question(row));
        // An engine looks at the same states every time; another one may look at others.
        if row["engine"] == before["engine"] {
            assert_eq!(row["states"], before["states"], "{suite}: {:?}", question(row));
        }
    }
}

#[test]
fn small_rows_of_the_results_are_computed_again() {
    compare("all", 10);
    compare("curves", 5);
}

#[test]
fn results_answer_every_question_of_their_suite() {
    for suite in ["paper", "qbf", "dice", "curves", "all", "smoke"] {
        let asked: Vec<_> = rows(&file(&format!("games/{suite}.csv")))
            .iter()
            .map(question)
            .collect();
        let written: Vec<_> = rows(&file(&format!("results/{suite}.csv")))
            .iter()
            .map(question)
            .collect();
        assert_eq!(asked, written, "{suite}: write the results anew");
    }
}

#[test]
fn the_same_question_has_one_answer_in_all_results() {
    let mut answers: BTreeMap<[String; 5], (String, String)> = BTreeMap::new();
    for suite in ["paper", "qbf", "dice", "curves", "all", "smoke"] {
        for row in rows(&file(&format!("results/{suite}.csv"))) {
            if row["status"] == "solved" {
                let value = (row["numerator"].clone(), row["denominator"].clone());
                let first = answers.entry(question(&row)).or_insert_with(|| value.clone());
                assert_eq!(*first, value, "{suite}: {:?}", question(&row));
            }
        }
    }
}

type Exact = Ratio<BigUint>;

/// The probability to win the Orchard if one always picks from the fullest tree: fruits in descending order.
fn fullest_tree(fruits: [u32; 4], raven: u32, known: &mut BTreeMap<([u32; 4], u32), Exact>) -> Exact {
    let number = |n: u32| Exact::from_integer(n.into());
    if fruits == [0; 4] || raven == 0 {
        return number((fruits == [0; 4]).into());
    }
    if let Some(value) = known.get(&(fruits, raven)) {
        return value.clone();
    }
    let picked = |mut fruits: [u32; 4], tree: usize| {
        fruits[tree] = fruits[tree].saturating_sub(1);
        fruits.sort_unstable_by(|a, b| b.cmp(a));
        fruits
    };
    // The basket takes two, each from the tree that is the fullest then; an empty tree's face is rolled again.
    let mut sum = fullest_tree(picked(picked(fruits, 0), 0), raven, known);
    sum += fullest_tree(fruits, raven - 1, known);
    let trees: Vec<usize> = (0..4).filter(|&tree| fruits[tree] > 0).collect();
    for &tree in &trees {
        sum += fullest_tree(picked(fruits, tree), raven, known);
    }
    let value = sum / number(trees.len() as u32 + 2);
    known.insert((fruits, raven), value.clone());
    value
}

#[test]
fn the_fullest_tree_is_an_optimal_policy_for_the_orchard() {
    let policy = Fraction::from(fullest_tree([10; 4], 9, &mut BTreeMap::new()));
    assert_eq!(policy.decimal(3), "0.684");
    let run = emm(&["solve", "orchard-full", "--horizon", "49", "--format", "csv"]);
    let row = &rows(&run.out)[0];
    let optimum = Fraction::parse(&row["numerator"], &row["denominator"]);
    assert_eq!(optimum, Some(policy));
}
