-- The console lists users by when they came, page by page, among a million as among ten. SQL of the application may have
-- made rows without a time.
create index if not exists clew_users_created_at_idx
  on auth.users ((coalesce(created_at, '-infinity'::timestamptz)) desc, id desc);
