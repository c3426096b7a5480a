create table public.rooms (id text primary key, name text not null);
create table public.members (
  room_id text references public.rooms on delete cascade,
  user_id uuid references auth.users on delete cascade,
  primary key (room_id, user_id)
);
create table public.messages (
  id bigint generated always as identity primary key,
  room_id text not null references public.rooms on delete cascade,
  user_id uuid not null default auth.uid(),
  text text not null
);

alter table public.rooms enable row level security;
alter table public.members enable row level security;
alter table public.messages enable row level security;
create policy "members see their membership" on public.members for select to authenticated using (user_id = (select auth.uid()));
create policy "members read" on public.messages for select to authenticated
  using (exists (select from public.members m where m.room_id = messages.room_id and m.user_id = (select auth.uid())));
create policy "members write" on public.messages for insert to authenticated
  with check (
    user_id = (select auth.uid())
    and exists (select from public.members m where m.room_id = messages.room_id and m.user_id = (select auth.uid()))
  );

alter publication supabase_realtime add table public.messages;
alter table public.messages replica identity full;

-- Private channels: a room's topic is for its members.
create policy "members listen" on realtime.messages for select to authenticated
  using (
    realtime.messages.extension in ('broadcast', 'presence')
    and exists (
      select from public.members m
      where m.user_id = (select auth.uid()) and 'room:' || m.room_id = (select realtime.topic())
    )
  );
create policy "members speak" on realtime.messages for insert to authenticated
  with check (
    realtime.messages.extension = 'broadcast'
    and exists (
      select from public.members m
      where m.user_id = (select auth.uid()) and 'room:' || m.room_id = (select realtime.topic())
    )
  );

create function public.announce_message() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.broadcast_changes('room:' || new.room_id, tg_op, tg_op, tg_table_name, tg_table_schema, new, null);
  return null;
end
$$;
create trigger announce_message after insert on public.messages for each row execute function public.announce_message();
