-- An application of its own reads this by SQL; the API is turned off.
create table orders (id bigint generated always as identity primary key, total numeric not null);
grant select on orders to service_role;
