-- Which rows several callers of one role see, as before, with the query planned once for all of them: for few rows, plans
-- took most of the time. `types` are those of the key's columns, and `keys` lists their values, a list for each key.
--
-- A commit is in the log before it is seen: for a moment, or for as long as a standby takes to answer. While a transaction of
-- `xids`, in the 32 bits that the log has of them, is not seen yet, nothing is answered.

drop function clew_realtime.visible_rows(text, text[], jsonb);

create function clew_realtime.visible_rows(query text, types text[], xids bigint[], claims text[], keys jsonb)
returns setof text
language plpgsql
as $$
declare
  claim text;
  ask text;
  found_numbers int[];
begin
  if exists (
    select
    from
      pg_catalog.pg_current_snapshot() as s (taken),
      lateral (select pg_catalog.pg_snapshot_xmax(s.taken)::text::bigint) as n (next),
      pg_catalog.unnest(xids) as x (xid)
    where not pg_catalog.pg_visible_in_snapshot(
      (n.next - (((n.next - x.xid + 2147483648) & 4294967295) - 2147483648))::text::xid8, s.taken)
  ) then
    return;
  end if;
  -- A statement that was cancelled has left its own.
  begin
    deallocate clew_visible_rows;
  exception
    when invalid_sql_statement_name then null;
  end;
  -- Planned for each caller's values again, it would be for hundreds of callers.
  perform pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true);
  execute pg_catalog.format('prepare clew_visible_rows (%s) as %s', pg_catalog.array_to_string(types, ', '), query);
  ask := (
    select pg_catalog.format('execute clew_visible_rows (%s)', pg_catalog.string_agg(pg_catalog.quote_literal(c.list), ', ' order by c.place))
    from (
      select
        t.place,
        array(
          select k.value ->> (t.place - 1)::int
          from pg_catalog.jsonb_array_elements(keys) with ordinality as k (value, place)
          order by k.place
        )::text as list
      from pg_catalog.unnest(types) with ordinality as t (name, place)
    ) c
  );
  foreach claim in array claims loop
    begin
      perform
        pg_catalog.set_config('request.jwt.claims', claim, true),
        pg_catalog.set_config('request.jwt.claim.sub', coalesce(claim::jsonb ->> 'sub', ''), true);
      execute ask into found_numbers;
      return next coalesce(pg_catalog.array_to_json(found_numbers)::text, '[]');
    exception
      when others then
        return next '[]';
    end;
  end loop;
  deallocate clew_visible_rows;
end
$$;
