/* Somebody has drawn to the end. */
E<> round == ROUNDS && seen % 4 != 0
