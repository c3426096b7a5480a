-- Which server's log a slot reads: one that takes its place, as a promoted standby does, begins another generation.

alter table clew.change_slots
  add column system_id text,
  add column timeline int,
  add column generation int not null default 0;
