insert into public.sessions (device, expires_at) values
  ('old phone', now() - interval '90 days'),
  ('lost laptop', now() - interval '8 days'),
  ('tablet', now() - interval '6 days'),
  ('phone', now() + interval '1 day');
