-- Persons and groups for functions of other rooms, which run as the owner of both.

-- The person behind an id: all of their ids but those beyond 200, as calls of /flags have them, and their properties.
create function clew_analytics.person_behind(given_id text, out distinct_ids text[], out properties jsonb)
language sql
stable
parallel safe
begin atomic
  select
    array(
      select other.distinct_id
      from clew_analytics.distinct_ids other
      where other.person_id = p.id
      order by other.distinct_id
      limit 200
    ),
    p.properties
  from clew_analytics.distinct_ids d
  join clew_analytics.persons p on p.id = d.person_id
  where d.distinct_id = given_id;
end;

-- Groups by the number of their type; of a group that was never described the properties are null.
create function clew_analytics.groups_behind(given_types text[], given_keys text[])
returns table (type_index smallint, key text, properties jsonb)
language sql
stable
parallel safe
begin atomic
  select t.index, given.key, g.properties
  from unnest(given_types, given_keys) as given (type, key)
  join clew_analytics.group_types t on t.type = given.type
  left join clew_analytics.groups g on g.type = given.type and g.key = given.key;
end;

revoke all on function clew_analytics.person_behind(text) from public;
revoke all on function clew_analytics.groups_behind(text[], text[]) from public;
