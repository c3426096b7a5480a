-- What a run failed at before it went on: its own `error` is gone with the next file that is written.
alter table clew_exports.runs
  add column attempts_failed int not null default 0,
  add column last_failure text;
