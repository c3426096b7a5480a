-- Parameters that the application's migrations and seeds set although their owner is no superuser: PostgREST's own on
-- the authenticator, and the switch that lets a seed load rows in any order.
grant set on parameter
  "pgrst.app_settings",
  "pgrst.db_aggregates_enabled",
  "pgrst.db_anon_role",
  "pgrst.db_extra_search_path",
  "pgrst.db_max_rows",
  "pgrst.db_plan_enabled",
  "pgrst.db_pre_request",
  "pgrst.db_prepared_statements",
  "pgrst.db_root_spec",
  "pgrst.db_schemas",
  "pgrst.db_tx_end",
  "pgrst.jwt_aud",
  "pgrst.jwt_role_claim_key",
  "pgrst.openapi_mode",
  "pgrst.openapi_security_active",
  "pgrst.openapi_server_proxy_uri",
  "pgrst.server_timing_enabled",
  session_replication_role
to postgres;
