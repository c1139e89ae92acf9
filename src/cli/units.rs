//! Numbers with units, as people write them.

use std::time::Duration;

/// Units of time with their milliseconds, the largest first.
const TIMES: [(&str, u64); 5] = [
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

/// Reads `90s`, `2m`, `1h30m`, `1.5h`, `250ms`; a number alone is in seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let expected = || "expected a duration such as `90s`, `2m`, `1h30m` or `250ms`".to_string();
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(expected());
    }
    let mut milliseconds = 0.0;
    let mut larger = u64::MAX;
    while !rest.is_empty() {
        let (number, after) = leading_number(rest).ok_or_else(expected)?;
        let unit_end = after
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        let factor = time_unit(unit, larger).ok_or_else(expected)?;
        milliseconds += number * factor as f64;
        (larger, rest) = (factor, after);
    }
    Duration::try_from_secs_f64(milliseconds / 1000.0).map_err(|_| expected())
}

/// The milliseconds of a unit, which must be smaller than the unit before it.
fn time_unit(unit: &str, larger: u64) -> Option<u64> {
    if unit.is_empty() {
        return (larger == u64::MAX).then_some(1_000);
    }
    let found = TIMES.iter().find(|(name, _)| *name == unit);
    found.map(|&(_, factor)| factor).filter(|&factor| factor < larger)
}

/// Reads `20000000`, `20_000_000`, `500k`, `20M`, `2G`.
pub fn count(text: &str) -> Result<usize, String> {
    let expected = || "expected a whole number, possibly with `k`, `M` or `G`: `500000`, `20M`".to_string();
    let digits_end = text.find(|c: char| c.is_alphabetic()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(digits_end);
    let factor = match unit {
        "" => 1,
        "k" | "K" => 1_000,
        "M" => 1_000_000,
        "G" => 1_000_000_000,
        _ => return Err(expected()),
    };
    let number: usize = digits.replace('_', "").parse().map_err(|_| expected())?;
    number.checked_mul(factor).ok_or_else(expected)
}

/// Reads `4G`, `500M`, `64k`, `1.5GiB`: units are powers of 1024; a number alone is in bytes.
pub fn bytes(text: &str) -> Result<usize, String> {
    let expected = || "expected a size such as `500M`, `8G` or a number of bytes".to_string();
    let (number, unit) = leading_number(text.trim()).ok_or_else(expected)?;
    let unit = unit.to_ascii_lowercase();
    let letter = unit
        .strip_suffix("ib")
        .or(unit.strip_suffix('b'))
        .unwrap_or(&unit);
    let power = match letter {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(expected()),
    };
    let bytes = number * 1024f64.powi(power);
    match bytes < usize::MAX as f64 {
        true => Ok(bytes as usize),
        false => Err(expected()),
    }
}

/// A number of bytes in three significant digits or so.
pub fn show_bytes(bytes: u64) -> String {
    match bytes as f64 {
        b if b < 1024.0 * 1024.0 => format!("{:.0} KiB", b / 1024.0),
        b if b < 1024f64.powi(3) => format!("{:.0} MiB", b / 1024f64.powi(2)),
        b => format!("{:.2} GiB", b / 1024f64.powi(3)),
    }
}

/// Half of the computer's memory in bytes, as far as that can be found out; else 4 GiB.
pub fn half_of_memory() -> usize {
    const FALLBACK: usize = 4 << 30;
    let table = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = table.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kibibytes = total.and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok());
    kibibytes.map_or(FALLBACK, |kibibytes| kibibytes.saturating_mul(512))
}

/// A number without sign or exponent, and what follows it.
fn leading_number(text: &str) -> Option<(f64, &str)> {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, rest) = text.split_at(end);
    Some((number.parse().ok()?, rest))
}

/// A duration in three significant digits or so.
pub fn show_duration(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    match seconds {
        s if s < 0.001 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// `1 clause`, `2 clauses`
pub fn show_count(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units_in_descending_order() {
        let milliseconds = |text| duration(text).map(|d| d.as_millis());
        assert_eq!(milliseconds("90s"), Ok(90_000));
        assert_eq!(milliseconds("2m"), Ok(120_000));
        assert_eq!(milliseconds("1h30m"), Ok(5_400_000));
        assert_eq!(milliseconds("1.5h"), Ok(5_400_000));
        assert_eq!(milliseconds("1s250ms"), Ok(1_250));
        assert_eq!(milliseconds("7"), Ok(7_000));
        assert_eq!(milliseconds("0"), Ok(0));
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in [
            "",
            " ",
            "s",
            "-1s",
            "1x",
            "1m1h",
            "1s1s",
            "1s5",
            "1e3s",
            "..s",
            "1 h",
            "∞",
            "9".repeat(400).as_str(),
        ] {
            assert!(duration(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn sizes_have_binary_units() {
        assert_eq!(bytes("64k"), Ok(65_536));
        assert_eq!(bytes("1.5GiB"), Ok(3 << 29));
        assert_eq!(bytes("100 "), Ok(100));
        assert_eq!(show_bytes(3 << 29), "1.50 GiB");
        for text in ["", "G", "-1", "8x", "1e9", "99999999999T"] {
            assert!(bytes(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn counts_may_be_abbreviated() {
        assert_eq!(count("20_000"), Ok(20_000));
        assert_eq!(count("20M"), Ok(20_000_000));
        assert_eq!(count("0"), Ok(0));
        for text in [
            "",
            "M",
            "-1",
            "1.5M",
            "2T",
            "99999999999999999999",
            "99999999999999G",
        ] {
            assert!(count(text).is_err(), "{text:?}");
        }
    }
}
