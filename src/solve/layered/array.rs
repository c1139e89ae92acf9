//! Large arrays of plain numbers, mapped and not allocated.
//!
//! In memory they begin as zeros and lie on huge pages where the system has them: slots are visited in no order
//! that a small page would serve well. In a file they take no memory that the system could not take back.

use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

/// An array that is mapped.
pub(in crate::solve) struct Array<T> {
    map: MmapMut,
    bytes: usize,
    place: Place,
    items: PhantomData<T>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Memory,
    File,
}

impl<T: Pod> Array<T> {
    /// Zeros; nothing if the system has no memory for them.
    pub(in crate::solve) fn new(len: usize) -> Option<Array<T>> {
        let bytes = len.checked_mul(size_of::<T>())?;
        let map = MmapMut::map_anon(bytes.max(1)).ok()?;
        // Only a wish: without huge pages everything works, only slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Array {
            map,
            bytes,
            place: Place::Memory,
            items: PhantomData,
        })
    }

    /// The items of a file from a byte on, which is a multiple of their size. Changes would not reach the file.
    pub(in crate::solve) fn open(file: &File, offset: u64, len: usize) -> io::Result<Array<T>> {
        let too_long = || io::Error::new(io::ErrorKind::InvalidData, "the file is too short");
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(too_long)?;
        if offset + bytes as u64 > file.metadata()?.len() {
            return Err(too_long());
        }
        // SAFETY: the map is private to this process. The file lies in a folder that is locked by this run; whoever
        // changes it all the same changes what is computed, as with any file that a program works on.
        let map = unsafe {
            MmapOptions::new()
                .offset(offset)
                .len(bytes.max(1))
                .map_copy(file)?
        };
        Ok(Array {
            map,
            bytes,
            place: Place::File,
            items: PhantomData,
        })
    }

    /// The bytes of memory that it takes.
    pub(in crate::solve) fn held_bytes(&self) -> u64 {
        match self.place {
            Place::Memory => self.bytes as u64,
            Place::File => 0,
        }
    }
}

impl Array<u64> {
    /// The words as atomic ones, for threads that share them.
    pub(in crate::solve) fn atomic(&mut self) -> &[AtomicU64] {
        let words: &mut [u64] = self;
        // SAFETY: both types have the same size, alignment and values, and as long as this borrow lasts, which is
        // exclusive, nobody gets at the words but through atomics.
        unsafe { &*(std::ptr::from_mut(words) as *const [AtomicU64]) }
    }
}

impl<T: Pod> Deref for Array<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.map[..self.bytes])
    }
}

impl<T: Pod> DerefMut for Array<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.map[..self.bytes])
    }
}
