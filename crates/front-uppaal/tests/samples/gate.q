//This file was generated from (Academic) UPPAAL 4.1.3 (rev. 4494), May 2010

/*
The gate can be occupied.
EXPECT:T,10s,50MB
*/
E<> Gate.Occ

// one
/* two */
A[] forall (i : id_t) forall (j : id_t) \
  Train(i).Cross && Train(j).Cross imply i == j

/* EXPECT:F */
A[] not deadlock
/* EXPECT:17 */
sup: Gate.len
// the end
