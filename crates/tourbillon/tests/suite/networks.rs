//! Networks by number: what is drawn is what runs.

use std::path::Path;

use tourbillon::{Body, NetworkProcess, Sheet, SheetTemplate, names, network};

fn opened(name: &str) -> (Sheet, tourbillon::Loaded) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let (sheet, _) = Sheet::open(name, &std::fs::read(path).expect("an example"));
    let loaded = sheet.load();
    (sheet, loaded)
}

/// What is drawn of a process leads from where it leaves to where it leads.
fn agrees(process: &NetworkProcess, drawn: &SheetTemplate) {
    assert_eq!(process.locations.len(), drawn.locations.len());
    for location in &process.locations {
        let place = &drawn.locations[location.drawn.expect("it is drawn")];
        assert!(place.name == location.name || place.name.is_empty(), "{}", location.name);
    }
    for edge in &process.edges {
        let id =
            |location: usize| &drawn.locations[process.locations[location].drawn.expect("it is drawn")].id;
        let parts: Vec<_> = edge.drawn.iter().map(|&part| &drawn.edges[part]).collect();
        assert_eq!(&parts.first().expect("it is drawn").source, id(edge.source));
        assert_eq!(&parts.last().expect("it is drawn").target, id(edge.target));
        assert!(parts.windows(2).all(|two| two[0].target == two[1].source));
    }
}

#[test]
fn what_runs_is_what_is_drawn() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("examples") {
        let name = entry.expect("an example").file_name().to_string_lossy().into_owned();
        if !name.ends_with(".xml") && !name.ends_with(".tck") {
            continue;
        }
        let (sheet, loaded) = opened(&name);
        let picture = sheet.picture(&loaded);
        let network = network(&loaded).expect("examples have no errors");
        for process in &network.processes {
            agrees(process, &picture[process.template.expect("it is drawn")]);
        }
        count += 1;
    }
    assert!(count > 8);
}

#[test]
fn a_branch_point_joins_two_edges() {
    let text = "clock x; process Q() { state S; init S; }
        process P() { state A, B, C; branchpoint F; init A;
        trans B -> B { }, A -> F { guard x > 1; }, F -> B { probability 1; }, F -> C { assign x = 0; }, C -> A { }; }
        P1 = P(); P2 = P(); system Q, P1, P2;";
    let (sheet, loaded) = Sheet::open("p.xta", text.as_bytes());
    assert!(loaded.model.is_some(), "{:?}", loaded.diagnostics);
    let network = network(&loaded).expect("a model");
    let drawn: Vec<_> = network.processes[2].edges.iter().map(|edge| edge.drawn.clone()).collect();
    assert_eq!(drawn, [vec![0], vec![1, 2], vec![1, 3], vec![4]]);
    let templates: Vec<_> = network.processes.iter().map(|process| process.template).collect();
    assert_eq!(templates, [Some(0), Some(1), Some(1)]);
    let picture = sheet.picture(&loaded);
    network.processes.iter().for_each(|process| agrees(process, &picture[process.template.expect("drawn")]));
}

#[test]
fn names_are_known_while_a_model_is_half_written() {
    let (mut sheet, _) = opened("train-gate.xml");
    let Body::Drawn(drawing) = &mut sheet.body else { panic!("a drawing") };
    drawing.declarations.push_str("\ntypedef clock timer; timer t; int i = ");
    drawing.templates[0].edges[0].labels[0].text = "x >".to_owned();
    drawing.system = "Second = Train(1); system Tr".to_owned();
    let loaded = sheet.load();
    assert!(loaded.model.is_none());
    let names = names(&loaded);
    let kind = |word: &str| names.global.iter().find(|name| name.name == word).map(|name| name.kind);
    assert_eq!(kind("t"), Some("clock"));
    assert_eq!(kind("Train"), Some("template"));
    assert_eq!(kind("Second"), Some("process"));
    assert_eq!(kind("appr"), Some("channel"));
    let of = |word: &str| names.members.iter().find(|members| members.of == word).expect("members");
    assert_eq!(of("Second").names, of("Train").names);
    assert!(of("Train").names.iter().any(|name| name.kind == "location" && name.name == "Cross"));
    assert!(names.templates[0].iter().any(|name| name.kind == "parameter" && name.name == "id"));
}
