-- A person is erased by one erasure at a time, however many operators ask for it at once.
create unique index erasures_open_user on clew_privacy.erasures ((subject ->> 'userId')) where state <> 'done';
create unique index erasures_open_person on clew_privacy.erasures ((subject ->> 'personId')) where state <> 'done';
