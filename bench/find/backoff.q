/* Every station gets a frame through. */
E<> forall (i : station_t) sent[i] == 1

/* A station gives up after as many collisions as there are stages. */
E<> stage[0] == STAGES && Station(0).Over

/* All have sent all they had. */
E<> forall (i : station_t) sent[i] == 2
