create extension if not exists "pg_net" with schema "extensions";

create or replace function public.send_welcome_mail() returns trigger
language plpgsql security definer set search_path to ''
as $function$
declare
  service_url text;
begin
  select decrypted_secret into service_url from vault.decrypted_secrets where name = 'mail_service_url';
  perform net.http_post(
    url := service_url || '/send',
    headers := jsonb_build_object('Content-Type', 'application/json'),
    body := jsonb_build_object('to', new.email, 'template', 'welcome', 'name', new.raw_user_meta_data->>'full_name')
  );
  return new;
exception
  when others then
    raise warning 'welcome mail: %', sqlerrm;
    return new;
end;
$function$;

drop trigger if exists send_welcome_mail on auth.users;
create trigger send_welcome_mail
  after insert on auth.users
  for each row execute function public.send_welcome_mail();

revoke execute on function public.send_welcome_mail() from anon, authenticated, public;
