-- Advice that operators decided not to take, with their reason.

create schema clew_advisor;

create table clew_advisor.ignored (
  -- what was found, and in which object, as the advice names them
  name text not null,
  object text not null,
  reason text not null,
  -- e-mail address
  ignored_by text not null,
  ignored_at timestamptz not null,
  primary key (name, object)
);

revoke all on schema clew_advisor from public;
