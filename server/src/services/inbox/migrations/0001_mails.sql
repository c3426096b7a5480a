-- Mails of the development inbox, in the order they came.
create schema if not exists clew_mail;

create table if not exists clew_mail.mails (
  id uuid primary key,
  position bigint generated always as identity unique,
  recipient text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  created_at timestamptz not null,
  read_at timestamptz
);

create index if not exists mails_recipient_idx on clew_mail.mails (lower(recipient), position desc);
