"""The console command, and in an installed wheel the app beside it; the numbers are `dpcore`, which needs neither."""
