//! The steps of a simulation as a text for URLs: `0_2~5-2_w~3`.
//!
//! A move is the index of the step, in concrete mode with the delay before it; `w` is a delay without a step. The order
//! of steps depends only on the model, so a path leads to the same state wherever the same model is simulated.

use tourbillon_base::Rational;

use super::{Simulation, SimulationError, When, parse_number};

/// The maximum number of moves of a path.
const MOVES_MAX: usize = 100_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PathMove {
    /// A step, and the delay before it if one is given.
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
    /// assert_eq!(other.current_state(), simulation.current_state());
    /// # Ok::<(), tourbillon::CheckError>(())
    /// ```
    pub fn path(&self) -> Result<String, SimulationError> {
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

    /// Replaces the run so far by the moves of a path.
    ///
    /// # Errors
    /// If it is no path of this model: where, and why. The simulation then stays at the last legal state.
    pub fn follow_path(&mut self, path: &str) -> Result<(), SimulationError> {
        let moves = parse(path)?;
        self.restart();
        for (index, next) in moves.into_iter().enumerate() {
            let moved = match next {
                PathMove::Step(choice, delay) => self.step(choice, delay.map_or(When::Earliest, When::After)),
                PathMove::Wait(delay) => self.wait(delay),
            };
            moved.map_err(|why| SimulationError::new(format!("at move {} of the path: {why}", index + 1)))?;
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

fn parse(path: &str) -> Result<Vec<PathMove>, SimulationError> {
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let mut moves = Vec::new();
    for text in path.split('_') {
        if moves.len() == MOVES_MAX {
            return Err(SimulationError::new(format!("a path has at most {MOVES_MAX} moves")));
        }
        let wrong = || {
            let text: String = text.chars().take(40).collect();
            SimulationError::new(format!("`{text}` is not a move of a path"))
        };
        moves.push(parse_move(text).ok_or_else(wrong)?);
    }
    Ok(moves)
}

fn parse_move(text: &str) -> Option<PathMove> {
    let (number, delay) = match text.split_once('~') {
        // A delay is not negative, so `-` is always the bar of a fraction.
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
