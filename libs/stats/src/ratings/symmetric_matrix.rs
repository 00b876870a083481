//! Symmetric positive definite matrices: factor, solve, invert.

use std::ops::Range;

use arrayvec::ArrayVec;

/// A square matrix, stored by rows.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    pub(crate) fn of(size: usize, cell: impl Fn(usize, usize) -> f64) -> Matrix {
        let cells = (0..size * size).map(|index| cell(index / size, index % size)).collect();
        Matrix { size, cells }
    }

    #[cfg(test)]
    pub(crate) const fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.size..][..self.size]
    }

    fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.cells[row * self.size..][..self.size]
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// The lower triangular factor L with L·Lᵀ equal to this symmetric matrix; `None` if the matrix is not positive
    /// definite. Only the lower triangle is read.
    pub(crate) fn cholesky(mut self) -> Option<Factor> {
        for first in (0..self.size).step_by(PANEL) {
            let end = (first + PANEL).min(self.size);
            for column in 0..end {
                if column >= first {
                    let present = self.row_mut(column);
                    let pivot = present[column] - dot(&present[..column], &present[..column]);
                    if pivot.is_nan() || pivot <= 0.0 {
                        return None;
                    }
                    present[column] = pivot.sqrt();
                    present[column + 1..].fill(0.0);
                }
                for row in first.max(column + 1)..end {
                    let (above, below) = self.cells.split_at_mut(row * self.size);
                    let (other, present) = (&above[column * self.size..], &mut below[..self.size]);
                    present[column] -= dot(&present[..column], &other[..column]);
                    present[column] /= other[column];
                }
            }
        }
        Some(Factor(self))
    }

    /// The product with another matrix. Cells of `self` that are 0 cost nothing.
    pub(crate) fn times(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zero(self.size);
        for block in blocks(self.size) {
            for row in 0..self.size {
                let terms = self.row(row).iter().enumerate().filter(|(_, factor)| **factor != 0.0);
                let terms = terms.map(|(index, &factor)| (factor, &other.row(index)[block.clone()]));
                add_rows(&mut product.row_mut(row)[block.clone()], terms);
            }
        }
        product
    }

    pub(crate) fn transposed(mut self) -> Matrix {
        for row in 0..self.size {
            for column in 0..row {
                self.cells.swap(row * self.size + column, column * self.size + row);
            }
        }
        self
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Factor(Matrix);

impl Factor {
    /// The last pivot of the elimination. The matrix must not be empty.
    pub(crate) fn last_pivot(&self) -> f64 {
        let last = self.0.size - 1;
        self.0.at(last, last).powi(2)
    }

    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Factor(lower) = self;
        let mut x = right.to_vec();
        for row in 0..lower.size {
            x[row] = (x[row] - dot(&lower.row(row)[..row], &x[..row])) / lower.at(row, row);
        }
        for row in (0..lower.size).rev() {
            x[row] /= lower.at(row, row);
            let (before, from) = x.split_at_mut(row);
            add_rows(before, [(-from[0], lower.row(row))].into_iter());
        }
        x
    }

    pub(crate) fn inverse(&self) -> Matrix {
        let size = self.0.size;
        let below = self.inverse_of_factor();
        let above = below.clone().transposed();
        let mut inverse = Matrix::zero(size);
        for block in blocks(size) {
            for row in block.start..size {
                let terms = (row..size).map(|index| (above.at(row, index), &below.row(index)[block.clone()]));
                add_rows(&mut inverse.row_mut(row)[block.clone()], terms);
            }
        }
        for row in 0..size {
            for column in 0..row {
                inverse.cells[column * size + row] = inverse.at(row, column);
            }
        }
        inverse
    }

    /// The inverse of the factor itself, which is lower triangular too.
    fn inverse_of_factor(&self) -> Matrix {
        let Factor(lower) = self;
        let size = lower.size;
        let mut inverse = Matrix::zero(size);
        for block in blocks(size) {
            for row in block.start..size {
                let (above, below) = inverse.cells.split_at_mut(row * size);
                let present = &mut below[block.clone()];
                let rows = above.chunks_exact(size).zip(lower.row(row)).skip(block.start);
                add_rows(present, rows.map(|(other, factor)| (-factor, &other[block.clone()])));
                if let Some(diagonal) = present.get_mut(row - block.start) {
                    *diagonal = 1.0;
                }
                let pivot = lower.at(row, row);
                for cell in present {
                    *cell /= pivot;
                }
            }
        }
        inverse
    }
}

/// The number of rows factored together, so that the rows above are fetched from memory less often.
const PANEL: usize = 8;

/// The number of columns processed together, so that a strip of the matrix stays in the cache.
const BLOCK: usize = 128;

fn blocks(size: usize) -> impl Iterator<Item = Range<usize>> {
    (0..size).step_by(BLOCK).map(move |start| start..(start + BLOCK).min(size))
}

/// The number of sums that run side by side.
const LANES: usize = 8;

/// The scalar product; the longer slice is cut.
pub(crate) fn dot(one: &[f64], other: &[f64]) -> f64 {
    let length = one.len().min(other.len());
    let (ones, others) = (one[..length].chunks_exact(LANES), other[..length].chunks_exact(LANES));
    let rest: f64 = ones.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; LANES];
    for (a, b) in ones.zip(others) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// Adds rows times their factors to the target; longer rows are cut.
///
/// Four rows are added at a time, so that the target is read and written less often.
fn add_rows<'a>(target: &mut [f64], rows: impl Iterator<Item = (f64, &'a [f64])>) {
    let length = target.len();
    let mut batch: ArrayVec<(f64, &[f64]), 4> = ArrayVec::new();
    for (factor, row) in rows {
        batch.push((factor, &row[..length]));
        if let [(fa, a), (fb, b), (fc, c), (fd, d)] = batch[..] {
            for (index, cell) in target.iter_mut().enumerate() {
                *cell += (fa * a[index] + fb * b[index]) + (fc * c[index] + fd * d[index]);
            }
            batch.clear();
        }
    }
    for (factor, row) in batch {
        target.iter_mut().zip(row).for_each(|(cell, value)| *cell += factor * value);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn positive_definite(size: usize, cells: &[f64]) -> Matrix {
        Matrix::of(size, |row, column| {
            let sum = dot(&cells[row * size..][..size], &cells[column * size..][..size]);
            sum + if row == column { 1.0 } else { 0.0 }
        })
    }

    fn any_matrix() -> impl Strategy<Value = Matrix> {
        prop_oneof![9 => 1_usize..24, 1 => 120_usize..140].prop_flat_map(|size| {
            prop::collection::vec(-2.0..2.0, size * size)
                .prop_map(move |cells| positive_definite(size, &cells))
        })
    }

    proptest! {
        #[test]
        fn a_matrix_times_its_inverse_is_one(matrix in any_matrix()) {
            let product = matrix.times(&matrix.clone().cholesky().unwrap().inverse());
            for row in 0..matrix.size() {
                for column in 0..matrix.size() {
                    let one = if row == column { 1.0 } else { 0.0 };
                    prop_assert!((product.at(row, column) - one).abs() < 1e-8);
                }
            }
        }

        #[test]
        fn a_solution_solves(matrix in any_matrix()) {
            let right: Vec<f64> = (0..matrix.size()).map(|row| row as f64 - 3.0).collect();
            let x = matrix.clone().cholesky().unwrap().solve(&right);
            for (row, right) in right.iter().enumerate() {
                prop_assert!((dot(matrix.row(row), &x) - right).abs() < 1e-8);
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_refused() {
        assert!(Matrix::of(2, |_, _| 1.0).cholesky().is_none());
        assert!(Matrix::zero(1).cholesky().is_none());
    }
}
