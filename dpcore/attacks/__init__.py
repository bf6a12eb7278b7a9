"""Attacks on noisy tables, exactly: what an attacker believes, how often they are right, what more data would add.

`one_count` attacks one noisy count with any mechanism's noise, `moved_value` the two counts between which a value
moves, `all_cells` a whole histogram; `any_release` bounds what every release with a guarantee permits. `repeated`
attacks several counts of one person; `two_levels` a block with the count of its block group, `many_levels` with every
count above; `published_chain` is the law behind the printed tables; `siblings` holds what is believed about the rest
of the block group and the noise of a sum; `post_processed` attacks counts that were made to add up; `reconstruction`
rebuilds a whole block from its tables.
"""
