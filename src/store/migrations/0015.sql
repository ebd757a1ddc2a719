-- Nothing waits any more for another session to say something of its slot: what is not kept is in review.
DROP TABLE sightings;
