-- Functions of `storage` for policies and for listings (storage §11). All run with the rights and the search path of the
-- caller, since policies that are read with the rows may call functions of the application.

do $migration$
begin
  if to_regclass('clew_storage.removals') is null or to_regprocedure('storage.foldername(text)') is not null then
    return;
  end if;

  perform set_config('role', 'supabase_storage_admin', true);

  create function storage.foldername(name text) returns text[]
  language sql
  immutable parallel safe
  as $function$
    select p[1:array_length(p, 1) - 1] from string_to_array(name, '/') p
  $function$;

  create function storage.filename(name text) returns text
  language sql
  immutable parallel safe
  as $function$
    select p[array_length(p, 1)] from string_to_array(name, '/') p
  $function$;

  -- The whole name where it has no dot.
  create function storage.extension(name text) returns text
  language sql
  immutable parallel safe
  as $function$
    select reverse(split_part(reverse(p[array_length(p, 1)]), '.', 1)) from string_to_array(name, '/') p
  $function$;

  create function storage.operation() returns text
  language plpgsql
  stable
  as $function$
  begin
    return current_setting('storage.operation', true);
  end
  $function$;

  create function storage.allow_any_operation(expected_operations text[]) returns boolean
  language sql
  stable
  as $function$
    select coalesce(
      regexp_replace(storage.operation(), '^storage\.', '') = any (
        select regexp_replace(expected, '^storage\.', '') from unnest(expected_operations) expected where expected <> ''
      ),
      false
    )
  $function$;

  create function storage.allow_only_operation(expected_operation text) returns boolean
  language sql
  stable
  as $function$
    select storage.allow_any_operation(array[expected_operation])
  $function$;

  create function storage.get_size_by_bucket() returns table (size bigint, bucket_id text)
  language plpgsql
  stable
  as $function$
  begin
    return query
      select sum((o.metadata ->> 'size')::bigint)::bigint, o.bucket_id
      from storage.objects o
      group by o.bucket_id;
  end
  $function$;

  -- Raises PT200 where the caller may insert the row, and what PostgreSQL raises where not.
  create function storage.can_insert_object(bucketid text, name text, owner uuid, metadata jsonb) returns void
  language plpgsql
  as $function$
  begin
    insert into storage.objects (bucket_id, name, owner, metadata) values (bucketid, name, owner, metadata);
    raise sqlstate 'PT200' using message = 'ROLLBACK', detail = 'rollback successful insert';
  end
  $function$;

  -- `data/a/b.txt` below `data/` is in `data/a/`; null where the key ends at this level.
  create function storage.get_common_prefix(p_key text, p_prefix text, p_delimiter text) returns text
  language sql
  immutable parallel safe
  as $function$
    select case
      when p_delimiter <> '' and position(p_delimiter in substr(p_key, length(p_prefix) + 1)) > 0
        then left(
          p_key,
          length(p_prefix) + position(p_delimiter in substr(p_key, length(p_prefix) + 1)) + length(p_delimiter) - 1
        )
    end
  $function$;

  -- One level below a prefix, in the order of bytes. From each folder the index leads on behind its last key, so that a
  -- listing costs what it returns, not what lies in the folders. A start that ends with the delimiter is a folder.
  create function storage.list_objects_with_delimiter(
    _bucket_id text,
    prefix_param text,
    delimiter_param text,
    max_keys integer default 100,
    start_after text default '',
    next_token text default '',
    sort_order text default 'asc'
  ) returns table (
    name text, id uuid, metadata jsonb, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz
  )
  language plpgsql
  stable
  as $function$
  declare
    -- Behind every key that begins with what stands before it; the other is the first one behind a key.
    last_character constant text := chr(1114111);
    first_character constant text := chr(1);
    delimiter constant text := coalesce(delimiter_param, '');
    ascending constant boolean := lower(coalesce(sort_order, 'asc')) <> 'desc';
    start constant text := coalesce(nullif(next_token, ''), start_after, '');
    -- What is still to be listed: from the lower bound to before the upper one.
    lower_bound text := coalesce(prefix_param, '');
    upper_bound text := coalesce(prefix_param, '') || last_character;
    batch refcursor;
    object record;
    folder text;
    listed integer := 0;
  begin
    if start <> '' and ascending and start >= lower_bound collate "C" then
      lower_bound := start || case
        when delimiter <> '' and starts_with(reverse(start), reverse(delimiter)) and start <> coalesce(prefix_param, '')
          then last_character
        else first_character
      end;
    elsif start <> '' and not ascending and start < upper_bound collate "C" then
      upper_bound := start;
    end if;

    <<batches>>
    while listed < max_keys loop
      if ascending then
        open batch for
          select o.*
          from storage.objects o
          where o.bucket_id = _bucket_id and o.name collate "C" >= lower_bound and o.name collate "C" < upper_bound
          order by o.name collate "C"
          limit max_keys - listed;
      else
        open batch for
          select o.*
          from storage.objects o
          where o.bucket_id = _bucket_id and o.name collate "C" >= lower_bound and o.name collate "C" < upper_bound
          order by o.name collate "C" desc
          limit max_keys - listed;
      end if;
      loop
        fetch batch into object;
        exit batches when not found;
        folder := storage.get_common_prefix(object.name, coalesce(prefix_param, ''), delimiter);
        listed := listed + 1;
        if folder is null then
          name := object.name;
          id := object.id;
          metadata := object.metadata;
          updated_at := object.updated_at;
          created_at := object.created_at;
          last_accessed_at := object.last_accessed_at;
          return next;
        else
          name := left(folder, -length(delimiter));
          id := null;
          metadata := null;
          updated_at := null;
          created_at := null;
          last_accessed_at := null;
          return next;
          if ascending then
            lower_bound := folder || last_character;
          else
            upper_bound := folder;
          end if;
          -- What follows in this batch may lie in the folder.
          exit;
        end if;
      end loop;
      close batch;
    end loop;
  end
  $function$;

  -- One level below a prefix by time, folders by the first of their objects; pages continue after a time and a name.
  create function storage.search_by_timestamp(
    p_prefix text,
    p_bucket_id text,
    p_limit integer,
    p_level integer,
    p_start_after text,
    p_sort_order text,
    p_sort_column text,
    p_sort_column_after text
  ) returns table (
    key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
  )
  language plpgsql
  stable
  as $function$
  declare
    ascending boolean := lower(coalesce(p_sort_order, 'asc')) <> 'desc';
    sorted_by text := case when p_sort_column = 'created_at' then 'created_at' else 'updated_at' end;
  begin
    return query execute format(
      $query$
      with below as (
        select o.*, storage.get_common_prefix(o.name, $1, '/') as folder
        from storage.objects o
        where o.bucket_id = $2 and o.name collate "C" >= $1 and o.name collate "C" < $1 || chr(1114111)
      ),
      entries as (
        select left(folder, -1) as name, null::uuid as id, min(created_at) as updated_at, min(created_at) as created_at,
          null::timestamptz as last_accessed_at, null::jsonb as metadata
        from below
        where folder is not null
        group by folder
        union all
        select name, id, updated_at, created_at, last_accessed_at, metadata
        from below
        where folder is null
      )
      select split_part(name, '/', $3), name, id, updated_at, created_at, last_accessed_at, metadata
      from entries
      where $5 = '' or (date_trunc('milliseconds', %1$I), name collate "C")
        %2$s (coalesce(nullif($6, '')::timestamptz, 'epoch'), $5)
      order by date_trunc('milliseconds', %1$I) %3$s, name collate "C" %3$s
      limit $4
      $query$,
      sorted_by, case when ascending then '>' else '<' end, case when ascending then 'asc' else 'desc' end
    ) using coalesce(p_prefix, ''), p_bucket_id, p_level, p_limit, coalesce(p_start_after, ''), coalesce(p_sort_column_after, '');
  end
  $function$;

  create function storage.search_v2(
    prefix text,
    bucket_name text,
    limits integer default 100,
    levels integer default 1,
    start_after text default '',
    sort_order text default 'asc',
    sort_column text default 'name',
    sort_column_after text default ''
  ) returns table (
    key text, name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
  )
  language plpgsql
  stable
  as $function$
  declare
    most integer := least(coalesce(limits, 100), 1500);
  begin
    if lower(coalesce(sort_column, 'name')) in ('updated_at', 'created_at') then
      return query
        select *
        from storage.search_by_timestamp(
          prefix, bucket_name, most, levels, start_after, sort_order, lower(sort_column), sort_column_after
        );
    else
      return query
        select split_part(l.name, '/', levels), l.name, l.id, l.updated_at, l.created_at, l.last_accessed_at, l.metadata
        from storage.list_objects_with_delimiter(bucket_name, prefix, '/', most, start_after, '', sort_order) l;
    end if;
  end
  $function$;

  -- One level below a prefix whatever its case, by pages of an offset. Names begin below the prefix; `levels` is not read.
  create function storage.search(
    prefix text,
    bucketname text,
    limits integer default 100,
    levels integer default 1,
    offsets integer default 0,
    search text default '',
    sortcolumn text default 'name',
    sortorder text default 'asc'
  ) returns table (
    name text, id uuid, updated_at timestamptz, created_at timestamptz, last_accessed_at timestamptz, metadata jsonb
  )
  language plpgsql
  stable
  as $function$
  declare
    last_character constant text := chr(1114111);
    listed_prefix constant text := lower(coalesce(prefix, '') || coalesce(search, ''));
    ascending constant boolean := lower(coalesce(sortorder, 'asc')) <> 'desc';
    sorted_by constant text := lower(coalesce(sortcolumn, 'name'));
    first_listed constant integer := coalesce(offsets, 0);
    last_listed constant integer := coalesce(offsets, 0) + least(coalesce(limits, 100), 1500);
    cut constant integer := length(coalesce(prefix, '')) + 1;
    lower_bound text := listed_prefix;
    upper_bound text := listed_prefix || last_character;
    batch refcursor;
    object record;
    folder text;
    passed integer := 0;
  begin
    if sorted_by in ('updated_at', 'created_at', 'last_accessed_at') then
      return query execute format(
        $query$
        with below as (
          select o.*, storage.get_common_prefix(lower(o.name), $1, '/') as folder
          from storage.objects o
          where o.bucket_id = $2 and lower(o.name) collate "C" >= $1 and lower(o.name) collate "C" < $1 || chr(1114111)
        )
        (
          select substr(left(min(name), length(folder) - 1), $3), null::uuid, null::timestamptz, null::timestamptz,
            null::timestamptz, null::jsonb
          from below
          where folder is not null
          group by folder
          order by folder collate "C" %2$s
        )
        union all
        (
          select substr(name, $3), id, updated_at, created_at, last_accessed_at, metadata
          from below
          where folder is null
          order by %1$I %2$s, name collate "C" %2$s
        )
        limit $4 offset $5
        $query$,
        sorted_by, case when ascending then 'asc' else 'desc' end
      ) using listed_prefix, bucketname, cut, last_listed - first_listed, first_listed;
      return;
    end if;

    <<batches>>
    while passed < last_listed loop
      if ascending then
        open batch for
          select o.*
          from storage.objects o
          where o.bucket_id = bucketname
            and lower(o.name) collate "C" >= lower_bound and lower(o.name) collate "C" < upper_bound
          order by lower(o.name) collate "C"
          limit last_listed - passed;
      else
        open batch for
          select o.*
          from storage.objects o
          where o.bucket_id = bucketname
            and lower(o.name) collate "C" >= lower_bound and lower(o.name) collate "C" < upper_bound
          order by lower(o.name) collate "C" desc
          limit last_listed - passed;
      end if;
      loop
        fetch batch into object;
        exit batches when not found;
        folder := storage.get_common_prefix(lower(object.name), listed_prefix, '/');
        passed := passed + 1;
        if passed > first_listed and folder is null then
          name := substr(object.name, cut);
          id := object.id;
          metadata := object.metadata;
          updated_at := object.updated_at;
          created_at := object.created_at;
          last_accessed_at := object.last_accessed_at;
          return next;
        elsif passed > first_listed then
          name := substr(left(object.name, length(folder) - 1), cut);
          id := null;
          metadata := null;
          updated_at := null;
          created_at := null;
          last_accessed_at := null;
          return next;
        end if;
        if folder is not null then
          if ascending then
            lower_bound := folder || last_character;
          else
            upper_bound := folder;
          end if;
          exit;
        end if;
      end loop;
      close batch;
    end loop;
  end
  $function$;

  create function storage.list_multipart_uploads_with_delimiter(
    bucket_id text,
    prefix_param text,
    delimiter_param text,
    max_keys integer default 100,
    next_key_token text default '',
    next_upload_token text default ''
  ) returns table (key text, id text, created_at timestamptz)
  language plpgsql
  stable
  as $function$
  #variable_conflict use_column
  begin
    return query
      with entries as (
        select coalesce(storage.get_common_prefix(u.key, prefix_param, delimiter_param), u.key) collate "C" as key,
          u.id, u.created_at
        from storage.s3_multipart_uploads u
        where u.bucket_id = list_multipart_uploads_with_delimiter.bucket_id
          and starts_with(u.key, coalesce(prefix_param, ''))
          and (coalesce(next_upload_token, '') = '' or u.id collate "C" > next_upload_token)
      )
      select distinct on (e.key) e.key, e.id, e.created_at
      from entries e
      where coalesce(next_key_token, '') = '' or coalesce(next_upload_token, '') <> '' or e.key > next_key_token
      order by e.key, e.created_at
      limit max_keys;
  end
  $function$;

  perform set_config('role', 'none', true);
end
$migration$;
