-- Filters of the list of sessions under a name: of an operator, or of the team.
create table if not exists clew_operators.session_views (
  id uuid primary key,
  -- Null: the team's, which stays when the operator who made it leaves.
  operator_id uuid references clew_operators.operators (id) on delete cascade,
  -- The address of the operator who made it, as it was.
  created_by text not null,
  name text not null,
  -- Name of a part of the filter → its value, as the address of the list has them.
  search jsonb not null check (jsonb_typeof(search) = 'object'),
  created_at timestamptz not null
);

create index if not exists session_views_operator_id_idx on clew_operators.session_views (operator_id);
