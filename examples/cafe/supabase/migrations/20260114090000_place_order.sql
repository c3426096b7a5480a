-- An order is placed by one call, in one transaction: all of it or nothing. The prices are the menu's. It runs with the
-- rights of its caller, so that the policies of every table hold in it.
create function public.place_order(lines jsonb) returns public.orders
language plpgsql set search_path = '' as $$
declare
  placed public.orders;
begin
  insert into public.orders (total_cents)
  select coalesce(sum(line.quantity * p.price_cents), 0)
  from jsonb_to_recordset(lines) as line (product_id bigint, quantity int)
  join public.products p on p.id = line.product_id
  returning * into placed;

  -- Products in one order everywhere, so that two guests never wait for each other in a circle.
  insert into public.order_items (order_id, product_id, quantity)
  select placed.id, line.product_id, line.quantity
  from jsonb_to_recordset(lines) as line (product_id bigint, quantity int)
  order by line.product_id;

  return placed;
end $$;

revoke execute on function public.place_order from public, anon;

-- Whatever way an order comes: as the transaction ends its total is that of its lines, and it has some. A price that
-- changed while the order was placed is caught here, too.
create function public.check_total() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.total_cents is distinct from (
    select sum(quantity * unit_price_cents) from public.order_items where order_id = new.id
  ) then
    raise check_violation using message = format('the total of order %s is not that of its lines', new.id);
  end if;
  return null;
end $$;

create constraint trigger check_total after insert on public.orders
  deferrable initially deferred for each row execute function public.check_total();
