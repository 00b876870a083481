//! Which positions are learnt from, and which only tell whether what was learnt holds.

/// The blocks that the positions are cut into; every tenth is held out.
const BLOCKS: usize = 100;

/// The numbers of the positions of a set in two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Those to learn from.
    pub training: Vec<u32>,
    /// A tenth, to stop in time.
    pub held_out: Vec<u32>,
}

impl Split {
    /// Holds out ten blocks of neighbours, spread over the whole: the positions of a game stand together and have one
    /// result, and whoever learns from some of them knows the others.
    pub fn of(positions: usize) -> Split {
        let block = positions.div_ceil(BLOCKS).max(1);
        let (held_out, training) = (0..positions as u32).partition(|&index| index as usize / block % 10 == 9);
        Split { training, held_out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_held_out_in_blocks() {
        let split = Split::of(20_000);
        assert_eq!((split.training.len(), split.held_out.len()), (18_000, 2_000));
        assert_eq!((split.held_out[0], split.held_out[199], split.held_out[200]), (1_800, 1_999, 3_800));
    }

    #[test]
    fn every_position_is_in_one_of_the_parts() {
        for positions in [0, 1, 99, 101, 1234] {
            let Split { training, held_out } = Split::of(positions);
            let mut all = [training, held_out].concat();
            all.sort_unstable();
            assert_eq!(all, (0..positions as u32).collect::<Vec<u32>>());
        }
    }
}
