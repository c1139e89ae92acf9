//! Packed keys: a state in as few bits as its groups allow, without loss.
//!
//! A group of n exclusive fluents takes ⌈log2(n + 1)⌉ bits (the code 0 is "none of them"; if exactly one
//! always holds, ⌈log2 n⌉ bits), a fluent outside all groups takes one. Fields never cross a word.

use super::bits::Bits;
use super::groups::Group;
use smallvec::SmallVec;

/// A packed state.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub SmallVec<[u64; 2]>);

/// Not the right number of fluents of a group holds (the group was only observed, or the state is not
/// reachable): the state has no key in this layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupBroken {
    /// The group, as a position among the machine's proven groups.
    pub group: usize,
}

/// Where each part of a state lies in its key.
#[derive(Clone, Debug)]
pub struct KeyLayout {
    fields: Vec<Field>,
    bits: usize,
    words: usize,
    fluents: usize,
}

#[derive(Clone, Debug)]
struct Field {
    /// What the codes stand for: code `i + first_code` is this fluent.
    fluents: Vec<usize>,
    /// 1 if the code 0 stands for "none".
    first_code: u64,
    word: usize,
    shift: usize,
    width: usize,
    /// The group it comes from, if any.
    group: Option<usize>,
}

impl KeyLayout {
    /// The layout for so many fluents with these groups.
    pub(crate) fn new(fluents: usize, groups: &[&Group]) -> KeyLayout {
        let mut grouped = vec![false; fluents];
        let mut fields: Vec<Field> = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            group.fluents.iter().for_each(|&fluent| grouped[fluent] = true);
            fields.push(Field::new(
                group.fluents.clone(),
                u64::from(!group.exactly_one),
                Some(number),
            ));
        }
        let singles = (0..fluents).filter(|&fluent| !grouped[fluent]);
        fields.extend(singles.map(|fluent| Field::new(vec![fluent], 1, None)));
        // First fit, widest first: a word is filled before the next one is begun.
        fields.sort_by_key(|field| std::cmp::Reverse(field.width));
        let mut used: Vec<usize> = Vec::new();
        for field in &mut fields {
            field.word = used
                .iter()
                .position(|&bits| bits + field.width <= 64)
                .unwrap_or_else(|| {
                    used.push(0);
                    used.len() - 1
                });
            field.shift = used[field.word];
            used[field.word] += field.width;
        }
        KeyLayout {
            bits: fields.iter().map(|field| field.width).sum(),
            words: used.len().max(1),
            fields,
            fluents,
        }
    }

    /// Bits that carry information.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// Words of a key.
    pub fn words(&self) -> usize {
        self.words
    }

    /// The key of a state.
    pub fn pack(&self, state: &Bits) -> Result<Key, GroupBroken> {
        let mut key = Key(SmallVec::from_elem(0, self.words));
        for field in &self.fields {
            key.0[field.word] |= field.code(state)? << field.shift;
        }
        Ok(key)
    }

    /// The state of a key that [`KeyLayout::pack`] made.
    pub fn unpack(&self, key: &Key) -> Bits {
        let mut state = Bits::zero(self.fluents);
        for field in &self.fields {
            let code = key.0[field.word] >> field.shift & field.mask();
            if let Some(&fluent) = code
                .checked_sub(field.first_code)
                .and_then(|i| field.fluents.get(i as usize))
            {
                state.set(fluent);
            }
        }
        state
    }
}

impl Field {
    fn new(fluents: Vec<usize>, first_code: u64, group: Option<usize>) -> Field {
        let codes = fluents.len() as u64 + first_code;
        let width = (u64::BITS - (codes - 1).leading_zeros()) as usize;
        Field {
            fluents,
            first_code,
            word: 0,
            shift: 0,
            width,
            group,
        }
    }

    fn mask(&self) -> u64 {
        u64::MAX.checked_shr(64 - self.width as u32).unwrap_or(0)
    }

    /// The field's code, checked: whoever packs need not trust a group that was only observed.
    fn code(&self, state: &Bits) -> Result<u64, GroupBroken> {
        let mut holding = (0..self.fluents.len()).filter(|&member| state.get(self.fluents[member]));
        match (holding.next(), holding.next(), self.group) {
            (Some(member), None, _) => Ok(member as u64 + self.first_code),
            (None, None, _) if self.first_code == 1 => Ok(0),
            (_, _, Some(group)) => Err(GroupBroken { group }),
            (_, _, None) => Ok(0),
        }
    }
}
