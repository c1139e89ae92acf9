//! Keys up to symmetry, one at a time: the image of a key is put together from tables that look up a few bits each.

use super::Packed;

/// Bits of a key that one table looks up.
const CHUNK: usize = 11;

/// The images of single keys under a group of symmetries; `Images` is for many keys at once.
pub struct ImageTables<const N: usize> {
    /// Per symmetry other than the identity: its chunks.
    elements: Vec<Vec<Chunk<N>>>,
}

/// The contribution of some adjacent bits to the image.
struct Chunk<const N: usize> {
    shift: usize,
    width: usize,
    /// By value of the bits.
    images: Vec<[u64; N]>,
}

impl<const N: usize> ImageTables<N> {
    /// The images under a group of permutations of the fluents, given with or without the identity;
    /// nothing if one of them does not map keys to keys.
    pub fn new(packed: &Packed, permutations: &[Vec<u32>]) -> Option<ImageTables<N>> {
        let is_identity = |permutation: &Vec<u32>| (0u32..).zip(permutation).all(|(at, &to)| at == to);
        let elements = permutations
            .iter()
            .filter(|permutation| !is_identity(permutation))
            .map(|permutation| chunks(packed, permutation))
            .collect::<Option<Vec<_>>>()?;
        Some(ImageTables { elements })
    }

    /// Number of symmetries, the identity included.
    pub fn order(&self) -> usize {
        self.elements.len() + 1
    }

    /// The smallest image.
    #[inline]
    pub fn canonical(&self, key: &[u64; N]) -> [u64; N] {
        let mut least = *key;
        for chunks in &self.elements {
            let image = image(chunks, key);
            if is_less(&image, &least) {
                least = image;
            }
        }
        least
    }
}

#[inline]
fn image<const N: usize>(chunks: &[Chunk<N>], key: &[u64; N]) -> [u64; N] {
    let mut image = [0; N];
    for chunk in chunks {
        let part = &chunk.images[bits(key, chunk.shift, chunk.width)];
        for word in 0..N {
            image[word] |= part[word];
        }
    }
    image
}

#[inline]
fn is_less<const N: usize>(left: &[u64; N], right: &[u64; N]) -> bool {
    for word in (0..N).rev() {
        if left[word] != right[word] {
            return left[word] < right[word];
        }
    }
    false
}

/// `width` bits of a key from `shift` on.
#[inline]
fn bits<const N: usize>(key: &[u64; N], shift: usize, width: usize) -> usize {
    let (word, low) = (shift / 64, shift % 64);
    let mut value = key[word] >> low;
    if low + width > 64 {
        value |= key[word + 1] << (64 - low);
    }
    (value & ((1 << width) - 1)) as usize
}

fn chunks<const N: usize>(packed: &Packed, permutation: &[u32]) -> Option<Vec<Chunk<N>>> {
    let fields = packed.packing.images(permutation)?;
    let mut chunks = Vec::new();
    let mut rest = &fields[..];
    while let Some(first) = rest.first() {
        let mut width = 0;
        let fitting = rest.iter().take_while(|field| {
            width += field.width;
            width <= CHUNK
        });
        let count = fitting.count();
        if count == 0 {
            return None;
        }
        let (now, later) = rest.split_at(count);
        let width = now.iter().map(|field| field.width).sum();
        let value_image = |value: usize| {
            let mut image = [0; N];
            for field in now {
                let code = value >> (field.shift - first.shift) & ((1 << field.width) - 1);
                let target = field.codes[code];
                for bit in (0..field.width).filter(|bit| target >> bit & 1 == 1) {
                    let at = field.target + bit;
                    image[at / 64] |= 1 << (at % 64);
                }
            }
            image
        };
        chunks.push(Chunk {
            shift: first.shift,
            width,
            images: (0..1 << width).map(value_image).collect(),
        });
        rest = later;
    }
    Some(chunks)
}
