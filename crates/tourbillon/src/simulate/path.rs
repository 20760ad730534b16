//! The steps of a simulation as a text for addresses: `0_2~5-2_w~3`.
//!
//! A move is the number of the choice that was taken, and in single states the delay before it; `w` is a delay without
//! a step. Choices are numbered in an order that depends on the model alone, so a path leads to the same state
//! wherever the same model is simulated.

use tourbillon_base::Rational;

use super::{Impossible, Simulation, When, parse_number};

/// How many moves a path may have.
const MOVES_MAX: usize = 100_000;

/// A move of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PathMove {
    /// A choice, and the delay before it if one is given.
    Step(usize, Option<Rational>),
    Wait(Rational),
}

impl Simulation<'_> {
    /// The moves so far, as a text: their choices joined by `_`, each with its delay after `~` in single states. `-` is
    /// the bar of a fraction, and `w` a delay without a step.
    ///
    /// # Errors
    /// If what can happen along the way cannot be computed.
    ///
    /// ```
    /// use tourbillon::{Simulation, When, load, parse_number};
    ///
    /// let text = b"clock x; process P() { state A { x <= 5 }; init A; trans A -> A { guard x > 2; assign x = 0; }; } system P;";
    /// let loaded = load("p.xta", text);
    /// let mut simulation = Simulation::new(&loaded)?;
    /// simulation.step(0, When::After(parse_number("5/2").expect("a number"))).expect("it can be taken");
    /// simulation.wait(parse_number("1").expect("a number")).expect("it can wait");
    /// let path = simulation.path().expect("nothing goes wrong");
    /// assert_eq!(path, "0~5-2_w~1");
    ///
    /// let mut other = Simulation::new(&loaded)?;
    /// other.follow_path(&path).expect("the same model");
    /// assert_eq!(other.situation(), simulation.situation());
    /// # Ok::<(), tourbillon::CheckError>(())
    /// ```
    pub fn path(&self) -> Result<String, Impossible> {
        let moves: Vec<String> = match &self.symbolic {
            Some(symbolic) => symbolic.numbers().iter().map(usize::to_string).collect(),
            None => {
                let numbers = self.concrete.numbers()?;
                let taken = self.concrete.past().iter();
                taken.zip(numbers).map(|(taken, number)| move_text(number, taken.delay)).collect()
            }
        };
        Ok(moves.join("_"))
    }

    /// Goes along a path from the start, instead of what was done so far.
    ///
    /// # Errors
    /// If it is no path of this model: where, and why. Then the simulation stays where it went wrong.
    pub fn follow_path(&mut self, path: &str) -> Result<(), Impossible> {
        let moves = parse(path)?;
        self.restart();
        for (index, next) in moves.into_iter().enumerate() {
            let moved = match next {
                PathMove::Step(choice, delay) => self.step(choice, delay.map_or(When::Earliest, When::After)),
                PathMove::Wait(delay) => self.wait(delay),
            };
            moved.map_err(|why| Impossible::new(format!("at move {} of the path: {why}", index + 1)))?;
        }
        Ok(())
    }
}

fn move_text(number: Option<usize>, delay: Rational) -> String {
    let delay = delay.to_string().replace('/', "-");
    match number {
        Some(number) => format!("{number}~{delay}"),
        None => format!("w~{delay}"),
    }
}

fn parse(path: &str) -> Result<Vec<PathMove>, Impossible> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let mut moves = Vec::new();
    for text in path.split('_') {
        if moves.len() == MOVES_MAX {
            return Err(Impossible::new(format!("a path has at most {MOVES_MAX} moves")));
        }
        let wrong = || {
            let text: String = text.chars().take(40).collect();
            Impossible::new(format!("`{text}` is no move of a path"))
        };
        moves.push(parse_move(text).ok_or_else(wrong)?);
    }
    Ok(moves)
}

fn parse_move(text: &str) -> Option<PathMove> {
    let (number, delay) = match text.split_once('~') {
        // A delay is not negative, so a bar is all that `-` can be.
        Some((number, delay)) => (number, Some(parse_number(&delay.replace('-', "/"))?)),
        None => (text, None),
    };
    if number == "w" {
        return delay.map(PathMove::Wait);
    }
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let choice = number.parse().ok().filter(|_| digits)?;
    Some(PathMove::Step(choice, delay))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_or_refused() {
        let half = Rational::new(5, 2);
        let expected = vec![
            PathMove::Step(0, None),
            PathMove::Step(12, half),
            PathMove::Wait(Rational::from_integer(3)),
        ];
        assert_eq!(parse("0_12~5-2_w~3"), Ok(expected));
        assert_eq!(parse(""), Ok(Vec::new()));
        for wrong in ["_", "w", "-1", "+1", "0~", "0~x", "x~1", "0~1-0", "0__1", "99999999999999999999"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert!(parse(&"0_".repeat(MOVES_MAX)).is_err());
    }
}
