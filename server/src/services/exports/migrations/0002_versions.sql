-- Who changed an export last: of two who change one at once, the later is refused.
alter table clew_exports.exports
  add column version integer not null default 1,
  add column updated_at timestamptz,
  add column updated_by text;

update clew_exports.exports set updated_at = created_at, updated_by = created_by;

alter table clew_exports.exports
  alter column updated_at set not null,
  alter column updated_at set default now(),
  alter column updated_by set not null;
