-- What processes of an earlier version stored between the copy of 0014 and its exchange of tables is told again, of the events.
fill page_uses from page_uses_of_events by toUInt32(toDate(client_time)) * 4 + bitShiftRight(cityHash64(distinct_id), 62) during 0014_uses_by_kind;
