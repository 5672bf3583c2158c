"""What researchers do by hand, as the study did: draw a sample, code it apart from each other, settle what differs."""
