//This file was written by hand

/* No two belts jam. EXPECT:T,10s,50MB */
A[] not (Left.Jammed and RightOne.Jammed)

/* The robot gets there. */
E<> Robot.lift && \
    forall (b : belt_t) idle[b] <= 5 // within a line
A<> Left.Full imply now > 3
E[] !deadlock
Left.Moving --> Left.Full or Left.Empty
/* EXPECT:12 */ sup{Left.Full}: now, idle[0]
inf: count
bounds{Robot.wait}: balance, count + 1
A[] count <= 10 under Safe
strategy Safe = control: A[] not Watch.broken
Pr[<=100; 1000](<> Left.Jammed) >= 0.5
simulate [<=50; 3] { now, count }
// the end
