//! The TypeScript types of the page, generated from the Rust types.

use std::any::TypeId;
use std::collections::BTreeMap;

use ts_rs::{Config, TS, TypeVisitor};

use super::*;

/// Collects the declarations of types and of those they are made of, each once. In which order a type tells what it is
/// made of depends on how it was compiled, so they are sorted.
struct Declarations {
    config: Config,
    seen: Vec<TypeId>,
    all: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if T::output_path().is_none() || self.seen.contains(&TypeId::of::<T>()) {
            return;
        }
        self.seen.push(TypeId::of::<T>());
        let docs = T::docs().unwrap_or_default();
        let text = format!("\n{}export {}\n", docs, T::decl(&self.config));
        self.all.insert(T::ident(&self.config), text);
        T::visit_dependencies(self);
    }
}

const HEAD: &str = "// Made from the Rust types of crates/studio/src/api by its tests; do not edit.\n\
               // UPDATE_TYPES=1 cargo test -p tourbillon-studio typescript\n";

fn generated() -> String {
    let mut all = Declarations {
        config: Config::new().with_large_int("number"),
        seen: Vec::new(),
        all: BTreeMap::new(),
    };
    all.visit::<Problem>();
    all.visit::<About>();
    all.visit::<Status>();
    all.visit::<Open>();
    all.visit::<Opened>();
    all.visit::<Save>();
    all.visit::<Saved>();
    all.visit::<Write>();
    all.visit::<Written>();
    all.visit::<Arrange>();
    all.visit::<Examined>();
    all.visit::<RunRequest>();
    all.visit::<RunEvent>();
    all.visit::<SimulationStart>();
    all.visit::<SimulationRequest>();
    all.visit::<SimulationView>();
    all.visit::<Path>();
    all.visit::<Trace>();
    let types: String = all.all.into_values().collect();
    format!("{HEAD}{types}\nexport const API_VERSION = {VERSION};\n")
}

#[test]
fn the_page_has_the_types_of_the_server() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studio/src/api/types.ts");
    let new = generated();
    if std::env::var_os("UPDATE_TYPES").is_some() {
        std::fs::write(&path, &new).expect("the file of types can be written");
    }
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        old == new,
        "studio/src/api/types.ts is old: UPDATE_TYPES=1 cargo test -p tourbillon-studio typescript"
    );
}
