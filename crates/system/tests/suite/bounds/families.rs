//! The benchmark families: exactly the least fixpoint, since the number of stored zones depends on it.
//!
//! The tables were worked out from the texts by hand: for each location the comparisons there, and those on
//! the ways from there on which the clock is not reset.

use tourbillon_gen::family;

use super::{analysed, at_locations, show, tchecker, uppaal};

/// The bounds at the locations of a process of a family's member, as TChecker's text has it.
fn of_family(name: &str, size: u32, process: &str) -> Vec<String> {
    let model = tchecker(&family(name).unwrap().tck(size).unwrap());
    at_locations(&model, &analysed(&model), process)
}

#[test]
fn fischer() {
    assert_eq!(of_family("fischer", 3, "Process2"), ["idle", "request x2:_,10", "wait x2:10,_", "critical"]);
}

#[test]
fn csma_cd() {
    assert_eq!(
        of_family("csmacd", 3, "Bus"),
        ["Idle", "Active y:26,26", "Collision y:_,26", "Report y:_,26"]
    );
    assert_eq!(of_family("csmacd", 3, "Station3"), ["Wait", "Send x3:808,808", "Retry x3:_,52"]);
}

#[test]
fn fddi() {
    assert_eq!(
        of_family("fddi", 2, "Station1"),
        [
            "idle1 trt1:100,100 x1:_,120",
            "late1 trt1:100,100 y1:_,120",
            "sync1 trt1:100,100 x1:_,120 y1:_,120",
            "async1 trt1:100,100 x1:_,120 y1:_,120",
            "idle2 trt1:100,100 y1:_,120",
            "late2 trt1:100,100 x1:_,120",
            "sync2 trt1:100,100 x1:_,120 y1:_,120",
            "async2 trt1:100,100 x1:_,120 y1:_,120",
        ]
    );
    assert_eq!(of_family("fddi", 2, "Ring"), ["pass t:0,0", "wait"]);
}

#[test]
fn critical_region() {
    assert_eq!(
        of_family("critical-region", 2, "Cell1"),
        [
            "unready x1:_,20",
            "test x1:10,10",
            "request",
            "critical x1:20,20",
            "retest x1:10,10",
            "safe",
            "error"
        ]
    );
    assert_eq!(of_family("critical-region", 2, "Arbiter1"), ["ready", "granted"]);
}

#[test]
fn lynch_and_shavit() {
    assert_eq!(
        of_family("lynch", 2, "Process1"),
        [
            "idle",
            "claim x1:_,16",
            "delay x1:16,_",
            "look",
            "raise x1:_,16",
            "confirm",
            "critical",
            "lower x1:_,16",
            "free x1:_,16"
        ]
    );
}

#[test]
fn train_gate() {
    assert_eq!(
        of_family("train-gate", 2, "Train1"),
        ["Safe", "Appr x1:10,20", "Stop", "Start x1:7,15", "Cross x1:3,5"]
    );
}

#[test]
fn the_others() {
    assert_eq!(of_family("corsso", 2, "User1"), ["auth x1:2,_ y1:_,10", "access x1:2,_ y1:_,10"]);
    assert_eq!(
        of_family("dining-philosophers", 2, "Philosopher0"),
        ["think", "try x0:3,3", "eat x0:10,10", "tidy x0:_,0"]
    );
    assert_eq!(of_family("bridge", 2, "Viking1"), ["unsafe", "there x1:10,_", "safe", "back x1:10,_"]);
    assert_eq!(
        of_family("blow-up", 2, "Chain"),
        [
            "q1 y:1,_ x1:_,2 x2:_,2",
            "q2 y:1,_ x2:_,2",
            "q3 y:1,_ x1:_,2 x2:_,2",
            "q4 y:2,_ x1:_,2",
            "q5 y:2,_ x1:_,2 x2:_,2",
            "qf"
        ]
    );
}

#[test]
fn the_same_in_the_other_language() {
    let text = |name: &str| family(name).unwrap().xta(3).unwrap();
    let fischer = uppaal(&text("fischer"), "");
    assert_eq!(
        at_locations(&fischer, &analysed(&fischer), "Process(2)"),
        ["idle", "request x:_,10", "wait x:10,_", "critical"]
    );
    let csmacd = uppaal(&text("csmacd"), "E<> Station(2).Send && Station(2).x > 900");
    let analysis = analysed(&csmacd);
    assert_eq!(show(&csmacd, &analysis.local.everywhere), "x:900,_");
    assert_eq!(
        at_locations(&csmacd, &analysis, "Station(2)"),
        ["Wait x:900,_", "Send x:900,808", "Retry x:900,52"]
    );
}
