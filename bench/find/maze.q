/* The first robot gets out. */
E<> x[0] == W - 1 && y[0] == H - 1

/* The last one gets to where the first one was. */
E<> x[K - 1] == 0 && y[K - 1] == 0

/* The first two change sides. */
E<> y[0] >= 6 && y[1] <= 2
