-- One row: who changed the rules last. They are put in place together, and of two who do so at once the later is refused.
create table if not exists clew_issues.rule_changes (
  is_only boolean primary key default true check (is_only),
  version integer not null default 1,
  -- Null until somebody changes them.
  changed_at timestamptz,
  changed_by text
);
insert into clew_issues.rule_changes default values on conflict do nothing;
