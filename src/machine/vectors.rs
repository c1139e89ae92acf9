//! Loops that are compiled several times for different vector widths; the widest that the processor has is chosen at
//! run time, so that one binary runs everywhere.

/// Which vectors are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vectors {
    /// What every processor of the architecture has.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// The widest that the processor has.
    pub(crate) fn detect() -> Vectors {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let has_bits = has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
            if has_bits && has!("avx512f") && has!("avx512dq") {
                return Vectors::Avx512;
            }
            if has_bits && has!("avx2") {
                return Vectors::Avx2;
            }
        }
        Vectors::Portable
    }

    /// The name of these vectors.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Vectors::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => "avx512",
        }
    }

    /// Does the work, compiled for these vectors.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self {
            Vectors::Portable => work.run(),
            // SAFETY: `detect` gives these only if the processor has the feature.
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => unsafe { with_avx2(work) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => unsafe { with_avx512(work) },
        }
    }
}

/// A loop that is compiled once for each kind of vectors.
///
/// What it calls is compiled for them only if it ends up inside of it. So `run`, and every function that it calls for
/// each item, has to be `inline(always)`; a closure cannot be, and was found to be compiled for the portable vectors
/// whatever its caller was compiled for.
pub(crate) trait Work {
    type Output;

    fn run(self) -> Self::Output;
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx2<W: Work>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,bmi1,bmi2,lzcnt,popcnt")]
fn with_avx512<W: Work>(work: W) -> W::Output {
    work.run()
}
