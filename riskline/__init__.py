"""The console command, which starts the dashboard where it is installed; the numbers are `dpcore`."""
