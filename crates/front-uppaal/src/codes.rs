//! Diagnostic codes of UPPAAL files.
//!
//! `U010.` is about bytes and dialects, `U011.` about XML as such, `U012.` about the elements of a model, `U013.`
//! about templates, `U014.` about what is recognised and not supported, `U015.` about what another format cannot
//! express. What is wrong inside a label or declaration has a code of the syntax crate.

tourbillon_base::define_codes! {
    /// Every code of the document layer.
    pub const CODES;

    ENCODING = "U0101", "text in another encoding than it says",
        "Models are read as UTF-8 unless an XML file declares ISO-8859-1, windows-1252 or US-ASCII, or starts with the \
         mark of UTF-16. Bytes that make no sense in that encoding are read as windows-1252, which is what most \
         editors mean by them; control characters, which XML forbids, become U+FFFD. The message points at the first \
         such place. Save the file as UTF-8 to be rid of it.";
    TOO_LARGE = "U0102", "a file that is too large",
        "Files of up to 1 GiB are read. Models of that size come from generators; use arrays, functions and templates \
         with parameters instead.";
    OLD_DIALECT = "U0103", "read in the syntax of UPPAAL 3.4",
        "The text is not in the language of today, and makes more sense in that of UPPAAL 3.4: `const N 5;`, \
         conjunctions written with commas, parameters that are references unless constant. It is read as that. Convert the \
         model to silence this note, or ask for a dialect by name.";

    MARKUP = "U0111", "broken markup",
        "The text between `<` and `>` is not XML: a tag, comment or CDATA section that is never closed, or that closes \
         in the wrong place. The `<` is skipped and reading goes on behind it, so other mistakes are found as well.";
    MISMATCHED_TAG = "U0112", "a closing tag that does not fit",
        "Elements are closed in the reverse order of their opening. If the closing tag belongs to an element further \
         out, the ones inside it are taken as closed, too; if it belongs to none, it is ignored.";
    UNCLOSED_ELEMENT = "U0113", "the file ends inside an element",
        "The file is cut off, or a closing tag is missing. What was read up to there is kept.";
    BARE_CHARACTER = "U0114", "`<` or `&` written as itself",
        "In XML, `<` starts a tag and `&` an entity. Write `&lt;` and `&amp;`, or put the whole text into a CDATA \
         section: `<![CDATA[ x < 5 && y > 3 ]]>`. The character is taken as itself.";
    UNKNOWN_ENTITY = "U0115", "an entity without a meaning",
        "XML knows `&lt;`, `&gt;`, `&amp;`, `&apos;`, `&quot;` and numbers such as `&#60;`. Entities of a file's own \
         DTD are not expanded: they have no use in models, and a few lines of them can expand to gigabytes.";
    BAD_CHARACTER = "U0116", "the number of no character",
        "A numeric entity gives the number of a character that XML allows, in decimal (`&#60;`) or hexadecimal \
         (`&#x3c;`).";
    INTERNAL_DTD = "U0117", "declarations inside the DOCTYPE are ignored",
        "The structure of a model is known; neither the DTD that the file names nor declarations between square brackets \
         are read.";
    NESTING = "U0118", "elements nested too deeply",
        "The elements of a model are at most seven levels deep. What is nested more than a hundred levels deep is \
         skipped.";
    BAD_ATTRIBUTE = "U0119", "an attribute that cannot be read",
        "Attributes are written `name=\"value\"`, each at most once.";

    WRONG_ROOT = "U0121", "not a UPPAAL model",
        "A UPPAAL model is an XML document whose outermost element is `nta` (or `project`, in old files).";
    UNKNOWN_ELEMENT = "U0122", "an element that has no meaning here",
        "The element is skipped with everything in it. Elements may come in any order, but each has its parent: labels \
         belong to locations and transitions, locations and transitions to templates.";
    UNKNOWN_ATTRIBUTE = "U0123", "an attribute that has no meaning here",
        "The attribute is ignored and is not written out again.";
    STRAY_TEXT = "U0124", "text between elements",
        "There can be no text directly inside this element. The text is ignored.";
    REPEATED_ELEMENT = "U0125", "an element repeated",
        "This element can occur once. The first one counts.";
    MISSING_SYSTEM = "U0126", "the system section is missing",
        "A model needs a `<system>` element that says which processes run: `system P, Q;`.";
    MISSING_ATTRIBUTE = "U0127", "an attribute is missing",
        "A location needs an `id`; `init`, `source` and `target` need a `ref` with such an id; a label needs a \
         `kind`; an option a `key`.";
    BAD_NUMBER = "U0128", "a coordinate that is not a number",
        "Coordinates are integers. Without one, the element is placed automatically.";
    BAD_VALUE = "U0129", "an attribute with an unknown value",
        "The attribute takes one of a few values. The value is kept, and treated as if the attribute were absent.";

    MISSING_NAME = "U0131", "a template without a name",
        "The system section refers to a template by its name.";
    BAD_NAME = "U0132", "a name that is not an identifier",
        "Names consist of letters, digits and underscores and do not start with a digit.";
    MISSING_INIT = "U0133", "a template without an initial location",
        "Every template has an `<init ref=\"…\"/>` that names one of its locations.";
    DUPLICATE_ID = "U0134", "an id used twice",
        "The ids of locations and branch points are unique in their template, since transitions refer to them. The \
         first one counts.";
    DANGLING_REFERENCE = "U0135", "a reference to a location that does not exist",
        "The `ref` of an `init`, `source` or `target` is the id of a location or branch point of the same template. Ids are \
         not names: the name of a location is what its `<name>` says. A transition with such an end is left out.";
    MISSING_END = "U0136", "a transition without a source or target",
        "A transition has one `<source ref=\"…\"/>` and one `<target ref=\"…\"/>`. It is left out.";
    UNKNOWN_LABEL = "U0137", "a label of an unknown kind",
        "Locations have labels of the kinds invariant, exponentialrate, comments, testcodeEnter and testcodeExit; \
         transitions have select, guard, synchronisation, assignment, probability, comments and testcode. Others are kept \
         as text and have no effect, which is an error if one looks like a misspelt word of these.";
    REPEATED_LABEL = "U0138", "two labels of one kind",
        "An edge or location has at most one label of each kind. Join guards and invariants with `&&` and updates \
         with commas.";
    TEXTUAL_ITEM = "U0139", "a part of a textual model in an XML file",
        "In an XML file, templates are `<template>` elements and queries `<query>` elements. A `process` or `query` block \
         inside the text of another element is left out.";

    LIVE_SEQUENCE_CHART = "U0141", "live sequence charts are not supported",
        "The chart is kept and written out again, and takes no part in checking.";
    IMPORTS = "U0142", "imports are not supported",
        "The text of the `<imports>` element is kept and written out again, and has no effect.";

    UNKNOWN_ANNOTATION = "U0143", "an annotation that is not known",
        "A comment that begins with `tourbillon:` says something to this program that other tools pass over. There is one \
         such annotation, outside templates: `// tourbillon: overflow wrap` lets results that exceed 32 bits wrap, as \
         `--overflow wrap` does, and `// tourbillon: overflow error` makes them errors, as they are without it. A comment \
         that is neither, but looks as if it should be, has no effect.";
    CONFLICTING_ANNOTATIONS = "U0144", "annotations that say the opposite of each other",
        "One comment says `tourbillon: overflow wrap`, another one `tourbillon: overflow error`. Leave one of them out.";

    LOST_IN_XTA = "U0151", "something that a textual model cannot express",
        "Textual models (`.xta`) hold no positions, colours, comments on locations and edges, test code, ids, live \
         sequence charts, nor anything about queries but their formulas.";
    LOST_IN_QUERIES = "U0152", "something that a file of queries cannot express",
        "A `.q` file holds formulas, comments and expectations; no options, no stored results, and no headings without a \
         formula: the comment of a heading goes to the query after it.";
    LOST_COMMENTS = "U0153", "comments inside text are not kept",
        "The text is written anew from what was understood of it, without its comments and line breaks: because the \
         model was in the syntax of UPPAAL 3.4, or because it moves between XML and text.";
    WRITTEN_WITH_ERRORS = "U0154", "something that could not be read cannot be written",
        "The text had errors; in their place the output has the comment `/* error */`. Correct them first.";
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_unique_and_explained() {
        assert_eq!(tourbillon_base::faults(super::CODES), [""; 0]);
    }
}
