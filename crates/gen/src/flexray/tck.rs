//! The text in TChecker's language.
//!
//! It has no functions: what UPPAAL's text calls is put in where `$SEND0`, `$SHIFT` and so on stand. What is selected
//! there has a line for each level here, the low one first.

/// What stands for what.
pub(super) const INLINED: &[(&str, &str)] = &[
    (
        "$SEND0",
        "if expected==2 then expected=0 else if behind==0 then behind=1 else expected=3 end end; bit=0",
    ),
    (
        "$SEND1",
        "if expected==2 then expected=1 else if behind==0 then behind=1 else expected=3 end end; bit=1",
    ),
    ("$STROBE", "if behind==1 then expected=bit else expected=2 end; behind=0"),
    ("$SUM", "s1+s2+s3+s4"),
    ("$SHIFT", "s4=s3; s3=s2; s2=s1; s1"),
    ("$TICK", "count=count%8+1"),
];

/// Constants are written out, and variables are known everywhere.
pub(super) const HEAD: &str = r"# The physical layer of FlexRay: a frame of $N bytes that one clock sends and another one samples.
# It does not arrive as it was sent where error is found; it has arrived where done is.

system:$NAME_$N

event:tau
event:low
event:high

# on the bus
int:1:0:1:1:bit
# the next to be strobed; 2: nothing, 3: more was lost than can be told
int:1:0:3:2:expected
# 1: there is one more, the bit on the bus
int:1:0:1:0:behind
$REGISTER";

pub(super) const SENDER: &str = r"
process:Sender
clock:1:x
int:1:1:8:1:cycle
int:1:1:15:1:index
int:1:0:$N:0:byte
location:Sender:Off{initial:}
location:Sender:Idle{invariant: x<=$MAX}
location:Sender:Tss{invariant: x<=$MAX}
location:Sender:Fss{invariant: x<=$MAX}
location:Sender:BssHigh{invariant: x<=$MAX}
location:Sender:BssLow{invariant: x<=$MAX}
location:Sender:Data{invariant: x<=$MAX}
location:Sender:FesLow{invariant: x<=$MAX}
location:Sender:FesHigh{invariant: x<=$MAX}
edge:Sender:Off:Idle:tau{do: x=0}
edge:Sender:Idle:Idle:tau{provided: x>=$MIN : do: x=0}
edge:Sender:Idle:Tss:tau{provided: x>=$MIN : do: x=0; $SEND0}
edge:Sender:Tss:Tss:tau{provided: x>=$MIN && cycle<8 : do: x=0; cycle=cycle+1}
edge:Sender:Tss:Tss:tau{provided: x>=$MIN && cycle==8 && index<15 : do: x=0; cycle=1; index=index+1; $SEND0}
edge:Sender:Tss:Fss:tau{provided: x>=$MIN && cycle==8 && index==15 : do: x=0; cycle=1; index=1; $SEND1}
edge:Sender:Fss:Fss:tau{provided: x>=$MIN && cycle<8 : do: x=0; cycle=cycle+1}
edge:Sender:Fss:BssHigh:tau{provided: x>=$MIN && cycle==8 : do: x=0; cycle=1; byte=byte+1; $SEND1}
edge:Sender:BssHigh:BssHigh:tau{provided: x>=$MIN && cycle<8 : do: x=0; cycle=cycle+1}
edge:Sender:BssHigh:BssLow:tau{provided: x>=$MIN && cycle==8 : do: x=0; cycle=1; $SEND0}
edge:Sender:BssLow:BssLow:tau{provided: x>=$MIN && cycle<8 : do: x=0; cycle=cycle+1}
edge:Sender:BssLow:Data:tau{provided: x>=$MIN && cycle==8 : do: x=0; cycle=1; $SEND0$KEEP0}
edge:Sender:BssLow:Data:tau{provided: x>=$MIN && cycle==8 : do: x=0; cycle=1; $SEND1$KEEP1}
edge:Sender:Data:Data:tau{provided: x>=$MIN && cycle<8 : do: x=0; cycle=cycle+1}
edge:Sender:Data:Data:tau{provided: x>=$MIN && cycle==8 && index<8 : do: x=0; cycle=1; index=index+1; $SEND0$KEEP0}
edge:Sender:Data:Data:tau{provided: x>=$MIN && cycle==8 && index<8 : do: x=0; cycle=1; index=index+1; $SEND1$KEEP1}
edge:Sender:Data:BssHigh:tau{provided: x>=$MIN && cycle==8 && index==8 && byte<$N : do: x=0; cycle=1; index=1; byte=byte+1; $SEND1}
edge:Sender:Data:FesLow:tau{provided: x>=$MIN && cycle==8 && index==8 && byte==$N : do: x=0; cycle=1; index=1; $SEND0}
edge:Sender:FesLow:FesLow:tau{provided: x>=$MIN && cycle<8 : do: x=0; cycle=cycle+1}
edge:Sender:FesLow:FesHigh:tau{provided: x>=$MIN && cycle==8 : do: x=0; cycle=1; $SEND1}
edge:Sender:FesHigh:FesHigh:tau{provided: x>=$MIN : do: x=0}
";

pub(super) const SAMPLER: &str = r"
process:Sampler
clock:1:y
int:1:0:1:1:s1
int:1:0:1:1:s2
int:1:0:1:1:s3
int:1:0:1:1:s4
int:1:0:3:0:clean
location:Sampler:Clean{initial: : invariant: y<=$MAX}
location:Sampler:Flipped{invariant: y<=$MAX : labels: flipped}
edge:Sampler:Clean:Clean:low{provided: y>=$MIN && bit+$SUM<=2 : do: y=0; $SHIFT=bit}
edge:Sampler:Clean:Clean:high{provided: y>=$MIN && bit+$SUM>=3 : do: y=0; $SHIFT=bit}
edge:Sampler:Clean:Flipped:low{provided: y>=$MIN && 1-bit+$SUM<=2 : do: y=0; $SHIFT=1-bit}
edge:Sampler:Clean:Flipped:high{provided: y>=$MIN && 1-bit+$SUM>=3 : do: y=0; $SHIFT=1-bit}
edge:Sampler:Flipped:Flipped:low{provided: y>=$MIN && clean<3 && bit+$SUM<=2 : do: y=0; $SHIFT=bit; clean=clean+1}
edge:Sampler:Flipped:Flipped:high{provided: y>=$MIN && clean<3 && bit+$SUM>=3 : do: y=0; $SHIFT=bit; clean=clean+1}
edge:Sampler:Flipped:Clean:low{provided: y>=$MIN && clean==3 && bit+$SUM<=2 : do: y=0; $SHIFT=bit; clean=0}
edge:Sampler:Flipped:Clean:high{provided: y>=$MIN && clean==3 && bit+$SUM>=3 : do: y=0; $SHIFT=bit; clean=0}
";

pub(super) const RECEIVER: &str = r"
process:Receiver
int:1:1:8:1:count
int:1:1:8:1:place
location:Receiver:Idle{initial:}
location:Receiver:Start
location:Receiver:Next
location:Receiver:Edge
location:Receiver:Low
location:Receiver:Data
location:Receiver:End
location:Receiver:Done{labels: done}
location:Receiver:Error{labels: error}
edge:Receiver:Idle:Idle:high{provided: expected!=3}
edge:Receiver:Idle:Start:low{provided: expected!=3 : do: count=2}
edge:Receiver:Idle:Error:low{provided: expected==3}
edge:Receiver:Idle:Error:high{provided: expected==3}
edge:Receiver:Start:Start:low{provided: count!=5 : do: $TICK}
edge:Receiver:Start:Start:high{provided: count!=5 : do: $TICK}
edge:Receiver:Start:Start:low{provided: count==5 && expected==0 : do: count=6; $STROBE}
edge:Receiver:Start:Next:high{provided: count==5 && expected==1 : do: count=6; $STROBE}
edge:Receiver:Start:Error:low{provided: count==5 && expected!=0}
edge:Receiver:Start:Error:high{provided: count==5 && expected!=1}
edge:Receiver:Next:Next:low{provided: count!=5 : do: $TICK}
edge:Receiver:Next:Next:high{provided: count!=5 : do: $TICK}
edge:Receiver:Next:End:low{provided: count==5 && expected==0 : do: count=6; $STROBE}
edge:Receiver:Next:Edge:high{provided: count==5 && expected==1 : do: count=6; $STROBE}
edge:Receiver:Next:Error:low{provided: count==5 && expected!=0}
edge:Receiver:Next:Error:high{provided: count==5 && expected!=1}
edge:Receiver:Edge:Edge:high{provided: count!=5 : do: $TICK}
edge:Receiver:Edge:Low:low{do: count=2}
edge:Receiver:Edge:Error:high{provided: count==5}
edge:Receiver:Low:Low:low{provided: count!=5 : do: $TICK}
edge:Receiver:Low:Low:high{provided: count!=5 : do: $TICK}
edge:Receiver:Low:Data:low{provided: count==5 && expected==0 : do: count=6; $STROBE}
edge:Receiver:Low:Error:low{provided: count==5 && expected!=0}
edge:Receiver:Low:Error:high{provided: count==5}
edge:Receiver:Data:Data:low{provided: count!=5 : do: $TICK}
edge:Receiver:Data:Data:high{provided: count!=5 : do: $TICK}
edge:Receiver:Data:Data:low{provided: count==5 && expected==0 && place<8$SAME0 : do: count=6; place=place+1; $STROBE}
edge:Receiver:Data:Data:high{provided: count==5 && expected==1 && place<8$SAME1 : do: count=6; place=place+1; $STROBE}
edge:Receiver:Data:Next:low{provided: count==5 && expected==0 && place==8$SAME0 : do: count=6; place=1; $STROBE$CLEAR}
edge:Receiver:Data:Next:high{provided: count==5 && expected==1 && place==8$SAME1 : do: count=6; place=1; $STROBE$CLEAR}
edge:Receiver:Data:Error:low{provided: count==5 && expected!=0}
edge:Receiver:Data:Error:high{provided: count==5 && expected!=1}
$OTHERedge:Receiver:End:End:low{provided: count!=5 : do: $TICK}
edge:Receiver:End:End:high{provided: count!=5 : do: $TICK}
edge:Receiver:End:Done:high{provided: count==5 && expected==1 : do: count=1; $STROBE}
edge:Receiver:End:Error:high{provided: count==5 && expected!=1}
edge:Receiver:End:Error:low{provided: count==5}
edge:Receiver:Done:Done:low
edge:Receiver:Done:Done:high

sync:Sampler@low:Receiver@low
sync:Sampler@high:Receiver@high
";
