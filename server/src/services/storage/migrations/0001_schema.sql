-- The schema `storage` that user SQL knows: names, types and defaults of storage.supabase.com, so that policies, triggers and
-- seeds written for it run unchanged (storage §11). Beside it, `clew_storage` holds what the service alone knows.
--
-- A server that has these tables already has a storage service of its own: nothing is made there.

do $migration$
begin
  if to_regclass('storage.objects') is not null then
    return;
  end if;

  create schema clew_storage;

  -- Files that no row names any more. A reader that found the old row may still be about to open one, so they are
  -- removed only when they are due.
  create table clew_storage.removals (
    id bigint generated always as identity primary key,
    file_id uuid not null,
    due_at timestamptz not null default now() + interval '60 seconds'
  );
  create index removals_due_at on clew_storage.removals (due_at);

  -- Buckets that are being emptied, of the objects that were there before.
  create table clew_storage.emptied_buckets (
    bucket_id text primary key,
    before timestamptz not null
  );

  -- Resumable uploads (TUS) that are not finished. The id is the name of the partial file, and the object's version.
  create table clew_storage.resumable_uploads (
    id uuid primary key,
    bucket_id text not null,
    name text not null,
    -- Null while the client has not said how long it is.
    size bigint,
    owner_id text,
    upsert boolean not null,
    -- What the client sent as `Upload-Metadata`, decoded.
    metadata jsonb not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  );
  create index resumable_uploads_expires_at on clew_storage.resumable_uploads (expires_at);

  -- In the transaction that changes the row, so that no file is lost sight of, however the row went.
  create function clew_storage.queue_removal() returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  as $function$
  begin
    if old.version ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
      and (tg_op = 'DELETE' or new.version is distinct from old.version) then
      insert into clew_storage.removals (file_id) values (old.version::uuid);
    end if;
    return null;
  end
  $function$;
  revoke all on function clew_storage.queue_removal from public;
  grant usage on schema clew_storage to supabase_storage_admin;
  grant execute on function clew_storage.queue_removal to supabase_storage_admin;

  perform set_config('role', 'supabase_storage_admin', true);

  create type storage.buckettype as enum ('STANDARD', 'ANALYTICS', 'VECTOR');

  create table storage.migrations (
    id int primary key,
    name varchar(100) not null unique,
    hash varchar(40) not null,
    executed_at timestamp default current_timestamp
  );

  create table storage.buckets (
    id text not null,
    name text not null,
    owner uuid,
    created_at timestamptz default now(),
    updated_at timestamptz default now(),
    public boolean default false,
    avif_autodetection boolean default false,
    file_size_limit bigint,
    allowed_mime_types text[],
    owner_id text,
    type storage.buckettype not null default 'STANDARD',
    versioning_status text not null default 'DISABLED'
      constraint buckets_versioning_dark_check check (versioning_status = 'DISABLED'),
    constraint buckets_pkey primary key (id)
  );
  create unique index bname on storage.buckets (name);
  comment on column storage.buckets.owner is 'Field is deprecated, use owner_id instead';

  create table storage.objects (
    id uuid not null default gen_random_uuid(),
    bucket_id text,
    name text,
    owner uuid,
    created_at timestamptz default now(),
    updated_at timestamptz default now(),
    last_accessed_at timestamptz default now(),
    metadata jsonb,
    path_tokens text[] generated always as (string_to_array(name, '/')) stored,
    version text,
    owner_id text,
    user_metadata jsonb,
    archived_at timestamptz,
    is_delete_marker boolean not null default false,
    is_versioned boolean not null default false,
    constraint objects_pkey primary key (id),
    constraint "objects_bucketId_fkey" foreign key (bucket_id) references storage.buckets (id)
  );
  create unique index bucketid_objname on storage.objects (bucket_id, name);
  create index name_prefix_search on storage.objects (name text_pattern_ops);
  create index idx_objects_bucket_id_name on storage.objects (bucket_id, name collate "C");
  create index idx_objects_bucket_id_name_lower on storage.objects (bucket_id, lower(name) collate "C");
  -- Which files have a row.
  create index idx_objects_version on storage.objects (version);
  comment on column storage.objects.owner is 'Field is deprecated, use owner_id instead';

  create table storage.s3_multipart_uploads (
    id text not null,
    in_progress_size bigint not null default 0,
    upload_signature text not null,
    bucket_id text not null,
    key text collate "C" not null,
    version text not null,
    owner_id text,
    created_at timestamptz not null default now(),
    user_metadata jsonb,
    metadata jsonb,
    constraint s3_multipart_uploads_pkey primary key (id),
    constraint s3_multipart_uploads_bucket_id_fkey foreign key (bucket_id) references storage.buckets (id)
  );
  create index idx_multipart_uploads_list on storage.s3_multipart_uploads (bucket_id, key collate "C", created_at);

  create table storage.s3_multipart_uploads_parts (
    id uuid not null default gen_random_uuid(),
    upload_id text not null,
    size bigint not null default 0,
    part_number int not null,
    bucket_id text not null,
    key text collate "C" not null,
    etag text not null,
    owner_id text,
    version text not null,
    created_at timestamptz not null default now(),
    constraint s3_multipart_uploads_parts_pkey primary key (id),
    constraint s3_multipart_uploads_parts_upload_id_fkey foreign key (upload_id)
      references storage.s3_multipart_uploads (id) on delete cascade,
    constraint s3_multipart_uploads_parts_bucket_id_fkey foreign key (bucket_id) references storage.buckets (id)
  );
  create index s3_multipart_uploads_parts_upload_id on storage.s3_multipart_uploads_parts (upload_id, part_number);

  alter table storage.migrations enable row level security;
  alter table storage.buckets enable row level security;
  alter table storage.objects enable row level security;
  alter table storage.s3_multipart_uploads enable row level security;
  alter table storage.s3_multipart_uploads_parts enable row level security;

  grant all on storage.buckets, storage.objects to postgres with grant option;
  grant all on storage.buckets, storage.objects to anon, authenticated, service_role;
  grant all on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to postgres, service_role;
  grant select on storage.s3_multipart_uploads, storage.s3_multipart_uploads_parts to anon, authenticated;
  grant select on storage.migrations to postgres;

  create function storage.update_updated_at_column() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $function$
  begin
    new.updated_at := now();
    return new;
  end
  $function$;
  create trigger update_objects_updated_at
    before update on storage.objects
    for each row execute function storage.update_updated_at_column();
  create trigger update_buckets_updated_at
    before update on storage.buckets
    for each row execute function storage.update_updated_at_column();

  create function storage.enforce_bucket_name_length() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $function$
  begin
    if length(new.name) > 100 then
      raise exception 'bucket name "%" is too long (% characters). Max is 100.', new.name, length(new.name);
    end if;
    return new;
  end
  $function$;
  create trigger enforce_bucket_name_length_trigger
    before insert or update of name on storage.buckets
    for each row execute function storage.enforce_bucket_name_length();

  create function storage.protect_delete() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  as $function$
  begin
    if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
      raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
        using hint = 'This prevents accidental data loss from orphaned objects.', errcode = '42501';
    end if;
    return null;
  end
  $function$;
  create trigger protect_buckets_delete
    before delete on storage.buckets
    for each statement execute function storage.protect_delete();
  create trigger protect_objects_delete
    before delete on storage.objects
    for each statement execute function storage.protect_delete();

  create trigger queue_file_removal
    after delete or update of version on storage.objects
    for each row execute function clew_storage.queue_removal();

  perform set_config('role', 'none', true);
end
$migration$;
