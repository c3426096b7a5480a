-- What operators write at moments of sessions.

create schema clew_notes;

create table clew_notes.notes (
  id uuid primary key,
  session_id text not null,
  -- on the server's clock
  at timestamptz not null,
  text text not null,
  -- e-mail address
  created_by text not null,
  created_at timestamptz not null,
  edited_at timestamptz
);

create index notes_session_idx on clew_notes.notes (session_id, at);

revoke all on schema clew_notes from public;
