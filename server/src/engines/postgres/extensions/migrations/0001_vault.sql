-- Every project finds the vault in place. Its owner may drop it.
set local role postgres;
create extension if not exists supabase_vault with schema vault;
reset role;
