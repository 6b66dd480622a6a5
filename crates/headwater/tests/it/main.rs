//! What the library promises, as its users see it, and the plan of the house.

mod rooms;
