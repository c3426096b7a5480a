-- The first errors of the message's console, with their times on the browser's clock: one that was captured as an
-- exception, too, is to be counted once.
alter table snapshots add column if not exists errors Array(Tuple(Int64, String)) codec(ZSTD(1)) after console_errors;
