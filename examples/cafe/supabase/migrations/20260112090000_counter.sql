-- The people behind the counter see every order and say how far it is; its guest sees that at once.
create policy "the counter sees all orders" on public.orders for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') = 'staff');
create policy "the counter sees all items" on public.order_items for select to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') = 'staff');
create policy "the counter serves" on public.orders for update to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') = 'staff')
  with check ((select auth.jwt() -> 'app_metadata' ->> 'role') = 'staff');

alter publication supabase_realtime add table public.orders, public.order_items;

-- Guests see who is behind the counter; only those who are may say so.
create policy "guests see the counter" on realtime.messages for select to authenticated
  using (realtime.topic() = 'counter' and extension = 'presence');
create policy "staff stand at the counter" on realtime.messages for insert to authenticated
  with check (realtime.topic() = 'counter' and extension = 'presence'
    and (select auth.jwt() -> 'app_metadata' ->> 'role') = 'staff');
