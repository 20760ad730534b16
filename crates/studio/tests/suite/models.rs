//! Models: opened, examined, kept, written, laid out.

use serde_json::{Value, json};
use tourbillon::{Body, Sheet, SheetTemplate};
use tourbillon_studio::api::{About, Arrange, Examined, Open, Opened, Part, Write, Written};

use crate::client::usual;

#[test]
fn it_is_told_what_there_is() {
    let (_server, client) = usual();
    let about: About = client.get("/api/v1/about").json();
    assert_eq!(about.api, 1);
    assert!(about.file.is_none());
    assert!(about.examples.iter().any(|example| example.name == "train-gate.xml"));
    let order = about.axes.iter().find(|axis| axis.name == "order").expect("an axis");
    assert!(order.choices.iter().any(|choice| choice.name == "bfs"));
    assert_eq!(about.limits.body_bytes, 16 << 20);
    let status = client.status();
    assert_eq!((status.runs, status.runs_waiting, status.simulations, status.models), (0, 0, 0, 0));
}

#[test]
fn every_example_can_be_opened_and_has_no_errors() {
    let (_server, client) = usual();
    let about: About = client.get("/api/v1/about").json();
    for example in about.examples {
        let opened: Opened =
            client.post("/api/v1/open", &Open::Example { name: example.name.clone() }).json();
        assert!(!opened.is_file && opened.diagnostics.is_empty(), "{}", example.name);
        let examined = client.examine(&opened.sheet);
        assert!(examined.diagnostics.iter().all(|told| told.severity != "error"), "{}", example.name);
        let network = examined.network.expect("processes");
        assert!(!network.processes.is_empty());
        let drawn = matches!(opened.sheet.body, Body::Drawn(_));
        assert_eq!(examined.picture.is_empty(), drawn, "text has a picture");
        let again: Sheet = client.get(&format!("/api/v1/models/{}", examined.hash)).json();
        assert_eq!(again, opened.sheet);
        let known: Value = client.get(&format!("/api/v1/models/{}/examined", examined.hash)).json();
        assert_eq!(known["hash"], examined.hash);
    }
}

#[test]
fn a_mistake_is_told_at_its_place() {
    let (_server, client) = usual();
    let mut sheet = client.example("train-gate.xml");
    let Body::Drawn(drawing) = &mut sheet.body else { panic!("it is drawn") };
    let edge =
        drawing.templates[0].edges.iter().position(|edge| edge.labels.iter().any(|it| it.kind == "guard"));
    let edge = edge.expect("an edge with a guard");
    let labels = &mut drawing.templates[0].edges[edge].labels;
    let label = labels.iter().position(|label| label.kind == "guard").expect("a guard");
    labels[label].text = "nonsense >= 3".to_owned();
    let examined = client.examine(&sheet);
    let told = &examined.diagnostics[0];
    assert_eq!(told.severity, "error");
    assert!(!told.code.is_empty() && !told.explanation.is_empty() && told.message.contains("nonsense"));
    let part = Part::Edge { template: 0, edge: edge as u32, label: Some(label as u32) };
    assert_eq!((&told.place.part, told.place.from, told.place.to), (&part, 0, 8));
    assert!(examined.network.is_none());
    assert!(!examined.names.global.is_empty(), "names are there all the same");
}

#[test]
fn the_same_model_has_the_same_hash_and_others_have_others() {
    let (_server, client) = usual();
    let sheet = client.example("fischer.tck");
    let hash = client.examine(&sheet).hash;
    assert_eq!(hash.len(), 32);
    assert_eq!(client.examine(&sheet).hash, hash);
    assert_eq!(client.status().models, 1);
    let renamed = Sheet { name: "other.tck".to_owned(), ..sheet.clone() };
    let asked = Sheet { queries: vec![tourbillon::SheetQuery::default()], ..sheet };
    let others = [client.examine(&renamed).hash, client.examine(&asked).hash];
    assert!(others[0] != hash && others[1] != hash && others[0] != others[1]);
    assert_eq!(client.status().models, 3);
}

#[test]
fn models_are_kept_for_a_while_only() {
    let (_server, client) = usual();
    let hash = |number: usize| client.examine(&client.text("m.xta", &format!("// {number}\n"))).hash;
    let (first, second) = (hash(0), hash(1));
    for number in 2..65 {
        hash(number);
        assert_eq!(client.get(&format!("/api/v1/models/{first}")).status, 200, "what is used stays");
    }
    assert_eq!(client.get(&format!("/api/v1/models/{second}")).problem().error, "unknown-model");
    assert_eq!(client.get(&format!("/api/v1/models/{second}/examined")).status, 404);
    assert_eq!(client.status().models, 64);
}

#[test]
fn a_model_is_written_in_every_language_that_can_express_it() {
    let (_server, client) = usual();
    let write = |sheet: &Sheet, to: &str| -> Written {
        client.post("/api/v1/write", &Write { sheet: sheet.clone(), to: to.to_owned() }).json()
    };
    let fischer = client.example("fischer.xml");
    let xml = write(&fischer, "xml");
    assert_eq!(xml.name, "fischer.xml");
    assert_eq!(client.text("fischer.xml", &xml.text.expect("a text")), fischer);
    assert!(write(&fischer, "xta").text.expect("a text").contains("process"));
    let tck = client.example("fischer.tck");
    let own = write(&tck, "tck");
    assert_eq!(Some(own.text.expect("a text")), Some(tck.text()));
    let other = write(&tck, "xml");
    assert_eq!(other.name, "fischer.xml");
    assert!(other.text.expect("a text").contains("<nta>"));
    let broken =
        Sheet { name: "b.xta".to_owned(), body: Body::Text { text: "clock".to_owned() }, queries: vec![] };
    let refused = write(&broken, "tck");
    assert!(refused.text.is_none() && !refused.diagnostics.is_empty());
    let half = write(&broken, "xta");
    assert_eq!(half.text.as_deref(), Some("clock"), "in its own language whatever it says");
    let wrong = client.post("/api/v1/write", &json!({"sheet": fischer, "to": "pdf"}));
    assert_eq!(wrong.problem().error, "bad-request");
}

#[test]
fn a_template_is_laid_out_anew() {
    let (_server, client) = usual();
    let sheet = client.example("train-gate.xml");
    let Body::Drawn(drawing) = &sheet.body else { panic!("it is drawn") };
    let mut heap = drawing.templates[0].clone();
    heap.locations.iter_mut().for_each(|location| location.at = tourbillon::Spot::default());
    let arrange = Arrange { template: heap.clone(), labels_only: false };
    let laid: SheetTemplate = client.post("/api/v1/arrange", &arrange).json();
    let places = |template: &SheetTemplate| {
        let mut all: Vec<(i32, i32)> = template.locations.iter().map(|it| (it.at.x, it.at.y)).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    assert_eq!((places(&heap), places(&laid)), (1, laid.locations.len()));
    let labels: SheetTemplate =
        client.post("/api/v1/arrange", &Arrange { labels_only: true, ..arrange }).json();
    assert_eq!(places(&labels), 1, "locations stay");
}

#[test]
fn an_empty_model_can_be_begun_with() {
    let (_server, client) = usual();
    let opened: Opened = client.post("/api/v1/open", &Open::Empty).json();
    let examined: Examined = client.examine(&opened.sheet);
    assert!(examined.diagnostics.iter().all(|told| told.severity != "error"));
    assert_eq!(examined.network.expect("processes").processes.len(), 1);
}
