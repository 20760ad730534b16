//! `cargo bench -p tourbillon`: how long it takes to read and check a UPPAAL file of 5 MB, and in how much memory.
//!
//! The file has 630 templates of 10 locations and 20 edges, each with a selection, a guard with a quantifier, a
//! synchronisation and calls of functions, and a process made from each: more than any model that people write.
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::fmt::Write as _;
use std::time::Instant;

fn main() {
    let text = large_model(630);
    let megabytes = text.len() as f64 / 1e6;
    let start = Instant::now();
    let loaded = tourbillon::load("large.xml", text.as_bytes());
    let seconds = start.elapsed().as_secs_f64();
    let model = loaded.model.expect("the file is right");
    let edges: usize = model.processes.iter().map(|process| process.edges.len()).sum();
    println!(
        "read and checked {megabytes:.1} MB in {seconds:.2} s: {} processes, {edges} edges",
        model.processes.len()
    );
    if let Some(line) = peak_memory() {
        println!("{line}");
    }
}

fn large_model(templates: usize) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<nta><declaration>const int N = 10; typedef int[0,N-1] id_t;\n\
         chan c[N]; int[0,100] v[N];\n\
         int f(int a, int b) { int s = 0; for (i : id_t) { s += v[i] * a; } return s &gt; 50 ? 1 : b; }</declaration>\n",
    );
    let (mut instances, mut listed) = (String::new(), Vec::new());
    for t in 0..templates {
        template(t, &mut out);
        let _ = writeln!(instances, "P{t} = T{t}({});", t % 10);
        listed.push(format!("P{t}"));
    }
    let _ = writeln!(out, "<system>{instances}system {};</system></nta>", listed.join(", "));
    out
}

fn template(t: usize, out: &mut String) {
    let _ = writeln!(
        out,
        "<template><name>T{t}</name><parameter>const id_t k</parameter><declaration>clock x, y; int[0,20] n; bool b;\n\
         void inc() {{ if (n &lt; 20) n++; }}</declaration>"
    );
    for l in 0..10 {
        let limit = 10 + l;
        let _ = writeln!(
            out,
            "<location id=\"id{l}\" x=\"{}\" y=\"0\"><name>L{l}</name><label kind=\"invariant\">x &lt;= {limit} \
             &amp;&amp; (b || y &lt;= 30)</label></location>",
            l * 100
        );
    }
    out.push_str("<init ref=\"id0\"/>\n");
    for e in 0..20 {
        let (source, target, mark) = (e % 10, (e * 7 + 1) % 10, if e % 2 == 0 { '?' } else { '!' });
        let _ = writeln!(
            out,
            "<transition><source ref=\"id{source}\"/><target ref=\"id{target}\"/><label kind=\"select\">i : id_t</label>\
             <label kind=\"guard\">x &gt;= {e} &amp;&amp; n != i &amp;&amp; forall (j : id_t) v[j] &lt; 90</label>\
             <label kind=\"synchronisation\">c[i]{mark}</label>\
             <label kind=\"assignment\">x = 0, inc(), v[i] = f(n, 1), b = !b</label></transition>"
        );
    }
    out.push_str("</template>\n");
}

/// What the system says about the most memory that was used, where it says so.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find(|line| line.starts_with("VmHWM")).map(|line| line.replace("VmHWM:", "peak memory:"))
}
