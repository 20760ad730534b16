/* A leader. */
E<> exists (i : server_t) leads[i]

/* A leader whose first entry is acknowledged by all. */
E<> committed == 1

/* Two leaders one after the other, of which the second has a whole log. */
E<> committed == ENTRIES && exists (i : server_t) leads[i] && term[i] >= 2
