-- The audit log of the console: who did what, and when. Names are kept as they were, so that an entry stays readable.
create table if not exists clew_operators.actions (
  id uuid primary key,
  at timestamptz not null,
  operator_id uuid not null,
  operator_email text not null,
  address text not null,
  action text not null,
  target text not null,
  -- `begun` until it has ended; an action that was begun when the process ended stays so.
  outcome text not null default 'begun' check (outcome in ('begun', 'succeeded', 'failed')),
  -- The code or the message of what went wrong.
  problem text
);

create index if not exists actions_at_idx on clew_operators.actions (at desc, id desc);
