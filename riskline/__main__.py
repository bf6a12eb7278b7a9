"""The command line as `python -m riskline`."""

import sys

from riskline.command import main

sys.exit(main())
