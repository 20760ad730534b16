/* The door opens. */
E<> Door.Open

/* It opens after some counting. */
E<> Door.Open && n == 5

/* Somebody has counted far. */
E<> n == 20000
