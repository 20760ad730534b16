//! The plan options that a form offers, for one machine and one model: rows of the option table of `check`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tourbillon_check::{AXES, Axis, AxisInfo, PlanRequest, no_such_value};

/// An option of a plan, for a form.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FormOption {
    /// The name of the option on the command line, without dashes.
    pub name: String,
    /// A phrase without a full stop.
    pub about: String,
    pub choices: Vec<FormChoice>,
}

/// A value of an option, for a form.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct FormChoice {
    pub name: String,
    /// A phrase without a full stop.
    pub about: String,
}

/// The options that a form offers.
///
/// ```
/// let order = tourbillon::form_options().into_iter().find(|option| option.name == "order").expect("an option");
/// assert_eq!((order.choices[0].name.as_str(), order.choices[0].about.as_str()), ("bfs", "Breadth first"));
/// ```
#[must_use]
pub fn form_options() -> Vec<FormOption> {
    let choice = |choice: &tourbillon_check::AxisChoice| FormChoice {
        name: choice.name.to_owned(),
        about: choice.help.to_owned(),
    };
    let option = |info: &AxisInfo| FormOption {
        name: info.name.to_owned(),
        about: info.help.to_owned(),
        choices: info.page_choices().map(choice).collect(),
    };
    offered().map(option).collect()
}

fn offered() -> impl Iterator<Item = &'static AxisInfo> {
    AXES.iter().filter(|info| info.on_page)
}

/// The plan request of a form: names of options with names of their values.
///
/// ```
/// use tourbillon::{Order, plan_request_from};
///
/// let form = |option: &str, value: &str| [(option.to_owned(), value.to_owned())].into_iter().collect();
/// assert_eq!(plan_request_from(&form("order", "dfs")).map(|request| request.order), Ok(Some(Order::Dfs)));
/// assert!(plan_request_from(&form("order", "backwards")).is_err());
/// ```
///
/// # Errors
/// If there is no such option or value, in a sentence.
pub fn plan_request_from(form: &BTreeMap<String, String>) -> Result<PlanRequest, String> {
    let mut plan_request = PlanRequest { any_engine: true, ..PlanRequest::default() };
    for (name, value) in form {
        let axis = Axis::from_name(name).filter(|axis| axis.info().on_page);
        let info = axis.ok_or_else(|| no_such_option(name))?.info();
        if !info.page_choices().any(|choice| choice.name == value) {
            return Err(no_such_value(info, value, info.page_choices()));
        }
        plan_request.set(info.axis, value)?;
    }
    Ok(plan_request)
}

fn no_such_option(name: &str) -> String {
    let short: String = name.chars().take(40).collect();
    let names: Vec<&str> = offered().map(|info| info.name).collect();
    format!("there is no option `{short}`: the options are {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_refused_with_what_is() {
        let refused = |option: &str, value: &str| {
            plan_request_from(&BTreeMap::from([(option.to_owned(), value.to_owned())])).expect_err("an error")
        };
        assert!(refused("colour", "on").starts_with("there is no option `colour`: the options are engine, "));
        assert!(refused("layout", "hash").starts_with("there is no option `layout`"));
        assert_eq!(
            refused("reduce", "perhaps"),
            "`perhaps` is not a value of `reduce`: the values are on, off"
        );
        assert!(refused("engine", "cluster").contains("the values are zones, symbolic"));
    }
}
