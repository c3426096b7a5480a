create extension if not exists pgmq;
create extension if not exists pgmq_public;
create extension if not exists pg_cron;

select pgmq.create('orders');

-- Users put messages in; only service_role takes them out.
alter table pgmq.q_orders enable row level security;
grant insert, select (msg_id) on pgmq.q_orders to authenticated;
grant usage on sequence pgmq.q_orders_msg_id_seq to authenticated;
create policy "users order for themselves" on pgmq.q_orders for insert to authenticated
  with check (message ->> 'user_id' = (select auth.uid())::text);
create policy "the id of what is sent" on pgmq.q_orders for select to authenticated using (true);

create table public.bills (order_id bigint primary key, user_id uuid not null, total numeric not null);
alter table public.bills enable row level security;
create policy "bills are their user's" on public.bills for select to authenticated
  using (user_id = (select auth.uid()));

-- Takes some messages in the transaction that works on them: what fails comes again after a minute.
create function public.bill_orders() returns integer language plpgsql as $$
declare
  message pgmq.message_record;
  done integer := 0;
begin
  for message in select * from pgmq.read('orders', 60, 100) loop
    insert into public.bills
    values (message.msg_id, (message.message ->> 'user_id')::uuid, (message.message ->> 'total')::numeric)
    on conflict do nothing;
    perform pgmq.archive('orders', message.msg_id);
    done := done + 1;
  end loop;
  return done;
end
$$;
revoke execute on function public.bill_orders() from public, anon, authenticated;

select cron.schedule('bill-orders', '1 second', 'select public.bill_orders()');
