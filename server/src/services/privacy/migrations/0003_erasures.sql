-- Everything that is kept of a person is removed. A process works on one as long as its lease; each step bears repetition.
create table clew_privacy.erasures (
  id uuid primary key,
  -- Every name of the person; null once it is done.
  subject jsonb,
  -- What becomes of the rows that name their user: `[{"schema":"public","table":"orders","column":"user_id","action":"delete"}]`.
  choices jsonb not null,
  -- What each store kept when it was asked for: `[{"store":"events","rows":12}]`.
  counts jsonb not null,
  refuses boolean not null,
  created_by text not null,
  created_by_role text not null,
  created_at timestamptz not null default now(),
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done')),
  -- A row a step: `{"pass":1,"store":"events","removed":12,"rewritten":0}`.
  done jsonb not null default '[]',
  steps int not null default 0,
  store text,
  leased_until timestamptz not null default '-infinity',
  ended_at timestamptz,
  error text,
  -- Signed, without personal data.
  certificate jsonb
);

create index erasures_open on clew_privacy.erasures (created_at) where state <> 'done';
create index erasures_newest on clew_privacy.erasures (created_at desc, id desc);
