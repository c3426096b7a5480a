-- Who a mail came from and what it is about, for what reads the inbox.
alter table clew_mail.mails add column if not exists sender_name text not null default 'Admin';
alter table clew_mail.mails add column if not exists sender_address text not null default 'admin@email.com';
alter table clew_mail.mails add column if not exists kind text not null default '';
