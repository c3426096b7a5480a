-- The console lists users by when they last signed in, too, page by page; those who never did come last.
create index if not exists clew_users_last_sign_in_at_idx
  on auth.users ((coalesce(last_sign_in_at, '-infinity'::timestamptz)) desc, id desc);
