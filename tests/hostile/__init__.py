"""A hostile walk over the pages: settings nobody would choose, in a process that counts their time and memory."""
