-- Whether a code answers the sign-up that chose the account's password. Whoever prepared an account for somebody else's
-- address knows its password; a code that its owner asked for in another way confirms the address without it.
alter table auth.one_time_tokens add column if not exists of_sign_up boolean not null default true;
