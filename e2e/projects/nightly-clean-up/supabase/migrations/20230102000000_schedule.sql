-- Safe to run again: unschedule fails where there is no such job.
do $$
begin
  perform cron.unschedule('nightly-clean-up');
exception when others then
  null;
end
$$;

select cron.schedule('nightly-clean-up', '30 3 * * *', $$ select public.tidy_sessions() $$);
select cron.schedule('forget-runs', '0 4 * * 0', $$ delete from cron.job_run_details where end_time < now() - interval '30 days' $$);
