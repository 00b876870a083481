//! Training: gradients, results, seeds, and resumed trainings.

use std::fs;
use std::path::Path;

use chess::{Color, Move, Position, Setup, SplitMix, Square};
use nnue::train::{
    Batch, FloatNetwork, Recipe, Rounding, Settings, State, Target, Trainer, TrainingData, TrainingPosition,
    quantized, read_weights,
};
use nnue::{Filter, Game, GameResult, viriformat};
use tarrasch::eval::Evaluator;
use tarrasch::nnue::Network;
use toml::Table;

use super::{nnue, random_game};

const TARGET: Target = Target { result_share: 0.25, score_scale: 0.005 };

/// Positions of random games; the score is the material balance, and the side with more material wins.
fn material_positions(seeds: std::ops::Range<u64>) -> Vec<TrainingPosition> {
    let games = seeds.map(random_game).collect::<Vec<Game>>();
    let turns = games.iter().flat_map(Game::turns).filter(|turn| turn.position.occupied().count() > 6);
    turns
        .map(|turn| {
            let score = material(&turn.position);
            let result = match score {
                0 => GameResult::Draw,
                score if score > 0 => GameResult::WhiteWins,
                _ => GameResult::BlackWins,
            };
            TrainingPosition::new(&turn.position, score, result)
        })
        .collect()
}

/// White's pieces minus Black's, in centipawns.
fn material(position: &Position) -> i16 {
    let worth = |letter: char| match letter.to_ascii_lowercase() {
        'p' => 100,
        'n' | 'b' => 300,
        'r' => 500,
        'q' => 900,
        _ => 0,
    };
    let pieces = position.occupied().into_iter().filter_map(|square| position.piece_on(square));
    pieces
        .map(|piece| {
            let letter = piece.letter();
            if letter.is_ascii_uppercase() { worth(letter) } else { -worth(letter) }
        })
        .sum()
}

fn recipe(settings: Settings, positions: usize) -> Recipe {
    Recipe { data: "test".to_owned(), positions, settings }
}

fn settings(epochs: u32) -> Settings {
    Settings {
        width: 64,
        epochs,
        batch: 512,
        learning_rate: 0.01,
        final_learning_rate: 0.0001,
        ..Settings::default()
    }
}

fn material_data() -> TrainingData {
    let training = material_positions(0..300);
    let held_out = material_positions(1000..1010);
    TrainingData { training, held_out, ..TrainingData::default() }
}

fn trained(data: &TrainingData, settings: Settings, threads: usize) -> State {
    let state = State::new(recipe(settings, data.training.len()));
    let mut trainer = Trainer::new(data, TARGET, state, threads);
    while !trainer.is_done() {
        trainer.epoch(&mut |_| ());
    }
    trainer.state.clone()
}

#[test]
fn derivatives_are_what_differences_are() {
    let positions = material_positions(0..1);
    let positions = &positions[..40];
    let network = FloatNetwork::new(2, 7);
    for mirrors in [false, true] {
        let mut batch = Batch::new(2, mirrors, TARGET, 1);
        let mut loss = |network: &FloatNetwork| {
            batch.forward(network, positions.len(), |index| &positions[index]) / positions.len() as f64
        };
        let shifted = |tile: usize, lane: usize, column: usize, by: f32| {
            let mut network = network.clone();
            network.tiles[tile][lane].0[column] += by;
            network
        };
        let inputs = positions[3].inputs(mirrors);
        let lanes = [0, 1].into_iter().flat_map(|side| inputs.of_side(side)).map(|&input| usize::from(input));
        let mut checked = 0;
        // Some rows, the biases and both halves of the output.
        for lane in lanes.step_by(5).chain([768, 769, 770]) {
            for (tile, column) in [(0, 0), (0, 33), (1, 63)] {
                let difference = (loss(&shifted(tile, lane, column, 0.004))
                    - loss(&shifted(tile, lane, column, -0.004)))
                    / 0.008;
                let mut own = Batch::new(2, mirrors, TARGET, 2);
                own.forward(&network, positions.len(), |index| &positions[index]);
                own.backward(&network);
                let derivative = f64::from(own.slopes(tile, lane).0[column]);
                let allowed = 0.03 * derivative.abs() + 3e-6;
                assert!((derivative - difference).abs() < allowed, "{lane}: {derivative} and {difference}");
                checked += usize::from(derivative != 0.0);
            }
        }
        assert!(checked > 20, "{checked}");
    }
}

#[test]
fn a_tiny_network_learns_material() {
    let data = material_data();
    let state = trained(&data, settings(12), 2);
    let first = state.epochs[0].held_out;
    let last = state.epochs.last().unwrap().held_out;
    assert!(last < first / 2.0 && last < 0.002, "{first} {last}");
    // Black's missing queen shows with either side to move.
    let weights = quantized(&state.network, true, 1.0 / TARGET.score_scale);
    let network = Network::from_bytes(&weights.to_bytes()).unwrap();
    let value = |fen: &str| network.evaluate(&Position::from_fen(fen).unwrap());
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(value(start).abs() < 60, "{}", value(start));
    for (pieces, side, sign) in [("rnb1kbnr", 'w', 1), ("rnb1kbnr", 'b', -1)] {
        let found = value(&format!("{pieces}/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {side} KQkq - 0 1"));
        assert!((500..1500).contains(&(sign * found)), "{pieces} {side}: {found}");
    }
}

#[test]
fn whole_numbers_are_within_a_few_centipawns() {
    let data = material_data();
    let state = trained(&data, settings(4), 2);
    let centipawns = 1.0 / TARGET.score_scale;
    let bytes = quantized(&state.network, true, centipawns).to_bytes();
    let network = Network::from_bytes(&bytes).unwrap();
    let mut trainer = Trainer::new(&data, TARGET, state, 2);
    let (loss, outputs) = trainer.evaluate(&data.held_out);
    let rounding = Rounding::of(&network, centipawns, &data.held_out, &outputs, TARGET);
    assert!(rounding.mean < 4.0 && rounding.worst < 25.0, "{rounding:?}");
    assert!((rounding.loss / loss - 1.0).abs() < 0.05, "{rounding:?} and {loss}");
}

#[test]
fn the_seed_decides_everything_and_the_threads_nothing() {
    let data = material_data();
    let run = |seed, threads| trained(&data, Settings { seed, width: 128, ..settings(2) }, threads);
    let one = run(1, 1);
    assert!(one == run(1, 2) && one == run(1, 3));
    assert!(one.network != run(2, 1).network);
}

/// A file of games like those of the generator: one move of each game is searched.
fn games_file(path: &Path, games: usize) {
    let mut bytes = Vec::new();
    let long_games = (0..).map(|seed| (seed, random_game(seed))).filter(|(_, game)| game.moves.len() > 40);
    for (seed, mut game) in long_games.take(games) {
        game.skipped = 0;
        let mut numbers = SplitMix::new(seed);
        game.moves.iter_mut().for_each(|ply| ply.score = (numbers.next() % 800) as i16 - 400);
        // Games differ from their start on, as those of the generator do.
        let opening: Vec<Move> = game.moves.drain(..9).map(|ply| ply.mv).collect();
        for mv in opening {
            game.start.play_unchecked(mv);
        }
        bytes.extend(viriformat::encode(&game));
    }
    fs::write(path, bytes).unwrap();
}

fn train(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    nnue(folder, &[&["train"], arguments].concat())
}

#[test]
fn a_training_that_was_killed_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    games_file(&path.join("x.vf"), 120);
    let usual = ["x.vf", "--width", "64", "--epochs", "3", "--batch", "256", "--threads", "2"];
    let run = |out: &str| train(path, &[&usual[..], &["--out", out]].concat());
    assert_eq!(run("whole"), (Some(0), String::new()));

    // The state after the first epoch, as the program would have left it.
    let data = TrainingData::read(&[path.join("x.vf")], Filter::default()).unwrap();
    let last = fs::read(path.join("whole.checkpoint")).unwrap();
    let text = String::from_utf8_lossy(&last).into_owned();
    let score_scale = fs::read_to_string(path.join("whole.toml")).unwrap();
    let score_scale =
        score_scale.lines().find_map(|line| line.strip_prefix("score_scale = ")).unwrap().to_owned();
    let settings = Settings { width: 64, epochs: 3, batch: 256, ..Settings::default() };
    let recipe = Recipe {
        data: format!("{:016x}", data.fingerprint()),
        positions: data.training.len(),
        settings: settings.clone(),
    };
    let target = Target { result_share: settings.result_share, score_scale: score_scale.parse().unwrap() };
    let mut trainer = Trainer::new(&data, target, State::new(recipe), 1);
    trainer.epoch(&mut |_| ());
    trainer.state.save(&path.join("resumed.checkpoint")).unwrap();
    assert!(text.starts_with("TarrTrn2"));

    assert_eq!(run("resumed"), (Some(0), String::new()));
    let read = |name: &str| fs::read(path.join(name)).unwrap();
    assert!(read("resumed") == read("whole"));
    assert!(read("resumed.checkpoint") == last);
    assert!(read("resumed.svg") == read("whole.svg"));
}

#[test]
fn a_training_goes_on_only_as_it_was_begun() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    games_file(&path.join("x.vf"), 120);
    games_file(&path.join("y.vf"), 121);
    let run =
        |file: &str, width: &str| train(path, &[file, "--width", width, "--epochs", "1", "--out", "net"]);
    assert_eq!(run("x.vf", "64").0, Some(0));
    let (code, message) = run("x.vf", "64");
    assert_eq!(code, Some(2));
    assert!(message.contains("--out net: expected a new file"), "{message}");
    fs::remove_file(path.join("net")).unwrap();
    let (code, message) = run("x.vf", "128");
    assert_eq!(code, Some(2));
    let expected = "net.checkpoint: recipe.settings.width: the training was begun with 64, and now it is 128";
    assert!(message.contains(expected), "{message}");
    let (_, message) = run("y.vf", "64");
    assert!(message.contains("net.checkpoint: recipe.data: the training was begun with"), "{message}");
    fs::write(path.join("net.checkpoint"), "a text").unwrap();
    let (code, message) = run("x.vf", "64");
    assert_eq!(code, Some(2));
    assert!(message.contains("net.checkpoint: expected a checkpoint of nnue train"), "{message}");
    assert!(!path.join("net").exists());
}

#[test]
fn positions_near_games_are_scored_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let files = [folder.path().join("x.vf")];
    games_file(&files[0], 120);
    let settings = Settings { distil: 2, ..Settings::default() };
    let data = |settings: &Settings, threads| TrainingData::distilled(&files, settings, threads).unwrap();
    let once = data(&settings, 1);
    assert!(once.training.len() > 1000 && !once.held_out.is_empty(), "{}", once.training.len());
    // No position of a held-out game is used for training, and the number of threads changes nothing.
    assert_eq!(once.fingerprint(), data(&settings, 3).fingerprint());
    assert_ne!(once.fingerprint(), data(&Settings { seed: 2, ..settings }, 1).fingerprint());
    let scores: Vec<i16> = once.held_out.iter().map(TrainingPosition::score).collect();
    assert_eq!(scores, once.hand_written);
    // A packed position has no castling rights, but some scores depend on them.
    let mut evaluator = Evaluator::new();
    let same = once.held_out.iter().filter(|packed| {
        let board = packed.board();
        let setup = Setup {
            board: std::array::from_fn(|square| board.piece_on(Square::from_index(square))),
            side_to_move: Color::White,
            castling: Vec::new(),
            ep_square: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        evaluator.evaluate(&Position::try_from(&setup).unwrap()).get() as i16 == packed.score()
    });
    assert!(same.count() * 10 > once.held_out.len() * 9);
}

#[test]
fn a_training_begins_with_the_weights_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    games_file(&path.join("x.vf"), 120);
    let run_wide = |width: &str, arguments: &[&str]| {
        train(path, &[&["x.vf", "--width", width, "--epochs", "1", "--batch", "256"], arguments].concat())
    };
    let run = |arguments: &[&str]| run_wide("64", arguments);
    assert_eq!(run(&["--distil", "2", "--out", "hand"]), (Some(0), String::new()));
    // The hand-written evaluation is learned from all positions.
    let (code, error) = run(&["--distil", "2", "--min-ply", "20", "--out", "filtered"]);
    assert!(code == Some(2) && error.contains("'--distil <N>' cannot be used with '--min-ply"), "{error}");
    // Steps so short that they change nothing.
    let still = ["--learning-rate", "0", "--final-learning-rate", "0"];
    let from = ["--from", "hand.checkpoint", "--out", "same"];
    assert_eq!(run(&[&still[..], &from].concat()), (Some(0), String::new()));
    // The scale in the header is computed anew; the weights after it are the same.
    let weights = |name: &str| fs::read(path.join(name)).unwrap().split_off(32);
    assert!(weights("hand") == weights("same"));
    let report = fs::read_to_string(path.join("same.toml")).unwrap();
    assert!(report.contains("from = \"") && !report.contains("from = \"\""), "{report}");

    let both = ["--from", "hand.checkpoint", "--from", "same.checkpoint", "--out", "mean"];
    assert_eq!(run(&[&still[..], &both].concat()), (Some(0), String::new()));
    assert!(weights("mean") == weights("same"));
    let report = fs::read_to_string(path.join("mean.toml")).unwrap();
    let from = report.lines().find_map(|line| line.strip_prefix("from = ")).unwrap();
    assert_eq!(from.split(' ').count(), 2, "{report}");

    // A wider network begins with nearly the same outputs.
    let wider = ["--from", "hand.checkpoint", "--distil", "2", "--out", "wide"];
    assert_eq!(run_wide("128", &[&still[..], &wider].concat()), (Some(0), String::new()));
    let loss = |name: &str| {
        let report: Table = fs::read_to_string(path.join(name)).unwrap().parse().unwrap();
        report["result"]["fractions"].as_float().unwrap()
    };
    assert!((loss("wide.toml") / loss("hand.toml") - 1.0).abs() < 0.05);
    let narrower = run(&["--from", "wide.checkpoint", "--out", "narrow"]);
    let expected = "error: wide.checkpoint: expected a network of width 64 or less, mirror true, found width 128, mirror true\n";
    assert_eq!(narrower, (Some(2), expected.to_owned()));
    let (code, message) = run(&["--from", "x.vf", "--out", "none"]);
    assert_eq!((code, message.as_str()), (Some(2), "error: x.vf: expected a checkpoint of nnue train\n"));
}

#[test]
fn the_weights_of_checkpoints_are_their_mean() {
    let folder = tempfile::tempdir().unwrap();
    let settings = |seed| Settings { width: 64, seed, ..Settings::default() };
    let states = [1, 2, 3].map(|seed| State::new(recipe(settings(seed), 1)));
    let paths = [1, 2, 3].map(|seed| folder.path().join(format!("{seed}.checkpoint")));
    states.iter().zip(&paths).for_each(|(state, path)| state.save(path).unwrap());
    let (mean, fingerprints) = read_weights(&paths, &settings(1)).unwrap();
    let [first, second, third] = states.each_ref().map(|state| state.network.weights());
    for (((mean, first), second), third) in mean.weights().zip(first).zip(second).zip(third) {
        assert!((3.0 * mean - (first + second + third)).abs() < 1e-6, "{mean}: {first} {second} {third}");
    }
    let alone = paths.map(|path| read_weights(&[path], &settings(1)).unwrap().1);
    assert_eq!(fingerprints, alone.join(" "));
    assert_ne!(alone[0], alone[1]);
}

#[test]
fn the_network_that_ships_is_its_checkpoint_in_whole_numbers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../engines/tarrasch/networks");
    let report: Table = fs::read_to_string(folder.join("tarrasch-6.toml")).unwrap().parse().unwrap();
    let settings: Settings = report["recipe"]["settings"].clone().try_into().unwrap();
    let (weights, _) = read_weights(&[folder.join("tarrasch-6.checkpoint")], &settings).unwrap();
    let centipawns = report["result"]["centipawns"].as_float().unwrap();
    let bytes = quantized(&weights, settings.mirror, centipawns).to_bytes();
    assert!(bytes == fs::read(folder.join("tarrasch-6.nnue")).unwrap());
}
