insert into public.categories (name, position) values ('Coffee', 1), ('Tea', 2), ('Bakery', 3), ('Lunch', 4);

insert into public.products (category_id, name, description, price_cents, stock, hue, photo)
select c.id, p.name, p.description, p.price_cents, p.stock, p.hue,
  'photos/' || replace(lower(p.name), ' ', '-') || '.jpg'
from (values
  ('Coffee', 'Espresso', 'short, from a dark roast', 220, 80, 22),
  ('Coffee', 'Flat white', 'double, with silky milk', 380, 60, 28),
  ('Coffee', 'Cappuccino', 'with cocoa, if you like', 360, 60, 32),
  ('Coffee', 'Filter of the day', 'from Huila, Colombia', 310, 40, 18),
  ('Tea', 'Earl Grey', 'a pot for one', 340, 35, 42),
  ('Tea', 'Fresh mint', 'with a spoon of honey', 320, 24, 120),
  ('Bakery', 'Almond croissant', 'warmed', 320, 12, 36),
  ('Bakery', 'Pastel de nata', 'two pieces', 300, 18, 46),
  ('Bakery', 'Cinnamon bun', 'the last ones of the morning', 350, 9, 24),
  ('Lunch', 'Tomato soup', 'with sourdough', 690, 15, 8),
  ('Lunch', 'Cheese toastie', 'Comté and leek', 750, 14, 48)
) as p (category, name, description, price_cents, stock, hue)
join public.categories c on c.name = p.category
order by c.position, p.name;

-- Three people. Ana and Ben are guests, Mia works here. Everybody's password is "coffee please".
insert into auth.users
  (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data,
   created_at, updated_at)
select
  '00000000-0000-0000-0000-000000000000', u.id::uuid, 'authenticated', 'authenticated', u.email,
  crypt('coffee please', gen_salt('bf')), now(),
  jsonb_build_object('provider', 'email', 'providers', array['email']) || u.app, jsonb_build_object('name', u.name),
  now(), now()
from (values
  ('a11ce000-0000-4000-8000-000000000001', 'ana@example.test', 'Ana Ferreira', '{}'::jsonb),
  ('a11ce000-0000-4000-8000-000000000002', 'ben@example.test', 'Ben Okafor', '{}'::jsonb),
  ('a11ce000-0000-4000-8000-000000000003', 'mia@example.test', 'Mia Lindqvist', '{"role": "staff"}'::jsonb)
) as u (id, email, name, app);

insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
select id::text, id, jsonb_build_object('sub', id::text, 'email', email), 'email', now(), now(), now()
from auth.users;
