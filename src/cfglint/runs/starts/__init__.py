"""Who starts what: the commands in scripts, images and jobs that start a framework with a config."""
