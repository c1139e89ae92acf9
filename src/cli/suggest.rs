//! "Did you mean …?"

/// At most this many suggestions.
const MOST: usize = 3;

/// The names that `wrong` may be a slip of, the likeliest first.
///
/// A name qualifies if at most a third of the letters (but always one or two) are wrong. Among equals a
/// wrong letter is likelier than a missing one.
pub fn similar<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let wrong = wrong.to_lowercase();
    let tolerance = (wrong.chars().count() / 3).clamp(1, 4);
    let mut ranked: Vec<_> = names
        .into_iter()
        .map(|name| {
            let mistakes = strsim::damerau_levenshtein(&wrong, &name.to_lowercase());
            (mistakes, wrong.len().abs_diff(name.len()), name)
        })
        .filter(|&(mistakes, ..)| mistakes <= tolerance)
        .collect();
    ranked.sort_unstable();
    let best = ranked.first().map_or(0, |&(mistakes, ..)| mistakes);
    let close = ranked.into_iter().filter(|&(mistakes, ..)| mistakes <= best + 1);
    close.map(|(.., name)| name).take(MOST).collect()
}

/// ``did you mean `a` or `b`?``; empty if there is nothing to suggest.
pub fn did_you_mean(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => format!("did you mean {last}?"),
        Some((last, others)) => format!("did you mean {} or {last}?", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_letter_is_likelier_than_a_missing_one() {
        let names = ["s-nim-3", "s-nim-30", "s-nim-100"];
        assert_eq!(similar("s-nim-3O", names), ["s-nim-30", "s-nim-3"]);
        assert_eq!(similar("S-NIM-100", names).first(), Some(&"s-nim-100"));
    }

    #[test]
    fn what_resembles_nothing_gives_no_suggestion() {
        assert_eq!(similar("chess", ["s-nim-3", "one-shot"]), [""; 0]);
        assert_eq!(did_you_mean(&[]), "");
    }

    #[test]
    fn suggestions_form_a_question() {
        assert_eq!(did_you_mean(&["a"]), "did you mean `a`?");
        assert_eq!(did_you_mean(&["a", "b", "c"]), "did you mean `a`, `b` or `c`?");
    }
}
