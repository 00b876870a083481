//! Property tests: a line of the protocol that was printed is read back as the same value.

use std::time::Duration;

use proptest::prelude::*;
use uci::{
    BestMove, Bound, Command, EngineOption, Go, Info, Message, OptionKind, Score, ScoreValue, StartPosition,
    UciMove,
};

fn uci_move() -> impl Strategy<Value = UciMove> {
    "[a-h][1-8][a-h][1-8][nbrq]?".prop_map(|text| text.parse().expect("the pattern is that of a move"))
}

fn millis() -> impl Strategy<Value = Duration> {
    (0..i64::MAX as u64).prop_map(Duration::from_millis)
}

/// A text that can be a value, with blanks in it as file names may have.
fn text() -> impl Strategy<Value = String> {
    "[A-Z][a-z0-9_/. ]{0,9}[a-z]"
}

/// Words that are not keywords of the protocol.
fn words() -> impl Strategy<Value = String> {
    "[A-Z][a-z0-9_]{0,6}( [A-Z][a-z0-9_]{0,6}){0,2}"
}

prop_compose! {
    fn clock()(
        wtime in proptest::option::of(millis()),
        btime in proptest::option::of(millis()),
        winc in proptest::option::of(millis()),
        binc in proptest::option::of(millis()),
        movetime in proptest::option::of(millis()),
    ) -> Go {
        Go { wtime, btime, winc, binc, movetime, ..Go::default() }
    }
}

prop_compose! {
    fn go()(
        clock in clock(),
        ponder: bool,
        infinite: bool,
        movestogo: Option<u32>,
        depth: Option<u32>,
        nodes: Option<u64>,
        mate: Option<u32>,
        perft: Option<u32>,
        searchmoves in proptest::collection::vec(uci_move(), 0..4),
    ) -> Go {
        Go { ponder, infinite, movestogo, depth, nodes, mate, perft, searchmoves, ..clock }
    }
}

fn start_position() -> impl Strategy<Value = StartPosition> {
    prop_oneof![
        Just(StartPosition::Startpos),
        Just(StartPosition::Fen("8/8/8/8/8/4k3/8/4K3 w - - 0 1".to_owned())),
    ]
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Uci),
        any::<bool>().prop_map(Command::Debug),
        Just(Command::IsReady),
        (words(), proptest::option::of(text())).prop_map(|(name, value)| Command::SetOption { name, value }),
        Just(Command::UciNewGame),
        (start_position(), proptest::collection::vec(uci_move(), 0..6))
            .prop_map(|(start, moves)| Command::Position { start, moves }),
        go().prop_map(Command::Go),
        Just(Command::Stop),
        Just(Command::PonderHit),
        Just(Command::Quit),
        any::<Option<u32>>().prop_map(Command::Bench),
        Just(Command::Display),
        Just(Command::Eval),
    ]
}

fn score() -> impl Strategy<Value = Score> {
    let value =
        prop_oneof![any::<i32>().prop_map(ScoreValue::Centipawns), any::<i32>().prop_map(ScoreValue::Mate)];
    let bound = prop_oneof![Just(Bound::Exact), Just(Bound::Lower), Just(Bound::Upper)];
    (value, bound).prop_map(|(value, bound)| Score { value, bound })
}

prop_compose! {
    fn info()(
        counts: (Option<u32>, Option<u32>, Option<u32>, Option<u64>, Option<u64>, Option<u32>, Option<u64>),
        score in proptest::option::of(score()),
        wdl: Option<[u16; 3]>,
        time in proptest::option::of(millis()),
        currmove in proptest::option::of(uci_move()),
        currmovenumber: Option<u32>,
        pv in proptest::collection::vec(uci_move(), 0..6),
        string in proptest::option::of(words()),
    ) -> Info {
        let (depth, seldepth, multipv, nodes, nps, hashfull, tbhits) = counts;
        Info {
            depth, seldepth, multipv, score, wdl, nodes, nps, hashfull, tbhits, time, currmove, currmovenumber, pv,
            string, unread: None,
        }
    }
}

fn engine_option() -> impl Strategy<Value = EngineOption> {
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        any::<(i128, i128, i128)>().prop_map(|(default, min, max)| OptionKind::Spin { default, min, max }),
        (words(), proptest::collection::vec(words(), 0..3))
            .prop_map(|(default, choices)| OptionKind::Combo { default, choices }),
        Just(OptionKind::Button),
        prop_oneof![Just(String::new()), words()].prop_map(|default| OptionKind::String { default }),
    ];
    (words(), kind).prop_map(|(name, kind)| EngineOption { name, kind })
}

fn message() -> impl Strategy<Value = Message> {
    prop_oneof![
        words().prop_map(Message::IdName),
        words().prop_map(Message::IdAuthor),
        engine_option().prop_map(Message::Option),
        Just(Message::UciOk),
        Just(Message::ReadyOk),
        info().prop_map(|info| Message::Info(Box::new(info))),
        (proptest::option::of(uci_move()), proptest::option::of(uci_move()))
            .prop_map(|(best, ponder)| Message::BestMove(BestMove { best, ponder })),
    ]
}

proptest! {
    #[test]
    fn a_printed_command_reads_back_as_itself(command in command()) {
        prop_assert_eq!(command.to_string().parse::<Command>(), Ok(command));
    }

    #[test]
    fn a_printed_message_reads_back_as_itself(message in message()) {
        prop_assert_eq!(message.to_string().parse::<Message>(), Ok(message));
    }
}
